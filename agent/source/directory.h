// Who is who: the agent's ids for sources, channels and threads. The same program, name or thread keeps its id however often
// it is met. Owned by the draining thread.
#pragma once

#include "proto/base/strong_id.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace sla::source {

template <typename Id>
struct Known {
    Id id;
    bool is_new = false;  // met for the first time: to be announced
};

class Directory {
public:
    // A program is its segment: the inode of the memfd, which no two have at a time, and when the process was started. Pids
    // repeat between pid namespaces, and some are 0. (0, 0) is the agent itself.
    Known<SourceId> source(std::uint64_t segment_id, std::uint64_t start_time);
    Known<ChannelId> channel(SourceId source, const std::string& name);
    // A kernel thread id may come back with another name, after its first owner ended: that is another thread.
    Known<ThreadId> thread(SourceId source, std::uint32_t tid, const std::string& name);

private:
    template <typename Id, typename Key>
    static Known<Id> look_up(std::map<Key, Id>& known, Key key) {
        Id next{static_cast<std::uint32_t>(known.size() + 1)};  // ids start at 1; 0 means none
        auto [at, inserted] = known.emplace(std::move(key), next);
        return {at->second, inserted};
    }

    std::map<std::pair<std::uint64_t, std::uint64_t>, SourceId> sources_;
    std::map<std::pair<SourceId, std::string>, ChannelId> channels_;
    std::map<std::tuple<SourceId, std::uint32_t, std::string>, ThreadId> threads_;
};

}  // namespace sla::source
