#include "proto/fleet/registry.h"

#include "proto/fleet/names.h"
#include "proto/wire/utf8.h"

#include <nlohmann/json.hpp>

#include <type_traits>
#include <utility>

namespace sla::fleet {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxEntry = std::size_t{64} << 10;
constexpr std::size_t kMaxText = 1024;  // what is longer, as a problem that names two paths, is cut

// Reads what is there and has the right type; what is missing stays as it was, so that entries may grow.
class Reader {
public:
    explicit Reader(const json& object) : object_(object) {}

    template <typename Number>
    void number(const char* name, Number& out) {
        const auto at = object_.find(name);
        if (at == object_.end()) return;
        if constexpr (std::is_floating_point_v<Number>) {
            is_good_ = is_good_ && at->is_number();
            if (is_good_) out = at->template get<Number>();
        } else if constexpr (std::is_signed_v<Number>) {
            is_good_ = is_good_ && at->is_number_integer() &&
                       (!at->is_number_unsigned() || std::in_range<Number>(at->template get<std::uint64_t>()));
            if (is_good_) out = at->template get<Number>();
        } else {
            is_good_ = is_good_ && at->is_number_unsigned() && std::in_range<Number>(at->template get<std::uint64_t>());
            if (is_good_) out = at->template get<Number>();
        }
    }
    void text(const char* name, std::string& out) {
        const auto at = object_.find(name);
        if (at == object_.end()) return;
        is_good_ = is_good_ && at->is_string();
        if (is_good_) out = wire::to_utf8(at->get_ref<const std::string&>(), kMaxText);
    }
    void token(const char* name, std::string& out) {
        text(name, out);
        is_good_ = is_good_ && is_token(out);
    }
    void flag(const char* name, bool& out) {
        const auto at = object_.find(name);
        if (at == object_.end()) return;
        is_good_ = is_good_ && at->is_boolean();
        if (is_good_) out = at->get<bool>();
    }
    [[nodiscard]] bool is_good() const { return is_good_; }

private:
    const json& object_;
    bool is_good_ = true;
};

class Writer {
public:
    template <typename Number>
    void number(const char* name, const Number& value) {
        object_[name] = value;
    }
    void text(const char* name, const std::string& value) { object_[name] = wire::to_utf8(value, kMaxText); }
    void token(const char* name, const std::string& value) { text(name, value); }
    void flag(const char* name, bool value) { object_[name] = value; }
    void object(const char* name, Writer& inner) { object_[name] = std::move(inner.object_); }
    [[nodiscard]] std::string take() { return object_.dump(); }

private:
    json object_ = json::object();
};

// The fields of each entry, for the one that reads them and the one that writes them.
template <typename Settings, typename Visitor>
void visit_settings(Settings& settings, Visitor& to) {
    to.number("shards", settings.shards);
    to.number("replicas", settings.replicas);
    to.number("age_ns", settings.age_ns);
    to.number("bytes", settings.bytes);
}

template <typename Clock, typename Visitor>
void visit_clock(Clock& clock, Visitor& to) {
    to.number("tick", clock.tick);
    to.number("monotonic_raw_ns", clock.monotonic_raw_ns);
    to.number("realtime_ns", clock.realtime_ns);
    to.number("error_ticks", clock.error_ticks);
}

template <typename Run, typename Visitor>
void visit_run(Run& run, Visitor& to) {
    to.token("host", run.host);
    to.token("capture", run.capture);
    to.token("boot", run.boot);
    to.number("shard", run.shard);
    to.text("agent", run.agent);
    to.number("pid", run.pid);
    to.number("started_ns", run.started_ns);
    to.number("seen_ns", run.seen_ns);
    to.number("ended_ns", run.ended_ns);
    to.number("ticks_per_second", run.ticks_per_second);
    to.text("clock_health", run.clock_health);
    to.number("produced", run.produced);
    to.number("published", run.published);
    to.number("dropped", run.dropped);
    to.number("lost_at_end", run.lost_at_end);
    to.number("left", run.left);
    to.number("pieces", run.pieces);
    to.number("spool_bytes", run.spool_bytes);
    to.number("spool_limit", run.spool_limit);
    to.text("problem", run.problem);
}

template <typename Shot, typename Visitor>
void visit_shot(Shot& shot, Visitor& to) {
    to.token("shot", shot.shot);
    to.token("host", shot.host);
    to.token("capture", shot.capture);
    to.token("fired_on", shot.fired_on);
    to.text("trigger", shot.trigger);
    to.number("number", shot.number);
    to.text("what", shot.what);
    to.number("tick", shot.tick);
    to.number("error_ns", shot.error_ns);
    to.flag("bounded", shot.is_bounded);
    to.text("placed_by", shot.placed_by);
    to.number("begin_tick", shot.begin_tick);
    to.number("end_tick", shot.end_tick);
    to.number("utc_ns", shot.utc_ns);
    to.text("state", shot.state);
    to.text("problem", shot.problem);
}

json parse_object(std::string_view text) {
    if (text.size() > kMaxEntry) return {};
    json object = json::parse(text, nullptr, false);
    return object.is_object() ? object : json();
}

}  // namespace

