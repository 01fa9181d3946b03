// The part of a CTF trace's `metadata` that says what `sla export` put there: clock, channels, threads. Other tracers'
// metadata is recognised, and refused with a word on what to do.
#pragma once

#include "viewer/formats/capture_sink.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace sla::formats {

struct CtfChannel {
    std::string name;
    std::string source;
    std::string format;
    std::uint32_t pid = 0;               // of the source, where several have its name
    std::optional<std::uint64_t> bytes;  // of its file; versions before did not say
};

struct CtfMetadata {
    SinkClock clock;
    std::string sources;  // see source_facts.h
    std::map<std::uint32_t, CtfChannel> channels;
    std::map<std::uint32_t, std::string> threads;  // "name/tid"
};

Result<CtfMetadata> parse_ctf_metadata(std::string_view text);

}  // namespace sla::formats
