// Which lane and thread an event of a trace event JSON belongs to, learned from its metadata; and reading JSON that may be
// anything.
#pragma once

#include "viewer/exchange/capture_sink.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace sla::exchange {

// Null unless it is an object that has it.
const nlohmann::json* member(const nlohmann::json& object, const char* name);
// Empty, 0: not there, or not of that type.
std::string text_of(const nlohmann::json& object, const char* name);
std::uint64_t unsigned_of(const nlohmann::json& object, const char* name);

struct ChromeTrack {
    std::uint32_t channel = 0;
    std::uint32_t thread = 0;
    bool ours = false;  // described by `sla export`
};

class ChromeTracks {
public:
    explicit ChromeTracks(CaptureSink& sink) : sink_(sink) {}

    Result<void> metadata(const nlohmann::json& event);
    [[nodiscard]] bool is_ours(const nlohmann::json& event) const;
    Result<ChromeTrack> of(const nlohmann::json& event);
    Result<ChromeTrack> of_counter(const nlohmann::json& event, const std::string& series);

private:
    using Key = std::pair<std::string, std::string>;  // pid and tid, as they are written
    static Key key_of(const nlohmann::json& event);
    std::uint32_t source_of(const std::string& pid);

    CaptureSink& sink_;
    std::map<std::string, std::uint32_t> sources_;  // by pid
    std::map<Key, std::string> thread_names_;
    std::map<Key, ChromeTrack> tracks_;
};

}  // namespace sla::exchange
