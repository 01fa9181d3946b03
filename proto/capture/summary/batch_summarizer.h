// Makes BatchSummaries: some 22 instructions a row of ticks with values, 30 of spans (tests/bench/agent_bench --beside recorded, by
// callgrind). One owner, one thread.
#pragma once

#include "proto/capture/summary/batch_summary.h"
#include "proto/capture/summary/lane_summarizer.h"
#include "proto/wire/event.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace sla::capture {

class BatchSummarizer {
public:
    // Null: summing up its rows is as good. There are few of them, or too many spans cross its borders, or each other.
    std::shared_ptr<const BatchSummary> of(const wire::EventBatch& batch);

    static constexpr std::size_t kMinRows = 64;
    static constexpr std::size_t kMaxApart = 64;

private:
    // Begun and not ended so far.
    struct Thread {
        std::uint32_t id = 0;
        std::vector<std::uint32_t> open;  // rows
    };
    // False: there are too many.
    bool find_rows_apart(const wire::EventBatch& batch);
    bool find_ends_apart(const wire::EventBatch& batch);
    bool look_at(const wire::EventBatch& batch, std::uint32_t row);
    bool set_crossed_apart();
    Thread* thread(std::uint32_t id);
    bool add_run(const wire::EventBatch& batch, std::size_t begin, std::size_t end, bool knows_level, BatchSummary& out);

    LaneSummarizer lane_{ChannelId{}};
    BinCounter counter_;
    std::vector<Thread> threads_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> spans_;  // with rows between begin and end
    std::vector<std::uint32_t> apart_;                            // rows
    bool is_level_reported_ = false;                              // the first row that gives it stands apart
};

}  // namespace sla::capture
