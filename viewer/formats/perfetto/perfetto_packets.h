// A Perfetto trace packet by packet.
#pragma once

#include "proto/base/result.h"
#include "viewer/formats/perfetto/perfetto.pb.h"

#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sla::formats {

// A Trace is TracePackets, each as field 1, length-delimited.
inline constexpr char kPerfettoTag = '\x0a';
// The second category of spans that `sla export` put on the track of their thread: their name is their channel.
inline constexpr const char* kPerfettoOwn = "sla";
// What the trace's metadata says of a capture: that it was one, its clock (as in Chrome's traces), stamp_errors.h, source_facts.h.
inline constexpr const char* kPerfettoCapture = "sla.capture";
inline constexpr const char* kPerfettoCaptureForm = "1";
inline constexpr const char* kPerfettoTicksPerSecond = "sla.ticks_per_second";
inline constexpr const char* kPerfettoClockError = "sla.clock_error_ppb";
inline constexpr const char* kPerfettoStampErrors = "sla.stamp_errors";
inline constexpr const char* kPerfettoSources = "sla.sources";

// Whether the first packet is many that are compressed together: of these a file's head seldom holds all.
bool begins_compressed(std::string_view head);

// Trusts no length. One owner, one thread.
class PerfettoPackets {
public:
    explicit PerfettoPackets(std::istream& in) : in_(in) {}

    // False at the end, or when something is wrong: problem() says what. Of packets that are compressed together each comes alone.
    bool next(sla::perfetto::TracePacket& packet);
    [[nodiscard]] std::uint64_t position() const { return position_; }
    [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

private:
    struct Unpacked;
    bool next_as_it_stands(sla::perfetto::TracePacket& packet);
    bool unpack(const std::string& compressed);
    bool read(std::uint64_t size);
    bool fail(const std::string& what);

    std::istream& in_;
    std::shared_ptr<Unpacked> unpacked_;  // packets that come before those of in_
    std::string bytes_;
    std::uint64_t position_ = 0;
    std::optional<Error> problem_;
};

}  // namespace sla::formats
