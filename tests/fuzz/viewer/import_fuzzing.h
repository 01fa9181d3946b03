// What the fuzzers of importers share: a sink whose file lies in memory and goes away.
#pragma once

#include "proto/base/check.h"
#include "viewer/formats/capture_sink.h"
#include "viewer/formats/conversion.h"

#include <unistd.h>

#include <sstream>
#include <string>

namespace sla::formats {

inline std::string scratch_path() {
    return "/dev/shm/sla_fuzz_import_" + std::to_string(getpid());
}

// Whatever the bytes are: taken or refused with a reason.
template <typename Import>
void import_anything(Import import) {
    auto sink = CaptureSink::create(scratch_path(), "fuzz");
    SLA_CHECK(sink.ok());
    Notes notes;
    const Result<void> done = import(*sink, notes);
    if (done.ok()) {
        SLA_CHECK(sink->finish().ok());
    } else {
        SLA_CHECK(!done.error().message.empty());
    }
    unlink(scratch_path().c_str());
}

inline std::istringstream stream_of(const std::uint8_t* data, std::size_t size) {
    return std::istringstream(std::string(reinterpret_cast<const char*>(data), size));
}

}  // namespace sla::formats
