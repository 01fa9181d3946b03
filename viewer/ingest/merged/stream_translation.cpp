#include "viewer/ingest/merged/stream_translation.h"

#include "proto/wire/clock_codec.h"

#include <algorithm>

namespace sla::ingest {

// No thread, no source, the host's own clock: those are 0 everywhere.
std::uint32_t StreamTranslation::id(NamedThing thing, std::uint32_t own) const {
    return own == 0 && thing != NamedThing::kChannel ? 0 : ids_(thing, own);
}

// Of an input that was merged itself: its hosts are moved once more, and both errors count.
void StreamTranslation::move_host(wire::Host& host) const {
    if (clock_.same_clock()) return;
    time::HostErrors errors = wire::errors_from(host);
    for (time::HostErrors::Step& step : errors.steps) {
        const std::int64_t more = clock_.error_ps(step.tick);
        step.error_ps = step.error_ps > INT64_MAX - more ? INT64_MAX : step.error_ps + more;
        step.tick = clock_.to_reference(step.tick);
    }
    for (time::AxisJump& jump : errors.jumps) {
        jump.from_tick = clock_.to_reference(jump.from_tick);
        jump.until_tick = clock_.to_reference(jump.until_tick);
    }
    errors.is_bounded = errors.is_bounded && clock_.errors().is_bounded;
    errors.stretch_ppb += clock_.errors().stretch_ppb;
    host.clear_ticks();
    host.clear_errors_ns();
    host.clear_jumps();
    wire::fill_errors(errors, host);
}

void StreamTranslation::translate(wire::EventBatch& batch) const {
    batch.channel.value = id(NamedThing::kChannel, batch.channel.value);
    std::uint32_t own = 0;
    std::uint32_t merged = 0;
    for (std::uint32_t& thread : batch.threads) {
        if (thread != own) {
            own = thread;
            merged = id(NamedThing::kThread, own);
        }
        thread = merged;
    }
    if (clock_.same_clock()) return;
    for (std::uint64_t& one : batch.ticks) one = clock_.to_reference(one);
    for (wire::Extra& extra : batch.extras) {
        if (extra.until_tick != 0)
            extra.until_tick = std::max(batch.ticks[extra.position], clock_.to_reference(extra.until_tick));
    }
}

bool StreamTranslation::translate(wire::Frame& frame) const {
    switch (frame.body_case()) {
        case wire::Frame::kSource: {
            wire::Source& source = *frame.mutable_source();
            source.set_id(id(NamedThing::kSource, source.id()));
            source.set_clock_domain(id(NamedThing::kClockDomain, source.clock_domain()));
            source.set_host(source.host() == 0 ? host_ : id(NamedThing::kHost, source.host()));
            return true;
        }
        case wire::Frame::kChannel:
            frame.mutable_channel()->set_id(id(NamedThing::kChannel, frame.channel().id()));
            frame.mutable_channel()->set_source(id(NamedThing::kSource, frame.channel().source()));
            return true;
        case wire::Frame::kThread:
            frame.mutable_thread()->set_id(id(NamedThing::kThread, frame.thread().id()));
            frame.mutable_thread()->set_source(id(NamedThing::kSource, frame.thread().source()));
            return true;
        case wire::Frame::kHost:
            frame.mutable_host()->set_id(id(NamedThing::kHost, frame.host().id()));
            move_host(*frame.mutable_host());
            return frame.host().id() != 0;
        case wire::Frame::kPeerClock: return clock_.same_clock();
        case wire::Frame::kClock:
            // Readings of another host's counter would not fit to the merged ticks.
            if (frame.clock().domain() == 0) return clock_.same_clock();
            frame.mutable_clock()->set_domain(id(NamedThing::kClockDomain, frame.clock().domain()));
            return true;
        case wire::Frame::kNotice:
            frame.mutable_notice()->set_tick(tick(frame.notice().tick()));
            frame.mutable_notice()->set_source(id(NamedThing::kSource, frame.notice().source()));
            return true;
        case wire::Frame::kShot:
            frame.mutable_shot()->set_tick(tick(frame.shot().tick()));
            frame.mutable_shot()->set_begin_tick(tick(frame.shot().begin_tick()));
            frame.mutable_shot()->set_end_tick(tick(frame.shot().end_tick()));
            return true;
        default: return false;
    }
}

}  // namespace sla::ingest
