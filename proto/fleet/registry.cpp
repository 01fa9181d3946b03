#include "proto/fleet/registry.h"

#include "proto/fleet/names.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <type_traits>

namespace sla::fleet {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxEntry = std::size_t{64} << 10;
constexpr std::size_t kMaxText = 1024;

// Reads what is there and has the right type; what is missing stays as it was, so that entries may grow.
class Fields {
public:
    explicit Fields(const json& object) : object_(object) {}

    template <typename Number>
    void number(const char* name, Number& out) {
        const auto at = object_.find(name);
        if (at == object_.end()) return;
        if constexpr (std::is_floating_point_v<Number>) {
            is_good_ = is_good_ && at->is_number();
            if (is_good_) out = at->template get<Number>();
        } else if constexpr (std::is_signed_v<Number>) {
            is_good_ = is_good_ && at->is_number_integer();
            if (is_good_) out = at->template get<Number>();
        } else {
            is_good_ = is_good_ && at->is_number_unsigned() &&
                       at->template get<std::uint64_t>() <= std::numeric_limits<Number>::max();
            if (is_good_) out = at->template get<Number>();
        }
    }
    void text(const char* name, std::string& out) {
        const auto at = object_.find(name);
        if (at == object_.end()) return;
        is_good_ = is_good_ && at->is_string() && at->get_ref<const std::string&>().size() <= kMaxText;
        if (is_good_) out = at->get<std::string>();
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

json parse_object(std::string_view text) {
    if (text.size() > kMaxEntry) return {};
    json object = json::parse(text, nullptr, false);
    return object.is_object() ? object : json();
}

}  // namespace

std::string FleetSettings::json() const {
    return nlohmann::json{{"shards", shards}, {"replicas", replicas}, {"age_ns", age_ns}, {"bytes", bytes}}.dump();
}

Result<FleetSettings> parse_settings(std::string_view text) {
    const json object = parse_object(text);
    FleetSettings settings;
    Fields fields(object);
    fields.number("shards", settings.shards);
    fields.number("replicas", settings.replicas);
    fields.number("age_ns", settings.age_ns);
    fields.number("bytes", settings.bytes);
    const bool makes_sense =
        fields.is_good() && settings.shards > 0 && settings.shards <= kMaxShards && settings.age_ns >= 0;
    if (object.is_null() || !makes_sense)
        return damaged("the fleet's settings cannot be read: set it up again (sla fleet setup)");
    return settings;
}

std::string RunEntry::json() const {
    const nlohmann::json object = {
        {"host", host},
        {"capture", capture},
        {"boot", boot},
        {"shard", shard},
        {"agent", agent},
        {"pid", pid},
        {"started_ns", started_ns},
        {"seen_ns", seen_ns},
        {"ended_ns", ended_ns},
        {"ticks_per_second", ticks_per_second},
        {"clock",
         {{"tick", clock.tick},
          {"monotonic_raw_ns", clock.monotonic_raw_ns},
          {"realtime_ns", clock.realtime_ns},
          {"error_ticks", clock.error_ticks}}},
        {"clock_health", clock_health},
        {"produced", produced},
        {"published", published},
        {"dropped", dropped},
        {"left", left},
        {"pieces", pieces},
        {"spool_bytes", spool_bytes},
        {"spool_limit", spool_limit},
        {"problem", problem},
    };
    return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<RunEntry> parse_run(std::string_view text) {
    const json object = parse_object(text);
    RunEntry run;
    Fields fields(object);
    fields.token("host", run.host);
    fields.token("capture", run.capture);
    fields.token("boot", run.boot);
    fields.number("shard", run.shard);
    fields.text("agent", run.agent);
    fields.number("pid", run.pid);
    fields.number("started_ns", run.started_ns);
    fields.number("seen_ns", run.seen_ns);
    fields.number("ended_ns", run.ended_ns);
    fields.number("ticks_per_second", run.ticks_per_second);
    fields.text("clock_health", run.clock_health);
    fields.number("produced", run.produced);
    fields.number("published", run.published);
    fields.number("dropped", run.dropped);
    fields.number("left", run.left);
    fields.number("pieces", run.pieces);
    fields.number("spool_bytes", run.spool_bytes);
    fields.number("spool_limit", run.spool_limit);
    fields.text("problem", run.problem);
    bool is_good = !object.is_null() && fields.is_good() && run.shard < kMaxShards;
    if (const auto clock = object.find("clock"); is_good && clock != object.end() && clock->is_object()) {
        Fields reading(*clock);
        reading.number("tick", run.clock.tick);
        reading.number("monotonic_raw_ns", run.clock.monotonic_raw_ns);
        reading.number("realtime_ns", run.clock.realtime_ns);
        reading.number("error_ticks", run.clock.error_ticks);
        is_good = reading.is_good();
    }
    if (!is_good) return damaged("an entry of the fleet's registry cannot be read");
    return run;
}

std::string ShotEntry::json() const {
    const nlohmann::json object = {
        {"shot", shot},         {"host", host},          {"capture", capture},     {"fired_on", fired_on},
        {"trigger", trigger},   {"number", number},      {"what", what},           {"tick", tick},
        {"error_ns", error_ns}, {"bounded", is_bounded}, {"placed_by", placed_by}, {"begin_tick", begin_tick},
        {"end_tick", end_tick}, {"utc_ns", utc_ns},      {"state", state},         {"problem", problem},
    };
    return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<ShotEntry> parse_shot_entry(std::string_view text) {
    const json object = parse_object(text);
    ShotEntry entry;
    Fields fields(object);
    fields.token("shot", entry.shot);
    fields.token("host", entry.host);
    fields.token("capture", entry.capture);
    fields.token("fired_on", entry.fired_on);
    fields.text("trigger", entry.trigger);
    fields.number("number", entry.number);
    fields.text("what", entry.what);
    fields.number("tick", entry.tick);
    fields.number("error_ns", entry.error_ns);
    fields.flag("bounded", entry.is_bounded);
    fields.text("placed_by", entry.placed_by);
    fields.number("begin_tick", entry.begin_tick);
    fields.number("end_tick", entry.end_tick);
    fields.number("utc_ns", entry.utc_ns);
    fields.text("state", entry.state);
    fields.text("problem", entry.problem);
    const bool makes_sense = entry.begin_tick <= entry.tick && entry.tick <= entry.end_tick && entry.error_ns >= 0;
    if (object.is_null() || !fields.is_good() || !makes_sense)
        return damaged("an entry of the fleet's shots cannot be read");
    return entry;
}

}  // namespace sla::fleet
