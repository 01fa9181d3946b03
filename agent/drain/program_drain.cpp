#include "agent/drain/program_drain.h"

#include <algorithm>
#include <utility>

namespace sla::drain {
namespace {

constexpr std::uint32_t kStepsBetweenLossChecks = 64;  // what leaves no slot and no trace: looking touches many pages

}  // namespace

ProgramDrain::ProgramDrain(std::shared_ptr<source::Program> program, Resolver& resolver)
    : program_(std::move(program)), resolver_(resolver), own_clock_(program_->view.stamp_clock() == SLA_STAMP_OWN) {}

void ProgramDrain::find_rings() {
    std::uint32_t count = program_->view.ring_count();
    for (; known_rings_ < count; known_rings_++) waiting_.push_back(known_rings_);
    if (waiting_.empty()) return;
    std::vector<std::uint32_t> candidates;
    candidates.swap(waiting_);
    for (std::uint32_t number : candidates) open_ring(number);
}

// Starts a feed, or puts the ring back among the waiting; a ring whose description is nonsense is dropped for good.
void ProgramDrain::open_ring(std::uint32_t number) {
    if (readers_.size() <= number) readers_.resize(number + 1);
    if (!readers_[number]) readers_[number] = std::make_unique<ring::RingReader>(program_->view, number);
    Result<bool> open = readers_[number]->open();
    if (!open) {
        resolver_.notice("ring " + std::to_string(number) + " is left alone: " + open.error().message);
        return;
    }
    if (!*open) {
        waiting_.push_back(number);
        return;
    }
    start_feed(number, std::move(*readers_[number]));
}

void ProgramDrain::start_feed(std::uint32_t number, ring::RingReader reader) {
    const ring::RingDescription& ring = reader.description();
    if (channels_.size() <= ring.channel) channels_.resize(ring.channel + 1);
    Channel*& channel = channels_[ring.channel];
    if (!channel) channel = &resolver_.channel(program_->view.channel(ring.channel));
    auto run = std::make_shared<Run>(resolver_.thread(ring.thread, ring.thread_name).value);
    channel->runs.push_back(run);
    feeds_.push_back(std::make_unique<Feed>(Feed{RingFeed(std::move(reader)), number, std::move(run), channel}));
}

// One piece; of a ring that is new to us, all that it held when it came: the watermark may be ahead of it, and once the
// channel has given events out, what is older counts as late. A ring that took another's place is no such case when we read
// that other one: the watermark waited for it.
Result<void> ProgramDrain::take(Feed& feed, const StepClock& clock, Step& step) {
    const ring::RingDescription& ring = feed.ring.reader().description();
    const bool goes_on = ring.follows && feed.channel->closed > 0;
    std::size_t left = feed.is_new && !goes_on ? ring.capacity : 1;
    std::size_t before = step.taken;
    feed.is_new = false;
    do {
        Result<std::size_t> taken = feed.ring.drain(clock, feed.channel->closed, *feed.run, feed.channel->ledger);
        if (!taken) return taken.error();
        step.taken += *taken;
        left -= std::min(left, *taken);
    } while (left > 0 && feed.ring.has_more());
    step.more |= feed.ring.has_more();
    step.fullness = std::max(step.fullness, feed.ring.fullness());
    rings_wanted_ |= feed.ring.ask_for_room(clock.now(), step.taken - before);
    return {};
}

// False when the feed is done with: its ring was given back, or is broken.
bool ProgramDrain::drain_feed(Feed& feed, const StepClock& clock, bool ended, Step& step) {
    bool closed = ended || feed.ring.reader().is_closed();  // before the reading: then everything is there to read
    Result<void> taken = take(feed, clock, step);
    if (!taken) {
        resolver_.notice("a ring of channel " + program_->view.channel(feed.ring.reader().description().channel).name +
                         " is left alone: " + taken.error().message);
        return false;
    }
    if (closed && feed.ring.reader().is_empty()) {
        feed.channel->ledger.filtered += feed.ring.reader().book_filtered();
        if (!ended) feed.ring.reader().give_back();
        *readers_[feed.number] = std::move(feed.ring.reader());
        waiting_.push_back(feed.number);
        return false;
    }
    if (!own_clock_) step.bound = std::min(step.bound, feed.ring.bound());
    return true;
}

// A row of its own for what no ring tells. It is never late: it moves up to the first tick that is still open.
void ProgramDrain::add_gap(Channel& channel, const Gap& gap, const StepClock& clock) {
    const bool is_known = clock.is_possible(gap.from_tick);
    auto run = std::make_shared<Run>(0);
    const std::uint64_t row = run->open_gap(std::max(is_known ? gap.from_tick : 0, channel.closed + 1));
    const bool ends = gap.until_tick != 0 && clock.is_possible(gap.until_tick);
    run->settle_gap(row, gap.cause, gap.events, ends ? gap.until_tick : clock.present());
    channel.runs.push_back(std::move(run));
}

void ProgramDrain::book_lost_without_ring(const StepClock& clock) {
    auto book = [&](Channel& channel, const ring::SegmentView::NoRingLoss& loss) {
        channel.ledger.book(wire::LossCause::kNoRing, loss.events);
        add_gap(channel, {wire::LossCause::kNoRing, loss.events, loss.first_tick, loss.last_tick}, clock);
    };
    const std::uint32_t count = program_->view.channel_count();
    for (std::uint32_t index = 1; index <= count; index++) {
        const ring::SegmentView::NoRingLoss loss = program_->view.book_lost_no_ring(index);
        if (loss.events > 0) book(resolver_.channel(program_->view.channel(index)), loss);
    }
    const ring::SegmentView::NoRingLoss no_channel = program_->view.book_lost_no_channel();
    if (no_channel.events == 0) return;
    if (!std::exchange(has_too_many_channels_, true))
        resolver_.notice("this program has more than " + std::to_string(SLA_MAX_CHANNELS) +
                         " channels; events of the others are counted on channel sla.too-many-channels");
    ring::ChannelDescription overflow;
    overflow.name = "sla.too-many-channels";
    book(resolver_.channel(overflow), no_channel);
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
        Channel& channel = resolver_.channel(program_->view.channel(index));
        add_gap(channel, {wire::LossCause::kNoAgent, 0, absence.from_tick, absence.until_tick}, clock);
    }
}

