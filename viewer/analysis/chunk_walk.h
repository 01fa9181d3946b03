// Walks over many lanes at once, chunk by chunk of the file, so that each chunk is read once; of pages that lie in the
// selection as a whole the file's sums may be taken instead of their rows. What is in memory comes last. Private to the room.
//
//   chunk 0          chunk 1          ...     Walker, one a lane:
//   lane a  lane b   lane a  lane b           pass(page, sums)   may take the sums of a whole page
//   ──────► ──────►  ──────► ──────►          go_on(row, span)   reads on up to there; nothing is left of what was passed
#pragma once

#include "proto/capture/summary/interval_sums.h"
#include "viewer/analysis/selection.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sla::analysis {

// Where a lane's walk rests: behind its page in this chunk of the file.
struct Rest {
    std::uint32_t chunk = 0;
    std::size_t lane = 0;
    std::uint64_t row = store::kNever;
    std::uint64_t span = store::kNever;
    std::uint32_t page = kNotWhole;  // its number, when all of it lies in the selection

    static constexpr std::uint32_t kNotWhole = ~std::uint32_t{0};
    [[nodiscard]] bool is_whole() const { return page != kNotWhole; }
};

// By chunk, then by lane; each lane ends in memory. Makes the chunks' readers ready for as long as it lives.
class ChunkPlan {
public:
    ChunkPlan(const store::Session& session, const Selection& selection, bool from_sums);
    ~ChunkPlan();
    ChunkPlan(const ChunkPlan&) = delete;
    ChunkPlan& operator=(const ChunkPlan&) = delete;

    // visit(std::span<const Rest>) -> bool for those of each chunk, rising by lane; false stops.
    template <typename Visit>
    void each_chunk(Visit visit) const {
        for (std::size_t begin = 0, end = 0; begin < rests_.size(); begin = end) {
            while (end < rests_.size() && rests_[end].chunk == rests_[begin].chunk) ++end;
            if (!visit(std::span(rests_).subspan(begin, end - begin))) return;
        }
    }
    // visit(lane, page, sums) for those of the chunk's rests whose pages are whole, when sums are to be had.
    using VisitSums = std::function<void(std::size_t lane, const store::Page& page, const IntervalSums& sums)>;
    void visit_sums(std::span<const Rest> rests, const VisitSums& visit) const;

    // The walk of that lane is behind that page: it is not held until the next one is asked for, where lanes are so many that
    // a page of each is too much.
    void pass(const Rest& rest) const {
        if (selection_.lanes.size() > kFewLanes) selection_.lanes[rest.lane]->let_go_page();
    }
    [[nodiscard]] std::size_t size() const { return rests_.size(); }

private:
    static constexpr std::size_t kFewLanes = 256;
    void narrow();
    void narrow(std::span<const Rest> rests);
    void fetch_ends() const;

    const store::Session& session_;
    const Selection& selection_;
    bool from_sums_;
    std::vector<Rest> rests_;
    std::vector<std::uint32_t> narrowed_;
};

// `walkers`: one a lane of the selection. `progress` (may be empty) receives 0..1; false stops.
template <typename Walker>
void walk_chunks(const ChunkPlan& plan, std::vector<Walker>& walkers, const std::function<bool(double)>& progress) {
    std::size_t done = 0;
    plan.each_chunk([&](std::span<const Rest> rests) {
        if (progress && !progress(static_cast<double>(done) / static_cast<double>(plan.size()))) return false;
        done += rests.size();
        plan.visit_sums(rests, [&](std::size_t lane, const store::Page& page, const IntervalSums& sums) {
            walkers[lane].pass(page, sums);
        });
        for (const Rest& rest : rests) {
            walkers[rest.lane].go_on(rest.row, rest.span);
            plan.pass(rest);
        }
        return true;
    });
}

}  // namespace sla::analysis
