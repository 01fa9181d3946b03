#include "agent/drain/program_drain.h"

#include <algorithm>
#include <utility>

namespace sla::drain {
namespace {

constexpr std::uint32_t kStepsBetweenLossChecks = 64;  // what leaves no slot and no trace: looking touches many pages
constexpr std::uint32_t kStepsBetweenRounds = 512;     // for rings of a program that does not say that it has opened one
constexpr std::uint32_t kStepsBetweenEndChecks = 16;   // of a ring with nothing in it: it costs another line of its header
constexpr std::size_t kFetchedAhead = 8;               // headers of rings

}  // namespace

ProgramDrain::ProgramDrain(std::shared_ptr<source::Program> program, Resolver& resolver)
    : program_(std::move(program)),
      resolver_(resolver),
      damage_(resolver),
      search_(program_->view, damage_),
      steps_(static_cast<std::uint32_t>(program_->segment_id % kStepsBetweenRounds)),
      own_clock_(program_->view.stamp_clock() == SLA_STAMP_OWN) {}

const ring::ChannelDescription& ProgramDrain::description(std::uint32_t index) {
    if (descriptions_.size() <= index) descriptions_.resize(index + 1);
    auto& description = descriptions_[index];
    if (!description) description = std::make_unique<ring::ChannelDescription>(program_->view.channel(index));
    return *description;
}

DrainedChannel& ProgramDrain::channel_at(std::uint32_t index) {
    if (channels_.size() <= index) channels_.resize(index + 1);
    DrainedChannel*& channel = channels_[index];
    if (!channel) channel = &resolver_.channel(description(index));
    return *channel;
}

void ProgramDrain::start_feed(RingSearch::Found found) {
    const ring::RingDescription& ring = found.reader.description();
    rings_wanted_ |= ring.follows;  // the program has one less in stock
    DrainedChannel& channel = channel_at(ring.channel);
    auto run = std::make_shared<Run>(resolver_.thread(ring.thread, ring.thread_name).value);
    channel.runs.push_back(run);
    looks_.push_back({found.reader.quiet()});
    feeds_.push_back(
        std::make_unique<Feed>(Feed{RingFeed(std::move(found.reader), chunk_), found.number, std::move(run), &channel}));
    catches_up_ = true;
}

// One piece. What a ring that is new to us held when it came must not be late though the watermark may be ahead of it: its
// channel waits for it. A ring that took another's place is no such case when we read that other one: the watermark waited
// for it.
Result<void> ProgramDrain::take(Feed& feed, const StepClock& clock, Step& step) {
    const ring::RingDescription& ring = feed.ring.reader().description();
    if (std::exchange(feed.is_new, false)) {
        const bool goes_on = ring.follows && feed.channel->closed > 0;
        feed.to_catch_up = goes_on ? 0 : ring.capacity;
        step.looked_at += ring::SegmentView::kMappedAround;
    }
    feed.channel->wake();
    Result<std::size_t> taken =
        feed.ring.drain(clock, feed.channel->closed, *feed.run, feed.channel->ledger, share_.piece(), share_.until());
    if (!taken) return taken.error();
    step.taken += *taken;
    share_.take(*taken);
    step.busy_rings += *taken > 0 ? 1 : 0;
    step.more |= feed.ring.has_more();
    feed.to_catch_up = feed.ring.has_more() ? feed.to_catch_up - std::min(feed.to_catch_up, *taken) : 0;
    rings_wanted_ |= feed.ring.ask_for_space(clock.now(), *taken);
    return {};
}

// What is still to come of rings that are being caught up is not older than the newest event read of each.
void ProgramDrain::limit_catching_up() {
    for (DrainedChannel* channel : std::exchange(catching_up_, {})) channel->catch_up_limit.reset();
    if (!std::exchange(catches_up_, false)) return;
    for (const auto& feed : feeds_) {
        if (feed->to_catch_up == 0) continue;
        catches_up_ = true;
        const std::uint64_t newest = feed->ring.newest();
        std::optional<std::uint64_t>& limit = feed->channel->catch_up_limit;
        limit = std::min(limit.value_or(SLA_TICK_MASK), newest - std::min<std::uint64_t>(newest, 1));
        catching_up_.push_back(feed->channel);
    }
}

// False when the feed is done with: its ring was given back, or is broken.
bool ProgramDrain::drain_feed(Feed& feed, const StepClock& clock, bool ended, Step& step) {
    bool closed = ended || feed.ring.reader().is_closed();  // before the reading: then everything is there to read
    Result<void> taken = take(feed, clock, step);
    if (!taken) {
        damage_.note("a ring of channel " + description(feed.ring.reader().description().channel).name +
                     " is left alone: " + taken.error().message);
        resolver_.release_thread({feed.run->thread()});
        return false;
    }
    if (closed && feed.ring.reader().is_empty()) {
        feed.channel->ledger.filtered += feed.ring.reader().account_filtered();
        resolver_.release_thread({feed.run->thread()});
        if (ended) return false;  // nobody will take it
        feed.ring.reader().give_back();
        search_.put_back(feed.number, std::move(feed.ring.reader()));
        return false;
    }
    if (!own_clock_) step.bound = std::min(step.bound, feed.ring.bound());
    step.is_left |= ended && feed.ring.has_more();
    return true;
}

// True: little is in it, and it is left there. How full it is says how fast it fills: what is new since it was last looked at.
bool ProgramDrain::leave(Look& look, Step& step) const {
    const std::uint64_t waiting = look.ring.waiting();
    if (!share_.leaves(waiting, look.capacity) || look.ring.has_dropped()) return false;
    const auto fresh = static_cast<double>(waiting - std::min<std::uint64_t>(look.left, waiting));
    step.fullness = std::max(step.fullness, fresh / look.capacity);
    step.bound = std::min(step.bound, share_.watermark());
    step.busy_rings++;
    step.left_rings++;
    if (look.left != waiting) look.left = static_cast<std::uint32_t>(waiting);
    return true;
}

// One after the other; of those with nothing new no more is looked at than that.
void ProgramDrain::drain_feeds(const StepClock& clock, bool ended, Step& step) {
    const std::uint64_t quiet_bound = clock.before(kStoreBufferTicks);
    const bool is_any_quiet = !ended && !own_clock_;
    const auto looks_for_end = [this](std::size_t feed) { return (steps_ + feed) % kStepsBetweenEndChecks == 0; };
    step.rings = feeds_.size();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < feeds_.size(); i++) {
        const std::size_t ahead = i + kFetchedAhead;
        if (ahead < feeds_.size()) looks_[ahead].ring.prefetch(looks_for_end(ahead));
        const bool may_end =
            looks_for_end(i) && looks_[i].ring.is_closed();  // before the reading: then everything is there to read
        if (is_any_quiet && !may_end && looks_[i].ring.is_quiet()) {
            step.bound = std::min(step.bound, quiet_bound);
        } else if (is_any_quiet && !may_end && leave(looks_[i], step)) {
            // Nothing more of it.
        } else if (!own_clock_ && share_.is_ahead(feeds_[i]->run->size(), feeds_[i]->ring.bound())) {
            step.bound = std::min(step.bound, feeds_[i]->ring.bound());
            step.is_left = true;
            step.fullness = std::max(step.fullness, feeds_[i]->ring.fullness());
        } else if (drain_feed(*feeds_[i], clock, ended, step)) {
            const ring::RingReader& reader = feeds_[i]->ring.reader();
            const double left = static_cast<double>(looks_[i].left) / reader.description().capacity;
            step.fullness = std::max(step.fullness, feeds_[i]->ring.fullness() - left);
            looks_[i] = {reader.quiet(), feeds_[i]->to_catch_up == 0 ? reader.description().capacity : 0};
        } else {
            own_newest_of_gone_ = std::max(own_newest_of_gone_, feeds_[i]->ring.newest());
            continue;
        }
        if (kept != i) {
            feeds_[kept] = std::move(feeds_[i]);
            looks_[kept] = looks_[i];
        }
        kept++;
    }
    feeds_.erase(feeds_.begin() + static_cast<std::ptrdiff_t>(kept), feeds_.end());
    looks_.erase(looks_.begin() + static_cast<std::ptrdiff_t>(kept), looks_.end());
}

