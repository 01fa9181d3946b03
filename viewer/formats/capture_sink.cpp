#include "viewer/formats/capture_sink.h"

#include "viewer/formats/number_text.h"

#include "proto/base/random_id.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/utf8.h"
#include "proto/wire/version.h"

#include <algorithm>
#include <utility>

namespace sla::formats {

Result<void> set_kind(SinkEvent& event, std::string_view kind, bool has_value) {
    if (!has_value && (kind == "value" || kind == "level"))
        return damaged("a row of kind '" + std::string(kind) + "' has no value");
    if (kind == "tick") {
        event.code = has_value ? SLA_CODE_TICK_VALUE : SLA_CODE_TICK;
    } else if (kind == "begin") {
        event.code = has_value ? SLA_CODE_BEGIN_VALUE : SLA_CODE_BEGIN;
    } else if (kind == "end") {
        event.code = has_value ? SLA_CODE_END_VALUE : SLA_CODE_END;
    } else if (kind == "level") {
        event.code = SLA_CODE_LEVEL;
    } else if (kind == "text") {
        event.code = SLA_CODE_TEXT;
    } else if (kind == "gap") {
        event.code = SLA_CODE_GAP;
    } else if (kind != "value") {
        return damaged("'" + std::string(kind.substr(0, 40)) + "' is not a kind of event");
    }
    return {};
}

namespace {

constexpr std::size_t kMaxChannels = 65536;
constexpr std::size_t kMaxNames = std::size_t{1} << 20;
constexpr std::size_t kNameBytes = 1024;
constexpr std::size_t kCommandBytes = 4096;

}  // namespace

CaptureSink::CaptureSink(capture::CaptureWriter writer, std::string what)
    : writer_(std::move(writer)), what_(std::move(what)) {
    set_clock({});
}

Result<CaptureSink> CaptureSink::create(const std::string& path, const std::string& what) {
    auto writer = capture::CaptureWriter::create_hidden(path);
    if (!writer.ok()) return writer.error();
    return CaptureSink(std::move(writer).value(), what);
}

void CaptureSink::set_clock(const SinkClock& clock) {
    const std::uint64_t origin = begun_ ? clock_.origin_tick : std::min(clock.origin_tick, kLastTick);
    clock_ = clock;
    clock_.origin_tick = origin;
    map_ = time::ClockMap::fit(snapshots_of(clock_), origin);
    if (clock_.skew) map_.set_skew(*clock_.skew);
}

template <typename Frame>
Result<void> CaptureSink::append(const Frame& frame) {
    return writer_.append(frame.SerializeAsString());
}

std::uint32_t CaptureSink::source(std::string_view name, std::uint32_t pid) {
    const std::string known = wire::to_utf8(name, kNameBytes);
    const auto [at, fresh] = sources_.try_emplace({known, pid}, static_cast<std::uint32_t>(sources_.size() + 1));
    if (fresh) announce_source(at->second, known, pid);
    return at->second;
}

void CaptureSink::describe_sources(std::vector<SourceFacts> sources) {
    std::map<std::string, SourceFacts, std::less<>> described;
    for (SourceFacts& facts : sources) {
        if (facts_.size() + described.size() >= kMaxNames) break;
        const std::string name = wire::to_utf8(facts.name, kNameBytes);
        described.try_emplace(name, facts);
        described.insert_or_assign(name + "/" + std::to_string(facts.pid), std::move(facts));
    }
    for (auto& [key, facts] : facts_) {  // of parts before, which this one knows no more
        facts.ended = true;
        described.try_emplace(key, std::move(facts));
    }
    facts_ = std::move(described);
    for (const auto& [source, number] : sources_) {
        const SourceFacts* const facts = facts_of(source.first, source.second);
        const bool goes_on = facts != nullptr && !facts->ended;
        if (goes_on != living_.contains(number)) announce_source(number, source.first, source.second);
    }
}

void CaptureSink::add_damage(std::optional<std::int64_t> ps, std::string text) {
    constexpr std::size_t kMostDamages = 1000;
    if (damage_.size() < kMostDamages) damage_.emplace_back(ps, wire::to_utf8(text, kNameBytes));
}

const SourceFacts* CaptureSink::facts_of(const std::string& name, std::uint32_t pid) const {
    auto at = facts_.find(name + "/" + std::to_string(pid));
    if (at == facts_.end() && pid == 0) at = facts_.find(name);
    return at == facts_.end() ? nullptr : &at->second;
}

void CaptureSink::rename_source(std::uint32_t source, std::string_view name, std::uint32_t pid) {
    announce_source(source, wire::to_utf8(name, kNameBytes), pid);
}

void CaptureSink::announce_source(std::uint32_t source, const std::string& name, std::uint32_t pid) {
    wire::Frame frame;
    frame.mutable_source()->set_id(source);
    const SourceFacts* const facts = facts_of(name, pid);
    frame.mutable_source()->set_kind(facts == nullptr ? wire::SOURCE_PROGRAM
                                                      : static_cast<wire::SourceKind>(facts->kind));  // both count alike
    if (facts != nullptr) frame.mutable_source()->set_clock_domain(facts->clock_domain);
    if (frame.source().clock_domain() != 0) {
        with_own_time_.insert(source);
    } else {
        with_own_time_.erase(source);
    }
    if (facts != nullptr) frame.mutable_source()->set_section_ticks(facts->section_ticks);
    if (facts != nullptr) frame.mutable_source()->set_command(wire::to_utf8(facts->command, kCommandBytes));
    frame.mutable_source()->set_name(name);
    frame.mutable_source()->set_pid(pid == 0 && facts != nullptr ? facts->pid : pid);
    const bool ended = facts == nullptr || facts->ended;
    frame.mutable_source()->set_ended(ended);
    if (ended) {
        living_.erase(source);
    } else {
        living_.insert(source);
    }
    names_.push_back(frame.SerializeAsString());
}

std::uint32_t CaptureSink::thread(std::uint32_t source, std::string_view name, std::uint32_t tid) {
    const std::string known = wire::to_utf8(name, kNameBytes);
    const std::string key = std::to_string(source) + "/" + std::to_string(tid) + "/" + known;
    if (threads_.size() >= kMaxNames) return 0;  // unknown is better than wrong, and than all memory
    const auto [at, fresh] = threads_.try_emplace(key, static_cast<std::uint32_t>(threads_.size() + 1));
    if (fresh) announce_thread(at->second, source, known, tid);
    return at->second;
}

void CaptureSink::rename_thread(std::uint32_t thread, std::uint32_t source, std::string_view name, std::uint32_t tid) {
    if (thread != 0) announce_thread(thread, source, wire::to_utf8(name, kNameBytes), tid);
}

void CaptureSink::announce_thread(std::uint32_t thread, std::uint32_t source, const std::string& name, std::uint32_t tid) {
    wire::Frame frame;
    frame.mutable_thread()->set_id(thread);
    frame.mutable_thread()->set_source(source);
    frame.mutable_thread()->set_tid(tid);
    frame.mutable_thread()->set_name(name);
    names_.push_back(frame.SerializeAsString());
}

std::uint32_t CaptureSink::thread_of_text(std::uint32_t source, std::string_view text) {
    if (text.empty()) return 0;
    const std::size_t slash = text.rfind('/');
    const auto tid = read_number<std::uint32_t>(slash == std::string_view::npos ? text : text.substr(slash + 1));
    if (!tid) return thread(source, text, 0);
    return thread(source, slash == std::string_view::npos ? "" : text.substr(0, slash), *tid);
}

Result<std::uint32_t> CaptureSink::channel(std::uint32_t source, std::string_view name, std::string_view format) {
    std::string known = wire::to_utf8(name, kNameBytes);
    if (known.empty()) known = "unnamed";
    const std::string key = std::to_string(source) + "/" + known;
    const auto found = channels_.find(key);
    if (found != channels_.end()) return found->second;
    if (lanes_.size() >= kMaxChannels)
        return damaged("there are more than " + std::to_string(kMaxChannels) + " channels in it; import less at a time");
    const auto id = static_cast<std::uint32_t>(lanes_.size() + 1);
    channels_.emplace(key, id);
    lanes_.emplace_back().source = source;
    announce_channel(id, source, known, format);
    return id;
}

void CaptureSink::rename_channel(std::uint32_t channel, std::uint32_t source, std::string_view name) {
    lanes_.at(channel - 1).source = source;
    announce_channel(channel, source, wire::to_utf8(name, kNameBytes), "");
}

void CaptureSink::announce_channel(std::uint32_t channel, std::uint32_t source, const std::string& name,
                                   std::string_view format) {
    wire::Frame frame;
    frame.mutable_channel()->set_id(channel);
    frame.mutable_channel()->set_source(source);
    frame.mutable_channel()->set_name(name);
    frame.mutable_channel()->set_format(wire::to_utf8(format, kNameBytes));
    names_.push_back(frame.SerializeAsString());
}

Result<void> CaptureSink::add(std::uint32_t channel, const SinkEvent& event, std::optional<wire::RowExtra> extra) {
    if (event.tick > kLastTick)
        return damaged("a time lies too far from the others (tick " + std::to_string(event.tick) +
                       "); captures span 2^59 ticks");
    if (held_ >= kWindowEvents) {
        if (auto drained = drain(false); !drained.ok()) return drained;
    }
    if (event.tick < drained_to_)
        return damaged("the events are out of order by more than can be put right (" + std::to_string(kWindowEvents / 2) +
                       " events, or " + std::to_string(kHeldTextBytes / 2 >> 20) +
                       " MiB of their texts); sort them by time first");
    Lane& lane = lanes_.at(channel - 1);
    if (!lane.rows.empty() && event.is_before(lane.rows.back().event)) lane.sorted = false;
    Row& row = lane.rows.emplace_back(Row{event, std::nullopt});
    if (!wire::has_value(event.code)) row.event.value = 0;
    if (event.code == SLA_CODE_LEVEL) row.event.value = event.value != 0 ? 1 : 0;
    ++events_;
    ++held_;
    if (!extra) return {};
    held_ += extra->text.size() / (kHeldTextBytes / kWindowEvents);  // long texts fill the window too
    row.extra = extras_.size();
    extras_.push_back(std::move(*extra));
    return {};
}

Result<void> CaptureSink::put(std::uint32_t channel, const SinkEvent& event) {
    return add(channel, event, std::nullopt);
}

Result<void> CaptureSink::put(std::uint32_t channel, const SinkEvent& event, wire::RowExtra extra) {
    if (event.code != SLA_CODE_GAP) {
        extra.cause = wire::LossCause::kNone;
        extra.until_tick = 0;
    } else if (extra.until_tick < event.tick) {
        extra.until_tick = 0;
    }
    if (extra.text.size() > wire::kMaxTextBytes) extra.text.resize(wire::kMaxTextBytes);
    return add(channel, event, std::move(extra));
}

}  // namespace sla::formats
