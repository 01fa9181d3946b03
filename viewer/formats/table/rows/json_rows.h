// JsonRows: the event table's rows as json or jsonl, as JsonWriter makes them in thrice the time: what stands
// between two numbers is copied in one piece, and times that repeat are not made anew. One owner, one thread.
#pragma once

#include "proto/time/clock_map.h"
#include "viewer/formats/table/rows/row_block.h"

#include <array>
#include <cstdint>
#include <string>

namespace sla::formats {

class JsonRows final : public BlockFormat {
public:
    JsonRows(const time::ClockMap& clock, bool lines);

    [[nodiscard]] RowNames name(const std::array<std::string, 4>& parts) const override;
    void begin(ByteBuffer& out) override;
    void end(ByteBuffer& out) override;
    void write(RowBlock& block) override;

private:
    char* put_head(std::uint64_t index, const BlockRow& row, char* at) const;
    static void put_value(const BlockRow& row, ByteBuffer& out);
    char* put_times(const BlockRow& row, std::uint64_t any_ticks, char* at);
    void make_error_text(std::int64_t error_ps);

    bool lines_;
    time::ClockMap clock_;
    DeltaTexts times_;
    PaddedText first_row_;  // begins the table's first row, up to its index
    PaddedText next_row_;
    static constexpr std::int64_t kNoError = -1;
    std::int64_t error_ps_ = kNoError - 1;
    PaddedText error_text_;  // the last key and its value, of error_ps_, and the row's end
};

}  // namespace sla::formats
