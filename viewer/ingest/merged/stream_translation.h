// StreamTranslation: the frames of one capture as they stand in a stream that is made of several: with other ids, and with
// other ticks where another counter stamped them. Immutable; any thread.
#pragma once

#include "proto/wire/capture.pb.h"
#include "proto/wire/event.h"
#include "viewer/ingest/merged/clock_match.h"

#include <cstdint>
#include <functional>
#include <utility>

namespace sla::ingest {

enum class NamedThing { kSource, kChannel, kThread, kClockDomain, kHost };

class StreamTranslation {
public:
    // The id in the stream of several. The same one for the same argument.
    using Ids = std::function<std::uint32_t(NamedThing, std::uint32_t own)>;

    StreamTranslation() = default;
    // `host`: store::Host::id of the capture's own host in the stream; 0: it is the host that the stream's Hello names.
    StreamTranslation(ClockMatch clock, std::uint32_t host, Ids ids)
        : clock_(std::move(clock)), host_(host), ids_(std::move(ids)) {}

    [[nodiscard]] const ClockMatch& clock() const { return clock_; }
    [[nodiscard]] std::uint32_t host() const { return host_; }
    [[nodiscard]] std::uint32_t id(NamedThing thing, std::uint32_t own) const;
    // 0, which means "not known", stays 0.
    [[nodiscard]] std::uint64_t tick(std::uint64_t own) const { return own == 0 ? 0 : clock_.to_reference(own); }

    void translate(wire::EventBatch& batch) const;
    // False: a stream of several has its own of this kind (Hello, Watermark, Status, End), or it would mean something else there.
    bool translate(wire::Frame& frame) const;

private:
    void move_host(wire::Host& host) const;

    ClockMatch clock_;
    std::uint32_t host_ = 0;
    Ids ids_;
};

}  // namespace sla::ingest
