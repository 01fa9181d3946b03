// PageReader: reads the pages that a ChunkLedger knows, and keeps those asked for last.
//
//   owner's thread   load() ── not here ──► reads the chunk itself (1 to 3 ms of 512 KiB): rows, of which nobody made an index
//                    find() ── not here, or without index ──► request ──► worker thread ──► cache ──► session's pages_revision
//                           ── here ──► stays so until the next poll(): a frame asks first, then looks
//                    let_go() ──► the worker frees it
//                    rows that the ledger has in memory are given as they are
//
// Where chunks come from elsewhere (ChunkStore::set_timeout), the worker does not wait for long: what does not come is said
// once, and asked for again, later and with a longer timeout each time, until it comes; meanwhile its rows are not
// here. load() waits as long as the store does, and then gives loss rows.
//
// A chunk is unpacked whole: its lanes lie side by side in time, and are mostly looked at together. load(), find() and
// poll() belong to the owner's thread; the worker lives as long as the reader. Memory: cache_bytes or two chunks (a million
// rows take up to 80 MB), at most twice that while one frame looks at so much, and a page a lane.
#pragma once

#include "proto/capture/chunk_reader.h"
#include "viewer/ingest/pages/chunk_decoder.h"
#include "viewer/ingest/pages/chunk_ledger.h"
#include "viewer/ingest/pages/chunk_visitor.h"
#include "viewer/store/session.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sla::ingest {

class PageReader final : public store::PageSource {
public:
    PageReader(std::shared_ptr<const ChunkLedger> ledger, store::Session& session, std::size_t cache_bytes);
    ~PageReader() override;

    std::shared_ptr<const store::Run> load(ChannelId channel, const store::PageTable& table, std::size_t page) override;
    std::shared_ptr<const store::Run> find(ChannelId channel, const store::PageTable& table, std::size_t page) override;
    void let_go(std::shared_ptr<const store::Run> page) override;
    bool visit_intervals(std::uint32_t chunk, const VisitIntervals& visit) override {
        return visitor_.visit_intervals(chunk, visit);
    }
    bool visit_rows(std::uint32_t chunk, const std::vector<ChannelId>& channels, const VisitRows& visit) override {
        return visitor_.visit_rows(chunk, channels, visit);
    }
    [[nodiscard]] Another another() const override;
    void narrow(std::uint32_t chunk, std::vector<ChannelId> channels) override;
    bool is_unreadable(ChannelId channel, std::uint32_t chunk, Look look) override;
    // Reports to the session what has come since, and what could not be read. Call once a frame.
    void poll();

    [[nodiscard]] std::uint64_t waits() const override { return waits_; }
    [[nodiscard]] std::size_t cached_bytes() const;
    // Receives every chunk that cannot be read, once; on the owner's thread.
    std::function<void(const std::string&)> on_damage;

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t kNoChunk = ~std::size_t{0};
    static constexpr std::size_t kLeastKept = 2;  // chunks, however large
    static constexpr std::size_t kMostAhead = 2;
    static constexpr std::chrono::milliseconds kMinTimeout{500};  // of the worker, for what comes from elsewhere
    struct PageRequest {
        std::size_t chunk = 0;
        bool with_index = false;
        Clock::time_point not_before{};  // it did not come last time
    };
    // The rows of one chunk: a run for each of its parts, or for those it was narrowed to.
    struct Slab {
        std::size_t chunk = 0;
        std::vector<std::pair<ChannelId, std::shared_ptr<const store::Run>>> runs;  // rising by channel
        std::size_t bytes = 0;
        bool is_out_of_reach = false;  // these are loss rows, and may come still
    };
    struct Damage {
        std::vector<UnreadableRows> rows;  // of one chunk; none: it is about something else
        std::string text;
    };
    struct Kept {
        std::shared_ptr<const Slab> slab;
        std::uint64_t found = 0;  // the turn in which find() gave it
    };
    using Slabs = std::list<Kept>;
    using Rows = std::shared_ptr<const store::Run>;

