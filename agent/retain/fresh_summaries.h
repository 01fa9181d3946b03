// Summaries of the newest batches, made while their columns were at hand: a recorder need not read a batch then. Some MiB of
// them, however much is held; a recorder is close behind the newest, and one that is not reads the batches.
#pragma once

#include "proto/capture/summary/batch_summary.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>

namespace sla::retain {

using SharedSummary = std::shared_ptr<const capture::BatchSummary>;

class FreshSummaries {
public:
    // Of a channel's batch of that number. The oldest go, so that all take no more than `most` bytes.
    void put(std::uint32_t channel, std::uint64_t number, SharedSummary summary, std::uint64_t most) {
        const Key key{channel, number};
        bytes_ += cost_of(*summary);
        summaries_.emplace(key, std::move(summary));
        order_.push_back(key);
        for (; bytes_ > most && !order_.empty(); order_.pop_front()) {
            const auto oldest = summaries_.find(order_.front());
            bytes_ -= cost_of(*oldest->second);
            summaries_.erase(oldest);
        }
    }
    // Null: there is none.
    [[nodiscard]] SharedSummary find(std::uint32_t channel, std::uint64_t number) const {
        const auto at = summaries_.find({channel, number});
        return at == summaries_.end() ? nullptr : at->second;
    }
    void clear() {
        summaries_.clear();
        order_.clear();
        bytes_ = 0;
    }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
    using Key = std::pair<std::uint32_t, std::uint64_t>;
    static std::uint64_t cost_of(const capture::BatchSummary& summary) {
        constexpr std::uint64_t kNodeBytes = 96;  // in the map and the queue, and what counts its owners
        return summary.bytes() + kNodeBytes;
    }

    std::map<Key, SharedSummary> summaries_;
    std::deque<Key> order_;
    std::uint64_t bytes_ = 0;
};

}  // namespace sla::retain