std::uint64_t ProgramDrain::bytes() const {
    constexpr std::uint64_t kAllocated = 16;  // what each allocation costs beside
    const std::uint64_t of_rings = feeds_.size() * (sizeof(Feed) + sizeof(Run) + sizeof(Look) + 2 * kAllocated) +
                                   search_.bytes() + chunk_->words.capacity() * sizeof(chunk_->words[0]);
    const std::uint64_t of_channels = descriptions_.capacity() * (sizeof(descriptions_[0]) + sizeof(void*)) +
                                      descriptions_.size() * (sizeof(ring::ChannelDescription) + kAllocated);
    return sizeof *this + of_rings + of_channels;
}

void ProgramDrain::close() {
    for (const auto& feed : feeds_) resolver_.release_thread({feed->run->thread()});
    feeds_.clear();
    looks_.clear();
    limit_catching_up();
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
    own_newest_ = std::max(own_newest_, own_newest_of_gone_);
    for (DrainedChannel* channel : channels_) {
        if (channel != nullptr) channel->own_limit = std::max(limit, channel->own_limit.value_or(0));
    }
    own_known_ = std::max(own_known_, finished ? own_newest_ : limit);
}

ProgramDrain::Step ProgramDrain::step(const StepClock& machine_clock, const StepShare& share) {
    const StepClock clock = own_clock_ ? machine_clock.of_own_clock() : machine_clock;
    share_ = share;
    Step step;
    step.bound = clock.before(kStoreBufferTicks);
    bool ended = program_->ended.load(std::memory_order_acquire);  // pairs with Peer's release: nothing is written any more
    if (ended) share_.end_at(SLA_TICK_MASK);                       // no next agent finds the rest
    if (own_clock_) share_.take_any_time();
    if (is_new_ && !ended && program_->view.is_attaching()) return step;
    const bool is_due = ended || ++steps_ % kStepsBetweenLossChecks == 0;
    for (RingSearch::Found& found : search_.look(ended || steps_ % kStepsBetweenRounds == 0, ended, step.bound))
        start_feed(std::move(found));
    step.bound = search_.bound();  // what is in rings that are still to be looked at may be older than what the others hold
    step.more = search_.has_more() || share_.are_many_waiting();
    if (std::exchange(is_new_, false)) report_absence(clock);
    const std::uint64_t mapped = program_->view.mapped_bytes();
    drain_feeds(clock, ended, step);
    step.looked_at += program_->view.mapped_bytes() - mapped;
    limit_catching_up();
    if (rings_wanted_ && program_->notify_controls) program_->notify_controls();
    rings_wanted_ = false;
    const std::uint64_t lost = program_->view.lost_without_ring();
    if (is_due || lost != seen_lost_without_ring_) account_lost_without_ring(clock);
    seen_lost_without_ring_ = lost;
    if (is_due) account_filtered();
    step.finished = ended && feeds_.empty() && search_.is_finished();
    if (own_clock_) limit_own_clock(step.finished);
    if (!damage_.is_beyond_repair()) return step;
    close();
    if (own_clock_) limit_own_clock(true);
    return {.taken = step.taken, .bound = clock.before(kStoreBufferTicks), .finished = true};
}

}  // namespace sla::drain
