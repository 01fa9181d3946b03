#include "proto/base/heap_pages.h"
#include "proto/base/memory_reserve.h"
#include "proto/base/standard_streams.h"
#include "viewer/cli/command.h"
#include "viewer/cli/interrupt.h"
#include "viewer/formats/output.h"
#include "viewer/ingest/remote/patience.h"

#include <google/protobuf/stubs/logging.h>

#include <string>

int main(int argc, char** argv) {
    sla::hold_standard_streams();
    sla::set_up_heap();
    sla::hold_memory_reserve();
    sla::cli::catch_interrupts();
    sla::formats::stop_writing_when([] { return sla::cli::interrupted() != 0; });
    sla::ingest::patience() = {[](const std::string& text) { sla::cli::remark(text + "; Ctrl-C ends the wait"); },
                               [] { return sla::cli::interrupted() == 0; }};
    google::protobuf::SetLogHandler(nullptr);  // what does not parse is reported by ingest, once
    return sla::cli::run(argc, argv);
}
