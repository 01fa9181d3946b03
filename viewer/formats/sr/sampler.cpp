#include "viewer/formats/sr/sampler.h"

#include "viewer/analysis/event_walk.h"

#include <algorithm>

namespace sla::formats {

namespace {

struct Extent {
    std::uint64_t first = store::kNever;  // ticks of the first and the last event
    std::uint64_t last = 0;
};

Extent extent_of(const store::Session& session, const analysis::Selection& selection) {
    Extent extent;
    const auto final = analysis::last_final_tick(session, selection);
    for (const store::Lane* lane : selection.lanes) {
        const std::uint64_t from = lane->lower_bound(selection.from);
        const std::uint64_t end = final ? lane->upper_bound(*final) : 0;
        if (from >= end) continue;
        extent.first = std::min(extent.first, lane->tick(from));
        extent.last = std::max(extent.last, lane->tick(end - 1));
    }
    return extent;
}

}  // namespace

double Sampler::samples_at(const store::Session& session, const analysis::Selection& selection, double rate_hz) {
    const Extent extent = extent_of(session, selection);
    if (extent.first == store::kNever) return 0;
    return static_cast<double>(session.clock().to_ps(extent.last) - session.clock().to_ps(extent.first)) * rate_hz / 1e12 +
           1;
}

Sampler::Sampler(const store::Session& session, const analysis::Selection& selection, std::uint64_t rate_hz)
    : session_(session), selection_(selection), rate_hz_(rate_hz) {
    const Extent extent = extent_of(session, selection);
    const auto final = analysis::last_final_tick(session, selection);
    for (const store::Lane* lane : selection.lanes) lanes_.push_back(state_of(*lane, final));
    samples_ = 1;  // of what holds there, also without events
    if (extent.first == store::kNever) return;
    zero_ps_ = session.clock().to_ps(extent.first);
    samples_ = sample_of(extent.last) + 1;
}

Sampler::State Sampler::state_of(const store::Lane& lane, std::optional<std::uint64_t> final_tick) const {
    State state;
    state.lane = &lane;
    state.at = lane.lower_bound(selection_.from);
    state.end = final_tick ? std::max(state.at, lane.upper_bound(*final_tick)) : state.at;
    state.held = held_at_begin(session_, selection_, lane);
    return state;
}

std::uint64_t Sampler::sample_of(std::uint64_t tick) const {
    const __int128 ps = static_cast<__int128>(session_.clock().to_ps(tick)) - zero_ps_;
    return static_cast<std::uint64_t>(ps * rate_hz_ / 1'000'000'000'000);
}

// Makes the event at state.at part of the lane's state.
void Sampler::take(State& state, std::uint64_t sample) {
    const store::RowRef place{state.lane, state.at, state.lane->tick(state.at)};
    const store::Event event = (*state.lane)[state.at++];
    if (selection_.filter && !selection_.filter->matches(session_, place)) return;
    ++events_;
    if (state.last_sample == sample) ++merged_;
    state.last_sample = sample;
    state.held.level = store::level_after(state.held.level, event.code, event.value);
    switch (event.kind()) {
        case wire::Kind::kLevel: break;
        case wire::Kind::kBegin:
            state.held.open.begin(event.thread);
            state.pulse = true;  // seen even when it ends at once
            break;
        case wire::Kind::kEnd: state.held.open.end(event.thread); break;
        case wire::Kind::kGap:
            state.held.open.lose(event.thread);
            ++losses_;
            lost_ += event.value;
            break;
        default: state.pulse = true;
    }
}

void Sampler::fill(State& state, std::size_t bit, std::uint64_t count, std::string& out) {
    const std::size_t width = bytes_per_sample();
    const auto set = [&](std::uint64_t from, std::uint64_t until) {
        const char mask = static_cast<char>(1 << (bit % 8));
        for (std::uint64_t i = from; i < until; ++i)
            out[i * width + bit / 8] = static_cast<char>(out[i * width + bit / 8] | mask);
    };
    std::uint64_t at = 0;
    while (at < count) {
        const std::uint64_t next = state.at < state.end ? sample_of(state.lane->tick(state.at)) : ~std::uint64_t{0};
        const std::uint64_t until = std::min(count, std::max(next, done_) - done_);
        if (state.is_high()) set(at, until);
        if (next >= done_ + count) return;
        state.pulse = false;
        while (state.at < state.end && sample_of(state.lane->tick(state.at)) == next) take(state, next);
        if (state.pulse || state.is_high()) set(until, until + 1);
        at = until + 1;
    }
}

std::string Sampler::next(std::uint64_t count) {
    std::string out(count * bytes_per_sample(), '\0');
    for (std::size_t bit = 0; bit < lanes_.size(); ++bit) fill(lanes_[bit], bit, count, out);
    done_ += count;
    return out;
}

}  // namespace sla::formats
