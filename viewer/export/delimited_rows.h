// DelimitedRows: the event table's rows as csv or tsv, the way `sla table` and `sla export` write most. Names, leading
// digits and errors that repeat are copied instead of made anew. Hot: some 50 ns a row of eight lanes, see
// tests/bench/export_bench. One owner, one thread; the session does not change meanwhile.
#pragma once

#include "viewer/analysis/delta_tracker.h"
#include "viewer/analysis/selection.h"
#include "viewer/export/byte_buffer.h"
#include "viewer/export/digits.h"
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

    void write(const store::Place& place, ByteBuffer& out);
    [[nodiscard]] std::uint64_t rows() const { return rows_; }

private:
    // What does not change from event to event of one lane.
    struct LaneWords {
        const store::Lane* lane = nullptr;
        std::string source;   // ",source,"
        std::string channel;  // ",channel,"
        bool has_text = false;
        std::uint32_t thread = 0;
        std::string prefix;  // ",source,thread,channel," of that thread; empty: not made yet
    };

    LaneWords& words_of(const store::Lane& lane);
    LaneWords& make_words(const store::Lane& lane);
    const std::string& prefix_of(LaneWords& words, std::uint32_t thread);
    void put_time(std::int64_t ps, ByteBuffer& out);
    void put_value(const store::Event& event, ByteBuffer& out) const;
    void put_text(const store::Place& place, const store::Event& event, ByteBuffer& out);
    void put_deltas(const analysis::Deltas& deltas, ByteBuffer& out);

    const store::Session& session_;
    char separator_;
    time::ClockMap clock_;
    analysis::DeltaTracker deltas_;
    std::unique_ptr<RowWriter> quoting_;  // makes texts fit for the form
    std::array<std::string, 7> kinds_;    // "tick,"
    std::unordered_map<const store::Lane*, LaneWords> all_words_;
    std::array<LaneWords*, 256> recent_{};
    DecimalCounter index_;
    LeadingDigits tick_;
    LeadingDigits ps_;
    std::optional<std::int64_t> error_ps_;
    std::string error_text_;  // ",error" and the line's end, of error_ps_; empty: not made yet
    std::string scratch_;
    std::uint64_t rows_ = 0;
};

}  // namespace sla::exporting
