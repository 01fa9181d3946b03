// Makes the checksums of a hostile capture file right, so that what lies behind them is tested too.
#pragma once

#include "proto/capture/file_format.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace sla::fuzz {

inline constexpr std::size_t kStoredSizeAt = 16;
inline constexpr std::size_t kContentsChecksumAt = 32;

inline void put_checksum(std::string& bytes, std::size_t at, std::string_view of) {
    const std::uint64_t checksum = capture::checksum_of(of);
    std::memcpy(bytes.data() + at, &checksum, sizeof checksum);
}

inline void repair_record(std::string& bytes, std::size_t at, std::size_t size) {
    if (bytes.size() - at < size) return;
    const std::size_t checked = size - sizeof(std::uint64_t);
    put_checksum(bytes, at + checked, std::string_view(bytes).substr(at, checked));
}

inline void repair_chunk(std::string& bytes, std::size_t at) {
    if (bytes.size() - at < capture::kChunkHeaderBytes) return;
    std::uint32_t stored = 0;
    std::memcpy(&stored, bytes.data() + at + kStoredSizeAt, sizeof stored);
    const std::string_view contents = std::string_view(bytes).substr(at + capture::kChunkHeaderBytes, stored);
    put_checksum(bytes, at + kContentsChecksumAt, contents);
    repair_record(bytes, at, capture::kChunkHeaderBytes);
}

// Back to front, so that a record inside another's contents is right before these are summed up.
inline void repair(std::string& bytes) {
    for (std::size_t at = bytes.rfind(capture::kLandmarkPrefix); at != bytes.npos && at > 0;
         at = bytes.rfind(capture::kLandmarkPrefix, at - 1)) {
        const std::string_view record = std::string_view(bytes).substr(at);
        if (record.starts_with(capture::kChunkMagic)) repair_chunk(bytes, at);
        if (record.starts_with(capture::kClosingMagic)) repair_record(bytes, at, capture::kClosingMarkBytes);
    }
    if (bytes.starts_with(capture::kFileMagic)) repair_record(bytes, 0, capture::kFileHeaderBytes);
}

}  // namespace sla::fuzz
