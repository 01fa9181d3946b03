// Summaries of the newest batches, made while their columns were at hand: a recorder need not read a batch then. Some MiB of
// them, however much is held; a recorder is close behind the newest, and one that is not reads the batches.
#pragma once

#include "proto/capture/summary/batch_summary.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>

namespace sla::retain {

using SharedSummary = std::shared_ptr<const capture::BatchSummary>;

class FreshSummaries {
public:
    // Gives its number, from 1 on. The oldest go, so that all take no more than `most` bytes.
    std::uint64_t put(SharedSummary summary, std::uint64_t most) {
        const std::uint64_t bytes = summary->bytes() + kEntryBytes;
        kept_.push_back({std::move(summary), bytes});
        bytes_ += bytes;
        while (bytes_ > most && !kept_.empty()) {
            bytes_ -= kept_.front().bytes;
            kept_.pop_front();
            first_++;
        }
        return first_ + kept_.size() - 1;
    }
    // Null: it is gone, or 0.
    [[nodiscard]] SharedSummary find(std::uint64_t number) const {
        return number < first_ ? nullptr : kept_[number - first_].summary;
    }
    void clear() {
        first_ += kept_.size();
        kept_.clear();
        bytes_ = 0;
    }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
    static constexpr std::uint64_t kEntryBytes = 48;  // here, and what counts its owners
    struct Kept {
        SharedSummary summary;
        std::uint64_t bytes = 0;
    };

    std::deque<Kept> kept_;
    std::uint64_t first_ = 1;  // number of kept_.front()
    std::uint64_t bytes_ = 0;
};

}  // namespace sla::retain
