// DelimitedRows: the event table's rows as csv or tsv, the way `sla table` and `sla export` write most. A row is written in
// one go into space that was made for it; names, leading digits and errors that repeat are copied instead of made anew,
// and each lane's names and last stamp are at hand. Hot: see tests/bench/export_bench for what a row costs.
// One owner, one thread; the session does not change meanwhile, and rows come in the order of a walk over the selection.
#pragma once

#include "viewer/analysis/delta_tracker.h"
#include "viewer/analysis/selection.h"
#include "viewer/formats/byte_buffer.h"
#include "viewer/formats/digits.h"
#include "viewer/formats/table/row_texts.h"
#include "viewer/formats/table/row_writer.h"
#include "viewer/store/merged_rows.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace sla::formats {

class DelimitedRows {
public:
    DelimitedRows(const store::Session& session, bool tabs);

    // A row of the walk; the lane is that which the row names.
    void write(const store::MergedRows::Row& row, const store::Lane& lane, ByteBuffer& out);
    [[nodiscard]] std::uint64_t rows() const { return head_.rows(); }

private:
    static constexpr std::size_t kCodes = 256;
    // What is at hand of one lane.
    struct LaneState {
        const store::Lane* lane = nullptr;
        std::string source;   // ",source,"
        std::string channel;  // ",channel,"
        bool has_text = false;
        std::uint32_t thread = 0;
        std::array<std::uint8_t, kCodes> place_of = {};  // of a code's names below
        std::vector<PaddedText> names{
            1};  // ",source,thread,channel,kind," of that thread; the first stands for those not made yet
        analysis::DeltaTracker::Stamp last;
    };
    LaneState& state_of(std::size_t place, const store::Lane& lane) {
        return place < states_.size() && states_[place] ? *states_[place] : make_state(place, lane);
    }
    LaneState& make_state(std::size_t place, const store::Lane& lane);
    const PaddedText& names_of(LaneState& state, std::uint32_t thread, std::uint8_t code) {
        if (thread != state.thread || state.place_of[code] == 0) make_names(state, thread, code);
        return state.names[state.place_of[code]];
    }
    void make_names(LaneState& state, std::uint32_t thread, std::uint8_t code);
    char* put_deltas(const analysis::DeltaTracker::TickDeltas& deltas, char* at);
    void make_error_text(std::int64_t error_ps);
    void put_text(const store::Lane& lane, std::uint64_t index, std::uint8_t code, ByteBuffer& out);

    const store::Session& session_;
    char separator_;
    time::ClockMap clock_;
    DeltaTexts times_;
    analysis::DeltaTracker deltas_;
    std::unique_ptr<RowWriter> quoting_;              // makes texts fit for the form
    std::vector<std::unique_ptr<LaneState>> states_;  // by the lane's place in the walk
    RowHead head_;
    static constexpr std::int64_t kNoError = -1;
    std::int64_t error_ps_ = kNoError - 1;
    PaddedText error_text_;  // ",error" and the line's end, of error_ps_
    std::string scratch_;
};

}  // namespace sla::formats
