// Spill: keeps a live session within a set amount of memory. Lanes seal what grows as pages; when memory runs short the
// oldest pages are written to a file without a name, and then leave memory. Nothing is lost by it: what was written is read
// back when it is asked for, and what cannot be written stays, until is_full() says that no more may be taken in.
//
//   owner's thread    lane grows ─ seal ─► pages in memory ──────────────────────── forget ─► pages in the file
//                                                │ from 3/4 of the limit on             ▲ at the limit
//   writer's thread                              └──► SpillFile::write_next() ──────────┘ what was written
//
// Where the aim is below the limit, rows go to the file from there on, but nothing waits for that before the limit is reached.
// The limit is on what the session, the reader's cache and what waits here take together. All methods belong to the
// session's thread. One for a session that is empty and grows; goes before the session.
#pragma once

#include "viewer/ingest/pages/page_reader.h"
#include "viewer/ingest/spill_file.h"
#include "viewer/store/session.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

namespace sla::ingest {

struct SpillOptions {
    std::uint64_t memory_bytes = 0;      // the limit
    std::string directory;               // of the spill file
    std::uint64_t page_rows = 1U << 16;  // a lane seals what grows at so many
    std::uint64_t aim_bytes = 0;         // rows beyond this leave memory as fast as they can be written; 0: the limit
};

struct SpillReport {
    std::uint64_t memory_bytes = 0;
    std::uint64_t rows_on_disk = 0;  // that are not in memory
    std::uint64_t disk_bytes = 0;
    std::string failure;  // why nothing can be written now; empty while all is well
};

class Spill {
public:
    Spill(store::Session& session, SpillOptions options);
    ~Spill();
    Spill(const Spill&) = delete;
    Spill& operator=(const Spill&) = delete;

    // Its rows that are in no page yet are enough for one.
    static bool fills_page(const store::Lane& lane, std::uint64_t page_rows = SpillOptions().page_rows);
    // After a lane has grown.
    void tend(store::Lane& lane);
    // Once a frame: makes space as far as the writer has come, and reports to the session which pages were fetched.
    void poll();
    // The memory is used up and nothing more can leave it now: take in no more rows.
    [[nodiscard]] bool is_full();
    [[nodiscard]] SpillReport report() const;

    // Another SpillOptions::aim_bytes from now on.
    void aim_at(std::uint64_t bytes) { aim_bytes_ = bytes; }

private:
    // In the order they were sealed.
    struct Sealed {
        store::Lane* lane = nullptr;
        std::shared_ptr<const store::Run> run;
    };
    // Of the reader, within that limit on all.
    static std::size_t cache_bytes(std::uint64_t limit);
    [[nodiscard]] std::uint64_t memory_in_use() const;
    void measure(const store::Lane& lane);
    void measure_some();
    void seal(store::Lane& lane);
    [[nodiscard]] std::uint64_t least_rows() const;
    void seal_largest();
    void make_space();
    void ask_for_oldest();  // with mutex_ held
    void work();
    Result<void> write(const store::Run& run);

    store::Session& session_;
    SpillOptions options_;
    std::uint64_t aim_bytes_;
    std::shared_ptr<SpillFile> file_;
    std::shared_ptr<PageReader> reader_;
    std::deque<Sealed> sealed_;      // not forgotten yet
    std::size_t asked_ = 0;          // the first so many of them are written, or are to be
    std::uint64_t asked_bytes_ = 0;  // that will be free then
    std::uint64_t forgotten_ = 0;    // pages
    std::uint64_t forgotten_rows_ = 0;
    // What each lane takes, and all together: a look at every lane costs too much where there are thousands.
    std::unordered_map<const store::Lane*, std::uint64_t> lane_bytes_;
    std::uint64_t lanes_bytes_ = 0;
    std::size_t next_measured_ = 0;  // of the session's lanes

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::shared_ptr<const store::Run>> jobs_;
    std::uint64_t written_ = 0;  // pages
    std::string failure_;
    bool over_ = false;
    std::thread writer_;
};

// Where files go that nobody should see: $TMPDIR, else /var/tmp.
std::string default_spill_directory();
// A quarter of the machine's memory, 2 GiB at most.
std::uint64_t default_memory_bytes();

}  // namespace sla::ingest