void ProgramDrain::book_filtered() {
    for (const auto& feed : feeds_) feed->channel->ledger.filtered += feed->ring.reader().book_filtered();
    std::uint32_t count = program_->view.channel_count();
    for (std::uint32_t index = 1; index <= count; index++) {
        std::uint64_t events = program_->view.book_filtered(index);
        if (events > 0) resolver_.channel(program_->view.channel(index)).ledger.filtered += events;
    }
}

// What is older than the newest event that the step before saw was published before that step ended, so this step has seen
// it; but for a ring that was not read to its end. Such a time may stand still for many events.
void ProgramDrain::limit_own_clock(bool finished) {
    const auto below = [](std::uint64_t tick) { return tick - std::min<std::uint64_t>(tick, 1); };
    std::uint64_t limit = finished ? SLA_TICK_MASK : below(own_newest_);
    for (const auto& feed : feeds_) {
        own_newest_ = std::max(own_newest_, feed->ring.newest());
        if (feed->ring.has_more()) limit = std::min(limit, below(feed->ring.newest()));
    }
    for (Channel* channel : channels_) {
        if (channel != nullptr) channel->own_limit = std::max(limit, channel->own_limit.value_or(0));
    }
}

ProgramDrain::Step ProgramDrain::step(const StepClock& machine_clock) {
    const StepClock clock = own_clock_ ? machine_clock.of_own_clock() : machine_clock;
    Step step;
    step.bound = clock.before(kStoreBufferTicks);
    bool ended = program_->ended.load(std::memory_order_acquire);  // pairs with Peer's release: nothing is written any more
    find_rings();
    if (std::exchange(is_new_, false)) report_absence(clock);
    std::erase_if(feeds_, [&](const std::unique_ptr<Feed>& feed) { return !drain_feed(*feed, clock, ended, step); });
    if (rings_wanted_ && program_->tell_controls) program_->tell_controls();
    rings_wanted_ = false;
    const bool is_due = ended || ++steps_ % kStepsBetweenLossChecks == 0;
    const std::uint64_t lost = program_->view.lost_without_ring();
    if (is_due || lost != seen_lost_without_ring_) book_lost_without_ring(clock);
    seen_lost_without_ring_ = lost;
    if (is_due) book_filtered();
    step.finished = ended && feeds_.empty();
    if (own_clock_) limit_own_clock(step.finished);
    return step;
}

}  // namespace sla::drain