    // Null when the slab was narrowed to others.
    [[nodiscard]] static const Rows* run_in(const Slab& slab, ChannelId channel);
    // With the lock held; the slab is then slabs_.front(). Null when the channel's rows are not there; a slab without them
    // is dropped. A frame asks for each of its lanes, and mostly of one chunk: that is then in front already.
    const Rows* cached(std::size_t chunk, ChannelId channel);
    // False: there is none.
    bool bring_to_front(std::size_t chunk);
    void drop(Slabs::iterator kept);
    void insert(std::shared_ptr<const Slab> slab);
    // How many chunks of that size are worth reading ahead.
    [[nodiscard]] std::size_t chunks_ahead(std::size_t bytes_each) const;
    void request(PageRequest request);
    void work();
    // With the lock held: the newest one that need not rest; and until when none need be looked for.
    std::optional<PageRequest> take_request();
    [[nodiscard]] Clock::time_point next_request() const;
    // With the lock held: that it did, or did not, come from where it is.
    void note_reach(const PageRequest& request, const std::string& problem);
    // Lets go of the lock while it works.
    void fulfil(PageRequest request, std::optional<capture::ChunkReader>& reader, std::unique_lock<std::mutex>& lock);
    std::shared_ptr<const Slab> read(std::optional<capture::ChunkReader>& reader, std::size_t chunk);
    // The worker's way: null when the chunk did not come, but may come later; `problem` then says why.
    std::shared_ptr<const Slab> read_soon(std::optional<capture::ChunkReader>& reader, std::size_t chunk,
                                          std::string& problem);
    std::shared_ptr<const Slab> decode(std::optional<capture::ChunkReader>& reader, std::size_t chunk,
                                       const Result<void>& loaded);
    // Holds its bytes against their checksum, once.
    void check(std::size_t chunk);
    // With the lock held: keeps of them what nobody has said yet.
    void note_damage(std::size_t chunk, std::vector<UnreadableRows> rows, bool may_come);
    void report_damage();
    void report(const std::vector<UnreadableRows>& rows);

    std::shared_ptr<const ChunkLedger> ledger_;
    store::Session& session_;
    std::size_t limit_;
    std::optional<capture::ChunkReader> reader_;  // the owner's
    std::size_t last_loaded_ = kNoChunk;
    std::vector<bool> checked_;  // by chunk: its bytes, as far as is_unreadable() wanted to know
    std::uint64_t waits_ = 0;

    ChunkVisitor visitor_;

    mutable std::mutex mutex_;  // of all that follows
    std::condition_variable requested_;
    Slabs slabs_;  // the one asked for last in front
    std::unordered_map<std::size_t, Slabs::iterator> by_chunk_;
    std::size_t bytes_ = 0;
    std::uint64_t turn_ = 1;  // from one poll() to the next
    std::unordered_map<std::size_t, std::vector<ChannelId>> narrowed_;
    std::vector<PageRequest> requests_;                          // the newest last
    std::vector<Damage> damage_;                                 // not reported yet
    std::map<std::pair<std::size_t, ChannelId>, bool> damaged_;  // chunks and their parts that are or will be reported,
                                                                 // and whether their rows are gone for good
    std::vector<std::shared_ptr<const store::Run>> let_go_;      // the worker frees them
    std::uint64_t arrived_ = 0;
    bool wanted_memory_ = false;  // that it lacked was reported
    std::chrono::milliseconds timeout_ = kMinTimeout;
    std::vector<std::string> news_;  // not reported yet; no damage
    bool is_cut_off_ = false;        // chunks do not come
    std::uint64_t reported_ = 0;
    std::size_t reading_ = kNoChunk;  // the worker's
    bool over_ = false;
    std::thread worker_;
};

}  // namespace sla::ingest
