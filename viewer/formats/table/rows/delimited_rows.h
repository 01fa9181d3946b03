// DelimitedRows: the event table's rows as csv or tsv, the way `sla table` and `sla export` write most. A row is written in
// one go into space that was made for it; names, leading digits and errors that repeat are copied instead of made anew.
// Hot: see tests/bench/export_bench for what a row costs. One owner, one thread.
#pragma once

#include "proto/time/clock_map.h"
#include "viewer/formats/table/rows/row_block.h"

#include <cstdint>
#include <string>

namespace sla::formats {

class DelimitedRows final : public BlockFormat {
public:
    // `head` is the first line.
    DelimitedRows(const time::ClockMap& clock, bool tabs, std::string head);

    [[nodiscard]] RowNames name(const std::array<std::string, 4>& parts) const override;
    void begin(ByteBuffer& out) override { out.put(head_line_); }
    void end(ByteBuffer&) override {}
    void write(RowBlock& block) override;

private:
    char* put_times(const BlockRow& row, std::uint64_t any_ticks, char* at);
    void make_error_text(std::int64_t error_ps);

    bool tabs_;
    char separator_;
    std::string head_line_;
    time::ClockMap clock_;
    DeltaTexts times_;
    RowHead head_;
    static constexpr std::int64_t kNoError = -1;
    std::int64_t error_ps_ = kNoError - 1;
    PaddedText error_text_;  // ",error" and the line's end, of error_ps_
};

}  // namespace sla::formats
