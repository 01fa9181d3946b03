// SpillFile: pages of a live session that have left memory, each a chunk of frames as in a capture file. The file has no
// name: the kernel frees it with the program, however that ends.
//
//   owner's thread    add() promises a page, whose rows stay in memory until it is there
//   writer's thread   write_next() puts it there
//   any thread        reads what is there, or looks in memory
#pragma once

#include "proto/capture/chunk.h"
#include "proto/capture/file.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/event.h"
#include "viewer/ingest/pages/chunk_ledger.h"
#include "viewer/store/rows/run.h"

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sla::ingest {

class SpillFile final : public ChunkLedger {
public:
    // Made in `directory` when the first page is written.
    explicit SpillFile(std::string directory);

    // A page that will be written, in the order of these calls.
    std::uint32_t add(ChunkPart part, const std::shared_ptr<const store::Run>& rows);
    // One thread. The error says what failed; the page can be written again later. `rows` is the page's. 10 to 30 ns a row
    // (tests/bench/ingest_bench).
    Result<void> write_next(const store::Run& rows);
    [[nodiscard]] std::uint64_t bytes() const;
    // Nobody will write these, which were added: they stay in memory as long as somebody may read them here.
    void hold(std::vector<std::shared_ptr<const store::Run>> rows);
    // Of what add() was given.
    [[nodiscard]] std::uint64_t memory_bytes() const;

    [[nodiscard]] const std::string& path() const override { return path_; }
    [[nodiscard]] std::size_t chunk_count() const override;
    [[nodiscard]] capture::ChunkPlace place_of(std::size_t chunk) const override;
    [[nodiscard]] std::vector<ChunkPart> parts_of(std::size_t chunk) const override;
    [[nodiscard]] std::shared_ptr<const store::Run> rows_in_memory(std::size_t chunk) const override;
    [[nodiscard]] Result<capture::ChunkReader> open_chunks() const override;

private:
    struct Entry {
        ChunkPart part;
        capture::ChunkPlace place;
        std::weak_ptr<const store::Run> rows;
    };
    Result<void> open_file();
    std::uint32_t encode(ChannelId channel, const store::Run& rows);

    std::string directory_;
    std::string path_;  // for messages

    mutable std::mutex mutex_;
    std::deque<Entry> entries_;
    std::vector<std::shared_ptr<const store::Run>> held_;
    std::uint64_t entry_bytes_ = 0;
    std::size_t written_ = 0;  // of the entries
    std::uint64_t written_bytes_ = 0;
    std::optional<capture::File> file_;  // written without the lock

    // The writer's, kept from page to page.
    capture::ChunkPacker packer_;
    wire::EventBatch batch_;
    wire::Frame frame_;
    std::string message_;
    std::string raw_;
};

}  // namespace sla::ingest
