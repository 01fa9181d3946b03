#include "viewer/ingest/pages/page_reader.h"

#include "viewer/ingest/pages/chunk_decoder.h"

#include <algorithm>
#include <utility>

namespace sla::ingest {

PageReader::PageReader(std::shared_ptr<const ChunkLedger> ledger, store::Session& session, std::size_t cache_bytes)
    : ledger_(std::move(ledger)), session_(session), limit_(cache_bytes), visitor_(ledger_), worker_([this] { work(); }) {}

PageReader::~PageReader() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    requested_.notify_one();
    worker_.join();
}

const PageReader::Rows* PageReader::run_in(const Slab& slab, ChannelId channel) {
    const auto at = std::lower_bound(slab.runs.begin(), slab.runs.end(), channel,
                                     [](const auto& one, ChannelId wanted) { return one.first < wanted; });
    return at == slab.runs.end() || at->first != channel ? nullptr : &at->second;
}

bool PageReader::bring_to_front(std::size_t chunk) {
    if (!slabs_.empty() && slabs_.front().slab->chunk == chunk) return true;
    const auto found = by_chunk_.find(chunk);
    if (found == by_chunk_.end()) return false;
    slabs_.splice(slabs_.begin(), slabs_, found->second);
    return true;
}

const PageReader::Rows* PageReader::cached(std::size_t chunk, ChannelId channel) {
    if (!narrowed_.empty()) {
        const auto narrowed = narrowed_.find(chunk);
        if (narrowed != narrowed_.end() && !std::binary_search(narrowed->second.begin(), narrowed->second.end(), channel)) {
            narrowed_.erase(narrowed);
        }
    }
    if (!bring_to_front(chunk)) return nullptr;
    const Rows* rows = run_in(*slabs_.front().slab, channel);
    if (rows == nullptr) drop(slabs_.begin());
    return rows;
}

void PageReader::drop(Slabs::iterator kept) {
    bytes_ -= kept->slab->bytes;
    by_chunk_.erase(kept->slab->chunk);
    slabs_.erase(kept);
}

void PageReader::narrow(std::uint32_t chunk, std::vector<ChannelId> channels) {
    const std::lock_guard lock(mutex_);
    if (channels.empty()) {
        narrowed_.erase(chunk);
    } else {
        narrowed_[chunk] = std::move(channels);
    }
}

std::shared_ptr<const store::Run> PageReader::load(ChannelId channel, const store::PageTable& table, std::size_t page) {
    const std::size_t chunk = table.pages()[page].chunk;
    Rows rows = ledger_->rows_in_memory(chunk);
    if (rows != nullptr) return rows;
    bool is_picked = false;
    std::size_t bytes = 0;
    {
        std::unique_lock lock(mutex_);
        const Rows* kept = cached(chunk, channel);
        if (kept == nullptr) ++waits_;
        for (; kept == nullptr && reading_ == chunk; kept = cached(chunk, channel)) requested_.wait(lock);
        if (kept != nullptr) {
            rows = *kept;
            bytes = slabs_.front().slab->bytes;
        }
        is_picked = narrowed_.contains(chunk);
    }
    if (rows == nullptr) {
        const std::shared_ptr<const Slab> slab = read(reader_, chunk);
        const Rows* read_rows = run_in(*slab, channel);
        SLA_CHECK(read_rows != nullptr && *read_rows != nullptr);
        rows = *read_rows;
        bytes = slab->bytes;
        if (!slab->is_out_of_reach) insert(slab);
        report_damage();
    }
    // Whoever goes on to the next chunk goes on: the worker reads ahead meanwhile. But not who said what to read.
    if (last_loaded_ != chunk) {
        report_damage();  // also what the worker found in it: not everybody polls
        const bool onwards = !is_picked && last_loaded_ != kNoChunk && chunk > last_loaded_ && chunk - last_loaded_ <= 2;
        last_loaded_ = chunk;
        for (std::size_t ahead = onwards ? chunks_ahead(bytes) : 0; ahead > 0; --ahead) {
            if (chunk + ahead < ledger_->chunk_count()) request({chunk + ahead, false});
        }
    }
    return rows;
}

