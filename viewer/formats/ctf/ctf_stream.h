// CtfStream: the packets of one lane's stream file (Common Trace Format 1.8, trace stream packets).
//
//   ┌ magic u32 ┬ stream id u32 ┬ begin u64 ┬ end u64 ┬ content bits u64 ┬ packet bits u64 ┬ discarded u64 ┬ events … ┐
//
// All little-endian, byte-aligned. An event is id u8, tick u64, thread u32, then what metadata_writer.cpp says of its id. A
// loss is an event, so that nothing about it is lost, and it is what readers of CTF look for too: a packet that spans it and
// whose count of discarded events has grown by it. One owner, one thread.
#pragma once

#include "viewer/formats/byte_buffer.h"
#include "viewer/formats/output.h"
#include "viewer/store/session.h"

#include <array>
#include <cstdint>

namespace sla::formats {

// Event ids: the code, plus these for events with detail words and for events that are no text but have one.
inline constexpr std::uint8_t kCtfDetails = 16;
inline constexpr std::uint8_t kCtfText = 32;
inline constexpr std::size_t kCtfIds = 64;
using CtfIds = std::array<bool, kCtfIds>;

inline constexpr std::uint32_t kCtfMagic = 0xC1FC1FC1;
inline constexpr std::size_t kCtfHeadBytes = 4 + 4 + 5 * 8;  // of a packet

class CtfStream {
public:
    CtfStream(Output& output, std::uint32_t id) : output_(output), id_(id) {}

    // `event`: as a walk over the lane gives it; `next_tick`: of the one after it, kNever: none.
    Result<void> put(const store::RowRef& place, const store::Event& event, std::uint64_t next_tick);
    // Ends the last packet.
    Result<void> finish();

    // Which event ids came.
    [[nodiscard]] const CtfIds& ids() const { return ids_; }

private:
    void put_fields(const store::Lane& lane, std::uint64_t index, const store::Event& event);
    void put_text(std::string text);
    Result<void> close_packet(std::uint64_t end_tick);

    Output& output_;
    std::uint32_t id_;
    ByteBuffer events_;
    bool open_ = false;
    std::uint64_t begin_ = 0;
    std::uint64_t last_ = 0;
    std::uint64_t discarded_ = 0;
    CtfIds ids_{};
};

}  // namespace sla::formats
