// RowLedger: whether one channel's batches follow on each other, by their ordinals.
#pragma once

#include "proto/wire/event.h"

#include <cstdint>

namespace sla::capture_tools {

// One owner, one thread.
class RowLedger {
public:
    struct Step {
        std::uint64_t missing =
            0;  // rows before this batch that nothing explains (gap rows "lagged" and "not kept" explain their own)
        std::uint64_t first_missing = 0;  // the ordinal behind the row before
        std::uint64_t known = 0;          // rows at its front that came before
        std::uint64_t from_tick = 0;
        bool back = false;  // its ticks go back behind the rows before it
    };
    Step take(const wire::EventBatch& batch);
    // Before any batch: the ordinal and the tick of the first row that there should be.
    void start_at(std::uint64_t ordinal, std::uint64_t tick);
    // What is missing before that ordinal was told.
    void end_at(std::uint64_t ordinal) { next_ = ordinal > next_ ? ordinal : next_; }

    // Of so many rows in all, those that did not come at the end; of a channel of which none came nobody knows which.
    [[nodiscard]] std::uint64_t missing_of(std::uint64_t all) const { return all > next_ ? all - next_ : 0; }
    [[nodiscard]] bool has_started() const { return started_; }
    [[nodiscard]] std::uint64_t last_tick() const { return last_tick_; }

    [[nodiscard]] std::uint64_t rows() const { return rows_; }
    [[nodiscard]] std::uint64_t lost() const { return lost_; }  // by gap rows, and not kept
    [[nodiscard]] std::uint64_t not_kept() const { return not_kept_; }
    [[nodiscard]] std::uint64_t gap_rows() const { return gap_rows_; }
    // Losses of a number that nobody knows, but of the time before and of what was left out on purpose.
    [[nodiscard]] std::uint64_t uncounted() const { return uncounted_; }

private:
    bool started_ = false;
    std::uint64_t next_ = 0;
    std::uint64_t explained_ = 0;
    std::uint64_t last_tick_ = 0;
    std::uint64_t rows_ = 0;
    std::uint64_t lost_ = 0;
    std::uint64_t not_kept_ = 0;
    std::uint64_t gap_rows_ = 0;
    std::uint64_t uncounted_ = 0;
};

}  // namespace sla::capture_tools
