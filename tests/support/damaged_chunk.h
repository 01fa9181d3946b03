// A capture file with a chunk of events that cannot be read: its index still promises all that was in it.
#pragma once

#include "proto/capture/capture_index.h"
#include "proto/capture/file_format.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace sla::support {

// In the order of the file.
inline void damage_chunk(const std::string& path, std::size_t number) {
    const auto index = capture::CaptureIndex::open(path);
    ASSERT_TRUE(index.ok());
    ASSERT_LT(number, index->chunks().size());
    const capture::ChunkPlace& chunk = index->chunks()[number];
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(chunk.offset + capture::kChunkHeaderBytes + chunk.stored_bytes / 2));
    file.write("\xff\xff\xff\xff\xff\xff\xff\xff", 8);
}

}  // namespace sla::support
