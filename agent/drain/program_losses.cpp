// What a program lost without a trace in any ring, and what its filters turned away.
#include "agent/drain/program_drain.h"

#include <algorithm>
#include <utility>

namespace sla::drain {

// A row of its own for what no ring reports. It is never late: it moves up to the first tick that is still open.
void ProgramDrain::add_gap(DrainedChannel& channel, const Gap& gap, const StepClock& clock) {
    channel.wake();  // it knows then how far it was given out
    const bool is_known = clock.is_possible(gap.from_tick);
    auto run = std::make_shared<Run>(0);
    const std::uint64_t row = run->open_gap(std::max(is_known ? gap.from_tick : 0, channel.closed + 1));
    const bool ends = gap.until_tick != 0 && clock.is_possible(gap.until_tick);
    run->settle_gap(row, gap.cause, gap.events, ends ? gap.until_tick : clock.present());
    channel.runs.push_back(std::move(run));
}

// What was marked before the program could know that nobody wants it is not lost.
void ProgramDrain::add_lost_without_ring(DrainedChannel& channel, const ring::SegmentView::NoRingLoss& loss,
                                         const StepClock& clock) {
    if (channel.is_off) {
        channel.ledger.filtered += loss.events;
        return;
    }
    channel.ledger.add(wire::LossCause::kNoRing, loss.events);
    add_gap(channel, {wire::LossCause::kNoRing, loss.events, loss.first_tick, loss.last_tick}, clock);
}

// A channel of the agent's has what is lost of channels that the program could give no descriptor.
void ProgramDrain::account_lost_without_channel(const StepClock& clock) {
    const auto account = [&](const ring::SegmentView::NoRingLoss& loss, bool& is_said, const char* name,
                             const std::string& why) {
        if (loss.is_damage) damage_.note("it counts losses that cannot be");
        if (loss.events == 0) return;
        if (!std::exchange(is_said, true)) resolver_.notice(why + " are counted on channel " + name);
        ring::ChannelDescription shared;
        shared.name = name;
        add_lost_without_ring(resolver_.channel(shared), loss, clock);
    };
    account(program_->view.account_lost_no_channel(), has_too_many_channels_, "sla.too-many-channels",
            "this program has more than " + std::to_string(SLA_MAX_CHANNELS) + " channels; events of the others");
    account(program_->view.account_lost_unregistered(), has_unregistered_, "sla.unregistered",
            "some of its channels could not be registered when they were marked (no memory was left, or the library was at "
            "work for that thread); what was lost of them");
}

void ProgramDrain::account_lost_without_ring(const StepClock& clock) {
    const std::uint32_t count = program_->view.channel_count();
    for (std::uint32_t index = 1; index <= count; index++) {
        const ring::SegmentView::NoRingLoss loss = program_->view.account_lost_no_ring(index);
        if (loss.is_damage) damage_.note("it counts losses that cannot be");
        if (damage_.is_beyond_repair()) return;
        if (loss.events > 0) add_lost_without_ring(channel_at(index), loss, clock);
    }
    account_lost_without_channel(clock);
}

// From the end of the agent before to this one's beginning nobody saw what markers would have said: each channel that there
// was says so.
void ProgramDrain::report_absence(const StepClock& clock) {
    const ring::SegmentView::Absence absence = program_->view.take_absence();
    if (absence.from_tick == 0 || !clock.is_possible(absence.from_tick)) return;
    if (own_clock_) {
        resolver_.notice("nobody recorded it for a while before; when, its own clock does not say");
        return;
    }
    const std::uint32_t count = program_->view.channel_count();
    for (std::uint32_t index = 1; index <= count; index++) {
        add_gap(channel_at(index), {wire::LossCause::kNoAgent, 0, absence.from_tick, absence.until_tick}, clock);
    }
}

void ProgramDrain::account_filtered() {
    for (const auto& feed : feeds_) feed->channel->ledger.filtered += feed->ring.reader().account_filtered();
    std::uint32_t count = program_->view.channel_count();
    for (std::uint32_t index = 1; index <= count; index++) {
        std::uint64_t events = program_->view.account_filtered(index);
        if (events > 0) channel_at(index).ledger.filtered += events;
    }
}

}  // namespace sla::drain
