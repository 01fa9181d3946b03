#include "agent/publish/recording.h"

#include "agent/retain/missed_frame.h"
#include "proto/base/size.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace sla::publish {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 20;
constexpr auto kFlushEvery = std::chrono::milliseconds(500);  // who follows live waits no longer
constexpr auto kTryEvery = std::chrono::seconds(1);
constexpr auto kWait = std::chrono::milliseconds(250);  // a thread that is woken costs some 50 us
constexpr auto kWaitForSpace = std::chrono::milliseconds(100);

std::string mebibytes(std::uint64_t bytes) {
    return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / static_cast<double>(std::uint64_t{1} << 20));
}

}  // namespace

Recording::Recording(Spool& spool, const std::string& capture, retain::Retention& retention, Calls calls)
    : spool_(spool), retention_(retention), calls_(std::move(calls)), writer_(spool, capture) {
    cursor_.is_recorder = true;
}

Recording::~Recording() {
    join();
}

void Recording::start() {
    thread_ = std::thread([this] { run(); });
}

void Recording::join(std::chrono::milliseconds wait_for_space) {
    if (!thread_.joinable()) return;
    wait_for_space_ = wait_for_space;
    is_ending_.store(true, std::memory_order_release);  // pairs with the acquire in run; seen within one wait of it
    thread_.join();
}

Recording::State Recording::state() {
    std::lock_guard lock(mutex_);
    return state_;
}

// One read may bring so much, and the pieces' ends a little.
bool Recording::fits() const {
    const std::uint64_t read = std::min<std::uint64_t>(kReadBytes, spool_.limit() / 8);
    return spool_.bytes() + read + read / 2 <= spool_.limit();
}

// Somebody may have made room.
bool Recording::has_space(Time now) {
    if (fits()) return true;
    if (now < next_look_) return false;
    next_look_ = now + kTryEvery;
    spool_.look_for_removed();
    return fits();
}

void Recording::run() {
    Time last_flush = std::chrono::steady_clock::now();
    while (!is_at_end_) {
        const Time now = std::chrono::steady_clock::now();
        const bool is_ending = is_ending_.load(std::memory_order_acquire);  // pairs with join; before it reads
        bool has_read_all = false;
        if (!writer_.works()) try_to_mend(now);
        while (writer_.works() && !is_at_end_ && !has_read_all && has_space(now)) has_read_all = !read_some(now);
        if (is_ending && has_read_all) is_at_end_ = true;  // also without a last word
        if (writer_.works() && now - last_flush >= kFlushEvery) {
            (void)writer_.flush(now);  // what went wrong is kept
            last_flush = now;
        }
        report_space(has_space(now));
        report_removal();
        publish_state(false);
        if (!is_at_end_ && is_over(now)) drop_rest();
        if (!is_at_end_) retention_.wait_for_much(wait_after(last_flush));
    }
    finish_writing();
    publish_state(true);
}

// Until there is something to do, whatever comes: the next flush, or another look for space.
std::chrono::milliseconds Recording::wait_after(Time last_flush) const {
    if (is_full_ || !writer_.works()) return kWaitForSpace;
    const auto left = last_flush + kFlushEvery - std::chrono::steady_clock::now();
    return std::clamp(std::chrono::ceil<std::chrono::milliseconds>(left), std::chrono::milliseconds(1), kWait);
}

bool Recording::is_over(Time now) {
    if (is_ending_.load(std::memory_order_acquire)) end_ = end_.value_or(now + wait_for_space_);  // pairs with join
    return end_ && now >= *end_;
}

// The last piece's end, which the next agent adds where the disk takes nothing more. Events that are in no file then are gone.
void Recording::finish_writing() {
    for (;;) {
        const Time now = std::chrono::steady_clock::now();
        const bool is_last_try = is_over(now);
        if (is_last_try) {
            (void)writer_.mend(now);
        } else if (!writer_.works()) {
            try_to_mend(now);
        }
        if (writer_.works() && writer_.finish()) return;
        if (is_last_try) break;
        publish_state(false);
        std::this_thread::sleep_for(kWaitForSpace);
    }
    const SpoolWriter::Unwritten unwritten = writer_.unwritten();
    dropped_at_end_ += unwritten.events - std::min(unwritten.events, unwritten.missed);
    next_.lost_at_end = unwritten.events;
    calls_.say(fmt::format("the spool {} could not be finished: {}; {} events are not in it, and counted as dropped",
                           spool_.folder(), writer_.problem(), unwritten.events));
}

// True: there may be more.
bool Recording::read_some(Time now) {
    std::vector<retain::Delivery> deliveries;
    cursor_.own_bytes = writer_.memory() + calls_.memory();
    const std::size_t most = static_cast<std::size_t>(std::min<std::uint64_t>(kReadBytes, spool_.limit() / 8));
    is_at_end_ = !retention_.read(cursor_, most, deliveries);
    for (const retain::Delivery& delivery : deliveries) {
        look_at(delivery);
        (void)writer_.add(delivery, now);  // kept when it fails
    }
    return !deliveries.empty() && !is_at_end_;
}

