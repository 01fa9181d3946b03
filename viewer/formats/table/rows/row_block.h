// RowBlock: some thousand neighbouring rows of the event table on their way to text. Who walks fills it with all that a row
// needs of the session; then any thread can make its text, without the session and without the blocks before.
//
//   RowBlocks  ── rows, texts ──►  BlockFormat  ── out ──►  Output
//   (the walk's thread)            (any thread)             (the walk's thread, in order)
#pragma once

#include "viewer/formats/byte_buffer.h"
#include "viewer/formats/table/rows/row_texts.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sla::formats {

// What the rows of one lane, thread and kind have in common, as a format writes it. Nobody changes it once a row has it.
struct RowNames {
    std::array<std::string, 4> parts;  // source, thread, channel, kind: of a format that has them one by one
    PaddedText joined;                 // of one that has them in one piece
};

struct BlockRow {
    std::uint64_t tick = 0;
    std::uint64_t value = 0;
    std::uint64_t channel_ticks = 0;  // since the row before of its channel, if it has one
    std::int64_t error_ps = 0;        // of both times, if it has one of them
    const RowNames* names = nullptr;
    std::uint32_t text_bytes = 0;
    std::uint8_t code = 0;
    bool has_any = false;  // a row before
    bool has_channel = false;
};

struct RowBlock {
    static constexpr std::size_t kRows = 8192;
    static constexpr std::size_t kTextBytes = std::size_t{1} << 18;  // with which it is full, however few its rows

    std::uint64_t first = 0;        // its first row's number in the table
    std::uint64_t tick_before = 0;  // of the row before that
    std::vector<BlockRow> space = std::vector<BlockRow>(kRows);
    std::size_t count = 0;
    std::string texts;  // of its rows, one behind the other
    std::shared_ptr<const std::deque<RowNames>> names;
    ByteBuffer out;

    [[nodiscard]] std::span<const BlockRow> rows() const { return std::span(space).first(count); }
};

// BlockFormat: one form of the table, a block at a time. Each thread has one of its own.
class BlockFormat {
public:
    virtual ~BlockFormat() = default;
    // For the walk's thread.
    [[nodiscard]] virtual RowNames name(const std::array<std::string, 4>& parts) const = 0;
    virtual void begin(ByteBuffer& out) = 0;
    virtual void end(ByteBuffer& out) = 0;
    // Puts the text of its rows behind what is in its buffer.
    virtual void write(RowBlock& block) = 0;
};

}  // namespace sla::formats
