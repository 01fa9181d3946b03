// What the PageReader's own thread does: chunks that somebody will want are read, rows that nobody wants are freed.
#include "viewer/ingest/pages/chunk_decoder.h"
#include "viewer/ingest/pages/page_reader.h"

#include <algorithm>
#include <new>
#include <utility>

namespace sla::ingest {

namespace {

constexpr std::size_t kMaxRequests = 256;
constexpr std::chrono::milliseconds kMaxTimeout{4000};  // it doubles with each attempt in vain

}  // namespace

void PageReader::request(PageRequest request) {
    {
        const std::lock_guard lock(mutex_);
        if ((by_chunk_.contains(request.chunk) && !request.with_index) || reading_ == request.chunk) return;
        const auto known = std::find_if(requests_.begin(), requests_.end(),
                                        [&](const PageRequest& one) { return one.chunk == request.chunk; });
        if (known != requests_.end()) {
            request.with_index |= known->with_index;
            request.not_before = known->not_before;
            requests_.erase(known);
        }
        if (requests_.size() >= kMaxRequests) requests_.erase(requests_.begin());
        requests_.push_back(request);
    }
    requested_.notify_all();
}

void PageReader::work() {
    std::optional<capture::ChunkReader> reader;
    std::unique_lock lock(mutex_);
    for (;;) {
        const auto has_work = [this] { return over_ || !let_go_.empty() || next_request() <= Clock::now(); };
        while (!has_work()) {
            if (requests_.empty()) {
                requested_.wait(lock);
            } else {
                requested_.wait_until(lock, next_request());
            }
        }
        if (over_) return;
        std::vector<std::shared_ptr<const store::Run>> freed = std::exchange(let_go_, {});
        if (!freed.empty()) {
            lock.unlock();
            freed.clear();
            lock.lock();
            continue;
        }
        if (const std::optional<PageRequest> request = take_request()) fulfil(*request, reader, lock);
    }
}

PageReader::Clock::time_point PageReader::next_request() const {
    Clock::time_point soonest = Clock::time_point::max();
    for (const PageRequest& request : requests_) soonest = std::min(soonest, request.not_before);
    return soonest;
}

std::optional<PageReader::PageRequest> PageReader::take_request() {
    const auto newest_of = [this](Clock::time_point now) {
        return std::find_if(requests_.rbegin(), requests_.rend(),
                            [&](const PageRequest& one) { return one.not_before <= now; });
    };
    auto at = newest_of({});  // one that never was in vain
    if (at == requests_.rend()) at = newest_of(Clock::now());
    if (at == requests_.rend()) return std::nullopt;
    const PageRequest request = *at;
    requests_.erase(std::prev(at.base()));
    return request;
}

void PageReader::fulfil(PageRequest request, std::optional<capture::ChunkReader>& reader,
                        std::unique_lock<std::mutex>& lock) {
    std::shared_ptr<const Slab> slab;
    if (const auto kept = by_chunk_.find(request.chunk); kept != by_chunk_.end()) slab = kept->second->slab;
    if (slab != nullptr && !request.with_index) return;
    reading_ = request.chunk;
    lock.unlock();
    bool has_come = true;
    const bool is_read = slab == nullptr;
    std::string problem;
    try {
        if (is_read) slab = read_soon(reader, request.chunk, problem);
        if (request.with_index && slab != nullptr) {
            for (const auto& [channel, rows] : slab->runs) rows->make_index();
        }
        if (slab != nullptr) insert(std::move(slab));
    } catch (const std::bad_alloc&) {  // whoever wants it asks again, as long as it is in sight
        has_come = false;
    }
    lock.lock();
    reading_ = kNoChunk;
    if (is_read) note_reach(request, problem);
    has_come = has_come && problem.empty();
    if (has_come) ++arrived_;
    if (!has_come && problem.empty() && !std::exchange(wanted_memory_, true)) {
        damage_.push_back({{}, "there is not enough memory for rows of this file that are in sight: they stay rough"});
    }
    requested_.notify_all();
}

void PageReader::note_reach(const PageRequest& request, const std::string& problem) {
    if (problem.empty()) {
        if (!is_cut_off_) return;
        timeout_ = kMinTimeout;
        // The others may come too now; or they are elsewhere, where nothing has changed.
        const Clock::time_point soon = Clock::now() + kMinTimeout;
        bool all_come = true;
        for (PageRequest& one : requests_) {
            all_come = all_come && one.not_before == Clock::time_point{};
            one.not_before = std::min(one.not_before, soon);
        }
        if (!all_come) return;
        is_cut_off_ = false;
        news_.push_back(ledger_->path() + ": rows come again");
        return;
    }
    if (!std::exchange(is_cut_off_, true))
        news_.push_back(ledger_->path() + ": " + problem + "; rows in sight are asked for again until they come");
    // Who asks for others finds them before it.
    requests_.insert(requests_.begin(), {request.chunk, request.with_index, Clock::now() + timeout_});
    timeout_ = std::min(2 * timeout_, kMaxTimeout);
}

std::shared_ptr<const PageReader::Slab> PageReader::read_soon(std::optional<capture::ChunkReader>& reader, std::size_t chunk,
                                                              std::string& problem) {
    open_chunks(*ledger_, reader);
    std::chrono::milliseconds timeout{};
    {
        const std::lock_guard lock(mutex_);
        timeout = timeout_;
    }
    const bool comes_later = reader && reader->set_timeout(timeout);
    const Result<void> loaded = load_chunk(*ledger_, chunk, reader ? &*reader : nullptr);
    if (loaded || !comes_later || loaded.error().code != ErrorCode::kUnavailable) return decode(reader, chunk, loaded);
    problem = loaded.error().message;
    return nullptr;
}

}  // namespace sla::ingest