// What the registry says of the clock.
void Recording::look_at(const retain::Delivery& delivery) {
    if (delivery.facts.rows > 0) return;
    wire::Frame frame;
    if (!wire::parse_message(delivery.message(), frame)) return;
    if (frame.has_clock() && frame.clock().domain() == 0) {
        const wire::Clock& clock = frame.clock();
        next_.clock = {clock.tick(), clock.monotonic_raw_ns(), clock.realtime_ns(), clock.error_ticks()};
    }
    if (!frame.has_status()) return;
    next_.ticks_per_second = frame.status().ticks_per_second();
    next_.clock_health = frame.status().clock_health().text();
}

void Recording::try_to_mend(Time now) {
    if (now < next_try_) return;
    next_try_ = now + kTryEvery;
    const std::string problem = writer_.problem();
    if (writer_.mend(now)) {
        if (!std::exchange(reported_, {}).empty()) calls_.say("the spool " + spool_.folder() + " can be written again");
        return;
    }
    if (!reported_.empty()) return;
    reported_ = problem;
    calls_.say("the spool cannot be written: " + problem +
               ". Events wait in the agent's memory; what must go from there is counted, and missing in the fleet. It is "
               "tried again "
               "every second");
}

// Said again once there was much space in between: at its limit a spool is full and not full by turns.
void Recording::report_space(bool has_some) {
    is_full_ = !has_some;
    if (spool_.bytes() < spool_.limit() / 4 * 3) has_said_full_ = false;
    if (!is_full_ || !writer_.works() || std::exchange(has_said_full_, true)) return;
    calls_.say(
        fmt::format("the spool {} is full ({} of {}): events wait in the agent's memory; what must go from there is "
                    "counted, and missing in the fleet. More room: --spool",
                    spool_.folder(), mebibytes(spool_.bytes()), mebibytes(spool_.limit())));
}

void Recording::report_removal() {
    if (std::exchange(made_again_, spool_.times_made_again()) == spool_.times_made_again()) return;
    calls_.say("the spool " + spool_.folder() +
               " was removed while this agent uses it, and is made again: what was in it and not sent yet is missing in the "
               "fleet, and counted as dropped");
}

// The agent ends, and neither spool nor disk took what was left: how much it was stands in the last piece, channel by channel.
void Recording::drop_rest() {
    struct Dropped {
        std::uint64_t index = 0;
        retain::Missed missed;
    };
    std::map<std::uint32_t, Dropped> channels;
    std::vector<retain::Delivery> deliveries;
    for (bool more = true; more;) {
        deliveries.clear();
        more = retention_.read(cursor_, kReadBytes, deliveries) && !deliveries.empty();
        for (const retain::Delivery& delivery : deliveries) {
            const retain::BatchFacts& facts = delivery.facts;
            if (facts.rows == 0) {
                (void)writer_.add(delivery, std::chrono::steady_clock::now());
                continue;
            }
            auto [at, is_new] = channels.try_emplace(facts.channel.value);
            Dropped& dropped = at->second;
            if (is_new) {
                dropped.index = facts.first_index;
                dropped.missed = {wire::LossCause::kLagged, facts.first_tick, 0, 0};
            }
            dropped.missed.until_tick = std::max(dropped.missed.until_tick, facts.reach());
            dropped.missed.events += facts.offered;
            if (!retain::is_missed_frame(delivery)) dropped_at_end_ += facts.offered;
        }
    }
    for (const auto& [id, dropped] : channels) {
        const retain::Missed& missed = dropped.missed;
        retain::Delivery gap;
        gap.frame = std::make_shared<const std::string>(retain::missed_frame(ChannelId{id}, dropped.index, {&missed, 1}));
        gap.facts = {ChannelId{id}, dropped.index, missed.tick, missed.tick, 1, missed.events, missed.until_tick};
        (void)writer_.add(gap, std::chrono::steady_clock::now());
    }
    is_at_end_ = true;
}

void Recording::publish_state(bool has_ended) {
    const capture::CaptureWriter::Written written = writer_.written();
    next_.pieces = writer_.readable_pieces();
    next_.has_ended = has_ended;
    next_.events = written.events;
    next_.dropped = cursor_.lagged + cursor_.not_kept + dropped_at_end_;
    next_.problem = !writer_.works() ? writer_.problem() : is_full_ ? "the spool is full" : "";
    const bool has_news = next_.events != state_.events || next_.pieces != state_.pieces || has_ended;
    {
        std::lock_guard lock(mutex_);
        state_ = next_;
    }
    if (has_news) calls_.wake();
}

}  // namespace sla::publish
