// Which lane and thread an event of a trace event JSON belongs to, learned from its metadata.
#pragma once

#include "viewer/formats/chrome/chrome_event.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace sla::formats {

struct ChromeTrack {
    std::uint32_t channel = 0;
    std::uint32_t thread = 0;
    bool ours = false;  // described by `sla export`
};

class ChromeTracks {
public:
    explicit ChromeTracks(CaptureSink& sink) : sink_(sink) {}

    Result<void> metadata(const Json& event);
    [[nodiscard]] bool is_ours(const Json& event) const;
    Result<ChromeTrack> of(const Json& event);
    Result<ChromeTrack> of_counter(const Json& event, const std::string& series);

private:
    using Key = std::pair<std::string, std::string>;  // pid and tid, as they are written
    Result<ChromeTrack> of_thread(const Json& event, std::uint32_t thread);
    static Key key_of(const Json& event);
    std::uint32_t source_of(const std::string& pid);
    void name_source(const std::string& key, const std::string& name, std::uint32_t pid);
    void name_thread(const Key& key, const std::string& name);

    CaptureSink& sink_;
    std::map<std::string, std::uint32_t> sources_;  // by pid
    std::map<Key, std::string> thread_names_;
    std::map<Key, ChromeTrack> tracks_;
    // Of `sla export`: tracks of threads, whose events are named after their channels.
    std::map<Key, std::uint32_t> threads_;
    std::map<Key, std::uint32_t> channels_;  // by pid and name
};

}  // namespace sla::formats
