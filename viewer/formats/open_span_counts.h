// OpenSpanCounts: how many spans of one lane are open, by the rules of the store's span table: an end closes one of its thread, a
// loss all of its thread (thread 0: of all), for their ends may be among what was lost. Memory: one entry a thread that has some.
#pragma once

#include <cstdint>
#include <unordered_map>

namespace sla::formats {

class OpenSpanCounts {
public:
    void begin(std::uint32_t thread) {
        ++open_[thread];
        ++all_;
    }
    void end(std::uint32_t thread) {
        const auto at = open_.find(thread);
        if (at == open_.end()) return;
        --all_;
        if (--at->second == 0) open_.erase(at);
    }
    void lose(std::uint32_t thread) {
        if (thread == 0) {
            open_.clear();
            all_ = 0;
        } else if (const auto at = open_.find(thread); at != open_.end()) {
            all_ -= at->second;
            open_.erase(at);
        }
    }
    [[nodiscard]] std::uint64_t all() const { return all_; }

private:
    std::unordered_map<std::uint32_t, std::uint64_t> open_;  // by thread
    std::uint64_t all_ = 0;
};

}  // namespace sla::formats