// As many as there is space for beside two that are in use: where one ends and the next begins both are, again and again.
std::size_t PageReader::chunks_ahead(std::size_t bytes_each) const {
    const std::size_t space = limit_ / std::max<std::size_t>(bytes_each, 1);
    return space <= kLeastKept ? 0 : std::min(space - kLeastKept, kMostAhead);
}

std::shared_ptr<const store::Run> PageReader::find(ChannelId channel, const store::PageTable& table, std::size_t page) {
    const std::size_t chunk = table.pages()[page].chunk;
    if (Rows rows = ledger_->rows_in_memory(chunk)) return rows;
    {
        const std::lock_guard lock(mutex_);
        if (const Rows* rows = cached(chunk, channel); rows != nullptr && (*rows)->has_index()) {
            slabs_.front().found = turn_;
            return *rows;
        }
    }
    request({chunk, true});
    return nullptr;
}

PageReader::Another PageReader::another() const {
    return [ledger = ledger_, most = limit_](store::Session& reader, std::size_t cache_bytes) {
        return std::make_shared<PageReader>(ledger, reader, std::min(cache_bytes, most));
    };
}

void PageReader::let_go(std::shared_ptr<const store::Run> page) {
    if (page.use_count() > 1) return;  // still kept
    {
        const std::lock_guard lock(mutex_);
        let_go_.push_back(std::move(page));
    }
    requested_.notify_all();
}

std::shared_ptr<const PageReader::Slab> PageReader::read(std::optional<capture::ChunkReader>& reader, std::size_t chunk) {
    open_chunks(*ledger_, reader);
    return decode(reader, chunk, load_chunk(*ledger_, chunk, reader ? &*reader : nullptr));
}

std::shared_ptr<const PageReader::Slab> PageReader::decode(std::optional<capture::ChunkReader>& reader, std::size_t chunk,
                                                           const Result<void>& loaded) {
    std::vector<ChannelId> only;
    {
        const std::lock_guard lock(mutex_);
        if (const auto narrowed = narrowed_.find(chunk); narrowed != narrowed_.end()) only = narrowed->second;
    }
    DecodedChunk decoded = decode_loaded(*ledger_, chunk, loaded, reader ? &*reader : nullptr, only);
    auto slab = std::make_shared<Slab>();
    slab->chunk = chunk;
    slab->runs = std::move(decoded.runs);
    slab->bytes = decoded.bytes;
    slab->is_out_of_reach = !loaded && loaded.error().code == ErrorCode::kUnavailable;
    if (!decoded.damage.empty()) {
        const std::lock_guard lock(mutex_);
        note_damage(chunk, std::move(decoded.damage), slab->is_out_of_reach);
    }
    return slab;
}

void PageReader::insert(std::shared_ptr<const Slab> slab) {
    std::vector<std::shared_ptr<const Slab>> dropped;  // freed without the lock
    const std::lock_guard lock(mutex_);
    if (by_chunk_.contains(slab->chunk)) return;
    bytes_ += slab->bytes;
    const std::size_t chunk = slab->chunk;
    slabs_.push_front({std::move(slab), 0});
    by_chunk_[chunk] = slabs_.begin();
    while (bytes_ > limit_ && slabs_.size() > kLeastKept) {
        const Kept& oldest = slabs_.back();
        if (oldest.found == turn_ && bytes_ <= 2 * limit_) break;
        bytes_ -= oldest.slab->bytes;
        by_chunk_.erase(oldest.slab->chunk);
        dropped.push_back(oldest.slab);
        slabs_.pop_back();
    }
}

void PageReader::poll() {
    report_damage();
    const std::lock_guard lock(mutex_);
    ++turn_;
    if (std::exchange(reported_, arrived_) != arrived_) session_.note_pages();
}

std::size_t PageReader::cached_bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

}  // namespace sla::ingest
