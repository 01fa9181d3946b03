#include "viewer/cli/command.h"
#include "viewer/cli/interrupt.h"

#include <google/protobuf/stubs/logging.h>

int main(int argc, char** argv) {
    sla::cli::catch_interrupts();
    google::protobuf::SetLogHandler(nullptr);  // what does not parse is told by ingest, once
    return sla::cli::run(argc, argv);
}
