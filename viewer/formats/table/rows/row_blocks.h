// RowBlocks: a walk's rows as blocks, with names, texts and times to the rows before: all for which rows must come in order
// and the session must be asked. Some 10 ns a row (tests/bench/export_bench). Owner: the session's thread.
//
// Memory: a state a lane; names of 65,536 lanes, threads and kinds that occurred together, at most twice.
#pragma once

#include "viewer/analysis/delta_tracker.h"
#include "viewer/analysis/event_walk.h"
#include "viewer/formats/names.h"
#include "viewer/formats/table/rows/row_block.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace sla::formats {

class RowBlocks {
public:
    // All of them outlive it. The session does not change meanwhile.
    RowBlocks(const store::Session& session, analysis::EventWalk& walk, const BlockFormat& format)
        : session_(session), walk_(walk), format_(format), deltas_(session) {}

    // Fills it with the next rows. False: there are no more, it holds the last ones.
    bool fill(RowBlock& block);
    [[nodiscard]] std::uint64_t rows() const { return rows_; }

private:
    static constexpr std::size_t kMostNames = std::size_t{1} << 16;
    static constexpr std::size_t kKinds = static_cast<std::size_t>(wire::Kind::kGap) + 1;
    using NamesByKind = std::array<const RowNames*, kKinds>;  // null: not made yet
    struct LaneState {
        NamesByKind names = {};  // of that thread
        std::uint32_t thread = 0;
        bool is_known = false;
        bool has_text = false;
        analysis::DeltaTracker::Stamp last;
        std::unordered_map<std::uint32_t, NamesByKind> others;  // of the threads before
    };

    void put(const store::MergedRows::Row& row, RowBlock& block);
    void know(LaneState& state, const store::MergedRows::Row& row);
    void change_thread(LaneState& state, std::uint32_t thread);
    const RowNames* make_names(const store::MergedRows::Row& row);
    void put_text(const store::MergedRows::Row& row, BlockRow& to, RowBlock& block);
    void forget_names();

    const store::Session& session_;
    SourceTexts sources_{session_};
    analysis::EventWalk& walk_;
    const BlockFormat& format_;
    analysis::DeltaTracker deltas_;
    std::vector<LaneState> states_ = std::vector<LaneState>(walk_.lanes().size());  // by the lane's place in the walk
    std::shared_ptr<std::deque<RowNames>> names_ = std::make_shared<std::deque<RowNames>>();
    std::string text_;
    std::uint64_t rows_ = 0;
    std::uint64_t tick_before_ = 0;
};

}  // namespace sla::formats
