// What exports call things.
#pragma once

#include "viewer/store/host_texts.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace sla::formats {

// "name/tid", or what there is of it.
std::string thread_text(const store::Session& session, std::uint32_t id);
// The name of the lane's source, of many hosts "name on host"; empty when it was never announced.
std::string source_text(const store::Session& session, const store::Lane& lane);
// The same with the process's number, "name/pid", where it has one.
std::string process_text(const store::Session& session, const store::Lane& lane);

// The name of a lane's source, with the process's number where another process of its host has the same name: what is written
// whole tells them apart. An archive keeps to source_text: a name would change on the way.
class SourceTexts {
public:
    // Must outlive this; its sources do not change meanwhile.
    explicit SourceTexts(const store::Session& session);
    [[nodiscard]] std::string of(const store::Lane& lane) const;
    // Another process has its name.
    [[nodiscard]] bool is_shared(const store::Lane& lane) const;

private:
    const store::Session& session_;
    store::SharedNames shared_;
};

// Names in what is followed, where nobody knows which programs are still to come: the first of a name has it alone, each other one
// of that name has its process's number behind it. What was called so once stays so.
class FollowedSourceTexts {
public:
    [[nodiscard]] const std::string& of(const store::Session& session, const store::Lane& lane);

private:
    std::map<std::string, std::string> names_;  // by process_text
    std::set<std::string> taken_;
};

using SourceNaming = std::function<std::string(const store::Lane&)>;

// Whether an event of the lane may have a text: marked with it, made of its numbers by the channel's format, or a loss's story.
bool may_have_text(const store::Lane& lane);
// The text that came with the event, of whatever kind, without what the channel's format makes of its details.
std::string own_text(const store::Lane& lane, std::uint64_t index);

// Tracks: one for every lane and thread that occur together, and for the rows of a thread's own spans
// (thread_tracks.h), numbered as they appear. Trace formats of other tools nest spans by track.
struct Track {
    std::uint32_t number = 0;  // from 1
    bool fresh = false;        // asked for the first time
};

class Tracks {
public:
    Track of(const store::Lane& lane, std::uint32_t thread) { return numbered({&lane, thread}); }
    Track of_thread(std::uint32_t thread, std::size_t row) {
        return numbered({nullptr, thread | static_cast<std::uint64_t>(row) << 32});
    }

private:
    using Key = std::pair<const store::Lane*, std::uint64_t>;
    Track numbered(const Key& key) {
        const auto [at, fresh] = numbers_.try_emplace(key, static_cast<std::uint32_t>(numbers_.size() + 1));
        return {at->second, fresh};
    }
    std::map<Key, std::uint32_t> numbers_;
};

}  // namespace sla::formats
