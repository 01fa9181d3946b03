// Who is who: the agent's ids for sources, channels and threads. The same program, name or thread keeps its id however often
// it is met, until its source is forgotten. An id is never given twice, but for those of a source that was forgotten more
// than four thousand million ids ago. Owned by the draining thread.
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
    [[nodiscard]] bool knows(SourceId source, const std::string& name) const {
        return channels_.known.contains({source, name});
    }
    // A kernel thread id may come back with another name, after its first owner ended: that is another thread.
    Known<ThreadId> thread(SourceId source, std::uint32_t tid, const std::string& name);
    void forget_thread(SourceId source, std::uint32_t tid, const std::string& name) {
        threads_.known.erase({source, tid, name});
    }
    // Its channels and threads with it. If it comes again, it is another one.
    void forget(SourceId source);

    [[nodiscard]] std::size_t source_count() const { return sources_.known.size(); }  // for tests
    [[nodiscard]] std::size_t channel_count() const { return channels_.known.size(); }
    [[nodiscard]] std::size_t thread_count() const { return threads_.known.size(); }  // for tests

    // The ids that are given next, as after a very long life.
    explicit Directory(std::uint32_t next_id = 1) : sources_{{}, next_id}, channels_{{}, next_id}, threads_{{}, next_id} {}

private:
    template <typename Key, typename Id>
    struct Names {
        std::map<Key, Id> known;
        std::uint32_t next = 1;  // 0 means none
        bool begins_again = false;

        Known<Id> look_up(Key key);
        Id free_id();
    };

    Names<std::pair<std::uint64_t, std::uint64_t>, SourceId> sources_;
    Names<std::pair<SourceId, std::string>, ChannelId> channels_;
    Names<std::tuple<SourceId, std::uint32_t, std::string>, ThreadId> threads_;
    std::map<SourceId, std::pair<std::uint64_t, std::uint64_t>> keys_;  // of sources
};

}  // namespace sla::source
