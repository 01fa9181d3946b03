// CaptureStore: a capture, wherever it is kept. Viewer, CLI and tools open one and know no difference between a file, a series
// of files, and what other rooms make of it (a cluster).
#pragma once

#include "proto/base/result.h"
#include "proto/capture/capture_index.h"
#include "proto/capture/capture_reader.h"
#include "proto/capture/chunk_reader.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace sla::capture {

// Immutable; any thread.
class CaptureStore {
public:
    using Progress = std::function<bool(double)>;  // receives 0..1; false stops

    virtual ~CaptureStore() = default;
    // A file, or what else a name stands for (capture_pieces.h). An error: its files are of several runs. Whether they can be
    // read is not known yet.
    static Result<std::shared_ptr<const CaptureStore>> open(const std::string& name);

    [[nodiscard]] virtual const std::string& name() const = 0;
    // About; of all pieces.
    [[nodiscard]] virtual std::uint64_t bytes() const = 0;
    // What is in it, without its rows.
    [[nodiscard]] virtual Result<CaptureIndex> index(const Progress& progress) const = 0;
    // Single chunks, of the places that index() gives; one for each thread that reads.
    [[nodiscard]] virtual Result<ChunkReader> open_chunks() const = 0;
    // All of it in order.
    [[nodiscard]] virtual Result<CaptureReader> open_frames() const = 0;
};

}  // namespace sla::capture
