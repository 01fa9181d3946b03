#include "viewer/ingest/follow/fleet_following.h"

#include "viewer/store/names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace sla::ingest {
namespace {

constexpr std::chrono::seconds kAnswerTimeOfFollowed{2};  // it asks again anyway

FrameItem item_of(const wire::Frame& frame) {
    FrameItem item;
    item.message = frame;
    item.bytes = frame.ByteSizeLong();
    return item;
}

FrameItem damage_of(const std::string& text) {
    FrameItem item;
    item.what = FrameItem::What::kDamage;
    item.damage = text;
    item.bytes = text.size();
    return item;
}

// How long, in few words that stay: who reads them is told each time that they change.
std::string_view in_steps(std::chrono::steady_clock::duration silence) {
    using namespace std::chrono_literals;
    struct Step {
        std::chrono::seconds least;
        std::string_view words;
    };
    constexpr std::array<Step, 6> kSteps{
        {{24h, "a day"}, {1h, "an hour"}, {10min, "10 min"}, {1min, "1 min"}, {30s, "30 s"}, {10s, "10 s"}}};
    for (const Step& step : kSteps) {
        if (silence >= step.least) return step.words;
    }
    return "seconds";
}

}  // namespace

FleetFollowing::FleetFollowing(FollowOptions options, Time now)
    : parts_(std::move(options.parts)), runs_(std::move(options.runs)), silence_(options.silence) {
    for (std::size_t i = 0; i < options.hosts.size(); ++i) {
        FollowedHost& of = options.hosts[i];
        const MergedPart* const part = parts_ == nullptr ? nullptr : &parts_->parts()[i];
        fleet::FleetTail tail(of.messages, of.capture, of.tail);
        const std::uint64_t reached = part == nullptr ? of.complete_until : part->translation.tick(of.complete_until);
        const bool has_ended = of.run.ended_ns != 0;
        hosts_.push_back({std::move(of), part, std::move(tail), {}, reached, now, has_ended, has_ended, false});
    }
}

// How far the host is behind it.
std::uint64_t FleetFollowing::own_watermark(const Host& host, const fleet::FleetTail::Chunk& chunk) {
    std::uint64_t newest = host.reached;
    for (const std::string& bytes : chunk.frames) {
        wire::Frame frame;
        // Watermark is field 7, a length-delimited one: its tag is the first byte.
        const bool is_one =
            !bytes.empty() && static_cast<unsigned char>(bytes[0]) == (wire::Frame::kWatermarkFieldNumber << 3 | 2);
        if (!is_one || !frame.ParseFromString(bytes)) continue;
        const std::uint64_t tick = frame.watermark().tick();
        newest = std::max(newest, host.part == nullptr ? tick : host.part->translation.tick(tick));
    }
    return newest;
}

void FleetFollowing::take(Host& host, const fleet::FleetTail::Chunk& chunk, const Give& give) {
    if (!chunk.damage.empty()) give(damage_of(host.of.run.host + ": " + chunk.damage));
    for (const std::string& bytes : chunk.frames) {
        if (!capture::is_batch_frame(bytes) && host.names.is_known(bytes)) continue;
        FrameItem item = decode_frame(bytes);
        const bool is_message = item.what == FrameItem::What::kMessage;
        if (is_message && item.message.has_watermark()) continue;
        if (host.part != nullptr && is_message && !host.part->translate(item.message)) continue;
        if (host.part != nullptr && item.what == FrameItem::What::kBatch) host.part->translation.translate(item.batch);
        give(std::move(item));
    }
}

// All hosts of a stream at once, until each has a chunk or there is none: one after the other a thousand take a second.
void FleetFollowing::ask(Time now, const std::function<bool()>& goes_on) {
    std::map<const fleet::MessageStore*, std::vector<Host*>> by_stream;
    for (Host& host : hosts_) {
        if (is_asked(host) && host.tail.question(now)) by_stream[host.of.messages.get()].push_back(&host);
    }
    if (!by_stream.empty()) trouble_.clear();
    for (const auto& of_stream : by_stream) {
        const std::vector<Host*>& hosts = of_stream.second;
        std::vector<fleet::MessageQuestion> questions;
        for (const Host* host : hosts) questions.push_back(*host->tail.question(now));
        std::vector<int> looks(hosts.size());
        const auto more = [&](std::size_t i, Result<fleet::StoredMessage> answer) -> std::optional<fleet::MessageQuestion> {
            const Result<bool> taken = hosts[i]->tail.take(std::move(answer), now);
            if (!taken) trouble_ = taken.error().message;
            const bool is_enough = !taken || !*taken || ++looks[i] >= fleet::FleetTail::kMaxAtOnce;
            return is_enough ? std::nullopt : hosts[i]->tail.question(now);
        };
        if (!of_stream.first->ask_each(questions, more, kAnswerTimeOfFollowed, goes_on)) return;
    }
}

