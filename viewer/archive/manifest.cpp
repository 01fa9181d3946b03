#include "viewer/archive/manifest.h"

#include "proto/base/whole_file.h"
#include "viewer/formats/output.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <stdexcept>

namespace sla::archive {

namespace {

constexpr std::uint64_t kVersion = 1;

nlohmann::ordered_json json_of(const Part& part) {
    return {{"file", part.file},
            {"rows", part.rows},
            {"lost", part.lost},
            {"first_tick", part.first_tick},
            {"last_tick", part.last_tick},
            {"first_utc_ns", part.first_utc_ns},
            {"last_utc_ns", part.last_utc_ns},
            {"bytes", part.bytes}};
}

// A number with a fraction or beyond 64 bits is refused instead of bent into range.
std::uint64_t natural(const nlohmann::json& json, const char* name) {
    const nlohmann::json& number = json.at(name);
    if (number.is_number_unsigned()) return number.get<std::uint64_t>();
    throw std::out_of_range(std::string(name) + " is no whole number");
}

std::int64_t whole(const nlohmann::json& json, const char* name) {
    const nlohmann::json& number = json.at(name);
    const bool is_natural = number.is_number_unsigned();
    const bool is_near = is_natural ? number.get<std::uint64_t>() <= INT64_MAX : number.is_number_integer();
    if (is_near) return number.get<std::int64_t>();
    throw std::out_of_range(std::string(name) + " is no whole number of 64 bits");
}

Part part_of(const nlohmann::json& json) {
    Part part;
    part.file = json.at("file").get<std::string>();
    part.rows = natural(json, "rows");
    part.lost = natural(json, "lost");
    part.first_tick = natural(json, "first_tick");
    part.last_tick = natural(json, "last_tick");
    part.first_utc_ns = whole(json, "first_utc_ns");
    part.last_utc_ns = whole(json, "last_utc_ns");
    part.bytes = natural(json, "bytes");
    return part;
}

nlohmann::ordered_json json_of(const Taken& taken) {
    nlohmann::ordered_json next = nlohmann::ordered_json::object();
    for (const auto& [channel, ordinal] : taken.next) next[std::to_string(channel.value)] = ordinal;
    return {{"events", taken.events}, {"next", std::move(next)}};
}

Taken taken_of(const nlohmann::json& json) {
    Taken taken;
    taken.events = natural(json, "events");
    for (const auto& [name, ordinal] : json.at("next").items()) {
        ChannelId channel;
        const char* const end = name.data() + name.size();
        const auto [behind, problem] = std::from_chars(name.data(), end, channel.value);
        if (problem != std::errc() || behind != end) throw std::out_of_range("'next' names a channel that is no number");
        taken.next[channel] = natural(json.at("next"), name.c_str());
    }
    return taken;
}

// Parts one behind the other, the next one behind them.
bool is_in_order(const Manifest& manifest) {
    std::uint64_t at = 0;
    for (const Part& part : manifest.parts) {
        if (part.first_tick < at || part.last_tick < part.first_tick || part.rows == 0) return false;
        if (part.last_tick == UINT64_MAX) return false;
        at = part.last_tick + 1;
    }
    return manifest.until_tick >= at;
}

}  // namespace

std::uint64_t Manifest::rows() const {
    std::uint64_t rows = 0;
    for (const Part& part : parts) rows += part.rows;
    return rows;
}

std::uint64_t Manifest::lost() const {
    std::uint64_t lost = 0;
    for (const Part& part : parts) lost += part.lost;
    return lost;
}

std::string Manifest::json() const {
    nlohmann::ordered_json json = {
        {"version", kVersion}, {"host", host}, {"capture", capture}, {"until_tick", until_tick}, {"rows", rows()}};
    if (known_tick != 0) json["known_tick"] = known_tick;
    if (begin_tick != 0) json["begin_tick"] = begin_tick;
    for (const Damage& one : damage) json["damage"].push_back({{"tick", one.tick}, {"text", one.text}});
    json["parts"] = nlohmann::ordered_json::array();
    for (const Part& part : parts) json["parts"].push_back(json_of(part));
    if (taken) json["taken"] = json_of(*taken);
    return json.dump(1) + "\n";
}

Result<Manifest> parse_manifest(std::string_view text) {
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        if (natural(json, "version") != kVersion) return damaged("it is of another version of sla");
        Manifest manifest;
        manifest.host = json.at("host").get<std::string>();
        manifest.capture = json.at("capture").get<std::string>();
        manifest.until_tick = natural(json, "until_tick");
        if (json.contains("known_tick")) manifest.known_tick = natural(json, "known_tick");
        if (json.contains("begin_tick")) manifest.begin_tick = natural(json, "begin_tick");
        if (json.contains("damage")) {
            for (const nlohmann::json& one : json.at("damage"))
                manifest.damage.push_back({natural(one, "tick"), one.at("text").get<std::string>()});
        }
        for (const nlohmann::json& part : json.at("parts")) manifest.parts.push_back(part_of(part));
        if (json.contains("taken")) manifest.taken = taken_of(json.at("taken"));
        if (!is_in_order(manifest)) return damaged("its parts are not in order");
        return manifest;
    } catch (const nlohmann::json::exception& error) {
        return damaged(error.what());
    } catch (const std::out_of_range& error) {
        return damaged(error.what());
    }
}

Result<Manifest> read_manifest(const std::string& path) {
    const Result<std::optional<std::string>> text = read_file_if_there(path);
    if (!text.ok()) return text.error();
    if (!*text) return Manifest();
    auto manifest = parse_manifest(**text);
    if (!manifest.ok()) return damaged("'" + path + "' is no manifest of an archive: " + manifest.error().message);
    return manifest;
}

Result<void> write_manifest(const Manifest& manifest, const std::string& path) {
    auto output = formats::Output::open(path);
    if (!output.ok()) return output.error();
    return output->finish(manifest.json());
}

}  // namespace sla::archive
