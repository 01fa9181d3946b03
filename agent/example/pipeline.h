// Reads blocks, compresses them in several threads, and writes them in order: an ordinary program, marked.
//
//   reader ──► queue.in ──► compress.1 .. compress.N ──► queue.out ──► writer (puts the blocks back in order)
//
// Channels: pipeline.read (span, block), pipeline.compress.N (span, block, with an inner span for the check), pipeline.write
// (span, block), pipeline.ratio (value), pipeline.handover (tick, block), pipeline.queue.in / .out (value) and their .full
// (level), pipeline.file (text).
#pragma once

#include "agent/example/block_queue.h"
#include "agent/example/block_source.h"
#include "agent/example/file_ring.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace sla::example {

struct Block {
    std::uint64_t id = 0;
    std::string text;
    std::string frame;  // empty until compressed
};

struct PipelineTotals {
    std::uint64_t blocks = 0;
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t damaged = 0;  // frames that did not unpack to their text
    bool disk_failed = false;
};

class Pipeline {
public:
    // Starts all threads at once. `source` and `files` are used by the reader's and the writer's thread until stop().
    Pipeline(BlockSource& source, FileRing& files, unsigned compressors);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    // False once the pipeline can do no more work (the disk refused).
    [[nodiscard]] bool running() const { return !stopping_.load(std::memory_order_relaxed); }

    // Ends the reader, lets everything under way arrive, joins. The totals are final afterwards.
    PipelineTotals stop();

private:
    static constexpr std::chrono::milliseconds kBurstPeriod{40};
    static constexpr int kBurstBlocks = 8;
    static constexpr std::size_t kQueueBlocks = 6;  // fewer than a burst: back-pressure can be seen

    void read(BlockSource& source);
    void compress(unsigned number);
    void write(FileRing& files);
    void write_one(FileRing& files, const Block& block);

    BlockQueue<Block> in_{"pipeline.queue.in", kQueueBlocks};
    BlockQueue<Block> out_{"pipeline.queue.out", kQueueBlocks};
    std::atomic<bool> stopping_{false};  // only ever set; nothing else is published through it
    PipelineTotals totals_;              // the writer's thread, then whoever joined it
    std::atomic<std::uint64_t> damaged_{0};
    std::thread reader_;
    std::vector<std::thread> compressors_;
    std::thread writer_;
};

}  // namespace sla::example
