// DelimitedRows: the event table's rows as csv or tsv, the way `sla table` and `sla export` write most. A row is written in
// one go into room that was made for it; names, leading digits and errors that repeat are copied instead of made anew, and
// each lane's names and last stamp are at hand. Hot: see tests/bench/export_bench for what a row costs.
// One owner, one thread; the session does not change meanwhile, and rows come in the order of a walk over the selection.
#pragma once

#include "viewer/analysis/delta_tracker.h"
#include "viewer/analysis/selection.h"
#include "viewer/export/byte_buffer.h"
#include "viewer/export/digits.h"
#include "viewer/export/padded_text.h"
#include "viewer/export/row_writer.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sla::exporting {

class DelimitedRows {
public:
    DelimitedRows(const store::Session& session, const analysis::Selection& selection, bool tabs);

    void write(const store::Place& place, const store::Event& event, ByteBuffer& out);
    [[nodiscard]] std::uint64_t rows() const { return rows_; }

private:
    // What is at hand of one lane.
    struct LaneState {
        const store::Lane* lane = nullptr;
        std::string source;   // ",source,"
        std::string channel;  // ",channel,"
        bool has_text = false;
        std::uint32_t thread = 0;
        PaddedText prefix;  // ",source,thread,channel," of that thread; empty: not made yet
        analysis::DeltaTracker::Stamp last;
    };
    LaneState& state_of(const store::Lane& lane);
    LaneState& make_state(const store::Lane& lane);
    const PaddedText& prefix_of(LaneState& state, std::uint32_t thread);
    char* put_time(std::int64_t ps, char* at);
    char* put_deltas(const analysis::DeltaTracker::TickDeltas& deltas, char* at);
    void put_text(const store::Place& place, wire::Kind kind, ByteBuffer& out);

    const store::Session& session_;
    char separator_;
    time::ClockMap clock_;
    analysis::DeltaTracker deltas_;
    std::unique_ptr<RowWriter> quoting_;  // makes texts fit for the form
    std::array<PaddedText, 7> kinds_;     // "tick,"
    std::unordered_map<const store::Lane*, LaneState> states_;
    std::array<LaneState*, 256> recent_{};
    DecimalCounter index_;
    LeadingDigits tick_;
    LeadingDigits ps_;
    std::optional<std::int64_t> error_ps_;
    bool error_known_ = false;
    PaddedText error_text_;  // ",error" and the line's end, of error_ps_
    std::string scratch_;
    std::uint64_t rows_ = 0;
};

}  // namespace sla::exporting
