// LaneScan: a walk over what lanes hold (spans, gaps), capture after capture, channel after channel, or in order of what the
// question groups by. Private to the room.
#pragma once

#include "viewer/sql/tables/table.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace sla::sql {

// Part: of one lane; made with (const NamedCapture&, const LaneTexts&, const TickRange&), has
//   bool next(const Request&, const GoOn&)    void put(std::size_t column, Cell&)    std::uint64_t row() const, of the lane
template <typename Part>
class LaneScan final : public Scan {
public:
    LaneScan(const Captures& captures, const Request& request, const GoOn& go_on) : request_(request), go_on_(go_on) {
        for (const NamedCapture& capture : captures) {
            if (!request_.matches(Role::kCapture, capture.name())) continue;
            const TickRange range = request_.ticks(capture);
            if (range.empty()) continue;
            for (const LaneTexts* lane : request_.lanes(capture)) lanes_.push_back({&capture, lane, range});
        }
        if (request_.grouped.empty()) return;
        std::stable_sort(lanes_.begin(), lanes_.end(), [&](const WantedLane& one, const WantedLane& other) {
            return comes_before(request_.grouped, key_of(one), key_of(other));
        });
    }

    bool next() override {
        for (;;) {
            if (part_ && part_->next(request_, go_on_)) return true;
            part_.reset();
            if (!go_on_() || next_lane_ == lanes_.size()) return false;
            const WantedLane& lane = lanes_[next_lane_++];
            part_.emplace(*lane.capture, *lane.texts, lane.range);
        }
    }
    [[nodiscard]] std::uint64_t number() const override { return lanes_[next_lane_ - 1].texts->rows_before + part_->row(); }
    void put(std::size_t column, Cell& cell) override { part_->put(column, cell); }

private:
    struct WantedLane {
        const NamedCapture* capture;
        const LaneTexts* texts;
        TickRange range;
    };
    [[nodiscard]] std::vector<std::string_view> key_of(const WantedLane& lane) const {
        std::vector<std::string_view> key;
        for (const OrderTerm& term : request_.grouped) {
            key.emplace_back(term.role == Role::kCapture  ? lane.capture->name()
                             : term.role == Role::kSource ? lane.texts->source
                                                          : lane.texts->channel);
        }
        return key;
    }

    const Request& request_;
    const GoOn& go_on_;
    std::vector<WantedLane> lanes_;
    std::size_t next_lane_ = 0;
    std::optional<Part> part_;
};

}  // namespace sla::sql