bool FleetFollowing::step(Host& host, Time now, const Give& give) {
    if (!is_asked(host)) return false;
    const std::optional<fleet::FleetTail::Chunk> chunk = host.tail.take_due(now);
    if (!chunk) {
        host.has_ended = host.says_end && host.tail.held() == 0;
        return false;
    }
    const bool was_silent = is_silent(host, now);
    host.last_seen = now;
    if (was_silent && host.reached < watermark_) {  // others went on without it
        host.is_held_back = true;
        return false;
    }
    take(host, *chunk, give);
    host.reached = own_watermark(host, *chunk);
    host.has_ended = chunk->ends_capture;
    return true;
}

void FleetFollowing::report_watermark(Time now, const Give& give) {
    std::uint64_t least = store::kNever;
    bool has_all_ended = true;
    for (const Host& host : hosts_) {
        has_all_ended = has_all_ended && host.has_ended;
        if (!host.has_ended && !host.is_held_back && !is_silent(host, now)) least = std::min(least, host.reached);
    }
    wire::Frame frame;
    if (least != store::kNever && least > watermark_) {
        watermark_ = least;
        frame.mutable_watermark()->set_tick(watermark_);
        give(item_of(frame));
    }
    if (!has_all_ended || std::exchange(has_ended_, true)) return;
    for (const Host& host : hosts_) watermark_ = std::max(watermark_, host.reached);
    frame.mutable_end()->set_tick(watermark_);
    frame.mutable_end()->set_reason(hosts_.size() == 1 ? "the capture ends here" : "the captures of all hosts end here");
    give(item_of(frame));
}

bool FleetFollowing::step(Time now, const Give& give, const std::function<bool()>& goes_on) {
    ask(now, goes_on);
    bool is_more = false;
    for (Host& host : hosts_) is_more = step(host, now, give) || is_more;
    report_watermark(now, give);
    return is_more;
}

void FleetFollowing::look(Time now) {
    const Result<std::vector<fleet::RunEntry>> runs = runs_();
    if (!runs) {
        trouble_ = runs.error().message;
        return;
    }
    has_others_ = false;
    for (const fleet::RunEntry& run : *runs) {
        const auto at = std::find_if(hosts_.begin(), hosts_.end(), [&](const Host& host) {
            return host.of.run.host == run.host && host.of.run.capture == run.capture;
        });
        if (at == hosts_.end()) {
            has_others_ = has_others_ || run.published > 0;
            continue;
        }
        if (run.seen_ns != at->of.run.seen_ns) at->last_seen = now;
        at->of.run = run;
        at->says_end = run.ended_ns != 0 && run.left == 0;
    }
}

FollowReport FleetFollowing::report(Time now) const {
    FollowReport report;
    std::vector<std::string> words;
    report.wants_reopening = has_others_;
    for (const Host& host : hosts_) {
        const std::string& name = host.of.run.host;
        report.wants_reopening = report.wants_reopening || host.is_held_back;
        if (host.has_ended) {
            ++report.ended;
            words.push_back(name + " has ended");
        } else if (is_silent(host, now)) {
            ++report.silent;
            words.push_back(
                fmt::format("nothing has been heard of {} for {} or more", name, in_steps(now - host.last_seen)));
        } else {
            ++report.live;
        }
    }
    constexpr std::size_t kShown = 5;
    const std::size_t more = words.size() - std::min(words.size(), kShown);
    words.resize(words.size() - more);
    report.message = fmt::format("{}", fmt::join(words, ", "));
    if (more > 0) report.message += fmt::format(" and {} more", more);
    if (!trouble_.empty()) report.message = trouble_ + (words.empty() ? "" : "; " + report.message);
    return report;
}

}  // namespace sla::ingest
