// LaneScan: a walk over what lanes hold (spans, gaps), channel after channel, capture after capture. Private to the room.
#pragma once

#include "viewer/sql/table.h"

#include <optional>

namespace sla::sql {

// Part: of one lane; made with (const NamedCapture&, const LaneTexts&, const TickRange&), has
//   bool next(const Request&, const GoOn&)    void put(std::size_t column, Cell&)
template <typename Part>
class LaneScan final : public Scan {
public:
    LaneScan(const Captures& captures, const Request& request, const GoOn& go_on)
        : captures_(captures), request_(request), go_on_(go_on) {}

    bool next() override {
        for (;;) {
            if (part_ && part_->next(request_, go_on_)) return true;
            part_.reset();
            if (!go_on_() || !step()) return false;
        }
    }
    void put(std::size_t column, Cell& cell) override { part_->put(column, cell); }

private:
    // To the next lane; false: there is none.
    bool step() {
        while (lane_ == lanes_.size()) {
            if (capture_ == captures_.size()) return false;
            const NamedCapture& capture = captures_[capture_++];
            lane_ = 0;
            lanes_.clear();
            if (!request_.matches(Role::kCapture, capture.name())) continue;
            range_ = request_.ticks(capture);
            if (!range_.empty()) lanes_ = request_.lanes(capture);
        }
        part_.emplace(captures_[capture_ - 1], *lanes_[lane_++], range_);
        return true;
    }

    const Captures& captures_;
    const Request& request_;
    const GoOn& go_on_;
    std::size_t capture_ = 0;  // the one behind that whose lanes these are
    std::vector<const LaneTexts*> lanes_;
    std::size_t lane_ = 0;  // the one behind that which is read
    TickRange range_;
    std::optional<Part> part_;
};

}  // namespace sla::sql