std::string FleetSettings::json() const {
    Writer writer;
    visit_settings(*this, writer);
    return writer.take();
}

Result<FleetSettings> parse_settings(std::string_view text) {
    const json object = parse_object(text);
    FleetSettings settings;
    Reader reader(object);
    visit_settings(settings, reader);
    const bool makes_sense =
        reader.is_good() && settings.shards > 0 && settings.shards <= kMaxShards && settings.age_ns >= 0;
    if (object.is_null() || !makes_sense)
        return damaged("the fleet's settings cannot be read: set it up again (sla fleet setup)");
    return settings;
}

std::string RunEntry::json() const {
    Writer writer;
    Writer of_clock;
    visit_run(*this, writer);
    visit_clock(clock, of_clock);
    writer.object("clock", of_clock);
    return writer.take();
}

Result<RunEntry> parse_run(std::string_view text) {
    const json object = parse_object(text);
    RunEntry run;
    Reader reader(object);
    visit_run(run, reader);
    bool is_good = !object.is_null() && reader.is_good() && run.shard < kMaxShards;
    if (const auto clock = object.find("clock"); is_good && clock != object.end() && clock->is_object()) {
        Reader of_clock(*clock);
        visit_clock(run.clock, of_clock);
        is_good = of_clock.is_good();
    }
    if (!is_good) return damaged("an entry of the fleet's registry cannot be read");
    return run;
}

bool ran_beside(const RunEntry& other, const RunEntry& later) {
    constexpr std::int64_t kGraceNs = 10'000'000'000;  // the wall clock was set; an agent that takes its time to end
    const std::int64_t until = other.ended_ns != 0 ? other.ended_ns : other.seen_ns;
    return other.host == later.host && other.capture != later.capture && until > later.started_ns + kGraceNs;
}

std::vector<std::string> twins_in(const std::vector<RunEntry>& runs) {
    std::vector<std::string> sentences;
    for (std::size_t i = 0; i < runs.size();) {
        std::size_t end = i;
        while (end < runs.size() && runs[end].host == runs[i].host) ++end;
        const RunEntry& newest = runs[end - 1];
        for (; i < end; ++i) {
            if (!ran_beside(runs[i], newest)) continue;
            sentences.push_back("by their clocks two agents go by the name '" + newest.host + "' at once (captures " +
                                runs[i].capture + " and " + newest.capture +
                                "): who reads that host gets the newest alone. Give each a name of its own by --host");
            break;
        }
        i = end;
    }
    return sentences;
}

std::string ShotEntry::json() const {
    Writer writer;
    visit_shot(*this, writer);
    return writer.take();
}

Result<ShotEntry> parse_shot_entry(std::string_view text) {
    const json object = parse_object(text);
    ShotEntry entry;
    Reader reader(object);
    visit_shot(entry, reader);
    const bool makes_sense = entry.begin_tick <= entry.tick && entry.tick <= entry.end_tick && entry.error_ns >= 0;
    if (object.is_null() || !reader.is_good() || !makes_sense)
        return damaged("an entry of the fleet's shots cannot be read");
    return entry;
}

}  // namespace sla::fleet
