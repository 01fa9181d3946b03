#include "viewer/ingest/spill.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

namespace sla::ingest {

namespace {

constexpr std::uint64_t kPageBytes = std::uint64_t{4} << 20;     // and of texts no more, so that a page fits in a chunk
constexpr std::uint64_t kMinRows = 256;                          // of a page, however many lanes there are
constexpr std::uint64_t kWorthAPage = store::Run::kChunkEvents;  // where there are few
constexpr std::size_t kSealedAtOnce = 256;                       // lanes
constexpr auto kRetry = std::chrono::seconds(1);
constexpr std::size_t kMeasuredAtOnce = 256;  // lanes

}  // namespace

std::size_t Spill::cache_bytes(std::uint64_t limit) {
    constexpr std::size_t kMin = std::size_t{4} << 20;
    constexpr std::size_t kMax = std::size_t{96} << 20;
    return std::clamp(static_cast<std::size_t>(limit / 8), kMin, kMax);
}

Spill::Spill(store::Session& session, SpillOptions options)
    : session_(session),
      options_(std::move(options)),
      aim_bytes_(options_.aim_bytes == 0 ? options_.memory_bytes : std::min(options_.aim_bytes, options_.memory_bytes)),
      file_(std::make_shared<SpillFile>(options_.directory)),
      reader_(std::make_shared<PageReader>(file_, session_, cache_bytes(aim_bytes_))),
      writer_([this] { work(); }) {
    session_.hold(reader_);
    for (const store::Lane* lane : session_.lanes()) measure(*lane);
}

Spill::~Spill() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    changed_.notify_one();
    writer_.join();
    std::vector<std::shared_ptr<const store::Run>> left;
    for (Sealed& one : sealed_) left.push_back(std::move(one.run));
    file_->hold(std::move(left));  // for views that outlive the session
}

bool Spill::fills_page(const store::Lane& lane, std::uint64_t page_rows) {
    return lane.tail().size() >= page_rows || lane.tail().memory_bytes() >= kPageBytes;
}

void Spill::tend(store::Lane& lane) {
    measure(lane);
    if (!fills_page(lane, options_.page_rows)) return;
    seal(lane);
    make_space();
}

void Spill::poll() {
    reader_->poll();
    measure_some();
    make_space();
}

void Spill::measure(const store::Lane& lane) {
    std::uint64_t& known = lane_bytes_[&lane];
    lanes_bytes_ -= known;
    known = lane.memory_bytes();
    lanes_bytes_ += known;
}

// Lanes change a little without growing: an index is made when somebody looks. Each has its turn.
void Spill::measure_some() {
    const std::vector<store::Lane*>& lanes = session_.lanes();
    for (std::size_t left = std::min(lanes.size(), kMeasuredAtOnce); left > 0; --left) {
        if (next_measured_ >= lanes.size()) next_measured_ = 0;
        measure(*lanes[next_measured_++]);
    }
}

void Spill::seal(store::Lane& lane) {
    std::vector<store::NumberedSpan> open = lane.tail().start().open;
    const auto number = static_cast<std::uint32_t>(forgotten_ + sealed_.size());
    std::shared_ptr<const store::Run> run = lane.seal(*reader_, number);
    measure(lane);
    SLA_CHECK(file_->add({lane.channel().id, lane.pages()->pages().back(), std::move(open)}, run) == number);
    sealed_.push_back({&lane, std::move(run)});
}

// A page smaller than this is not worth it, unless lanes are so many that their tails together would take the memory.
std::uint64_t Spill::least_rows() const {
    const std::uint64_t lanes = std::max<std::uint64_t>(session_.lanes().size(), 1);
    return std::clamp(aim_bytes_ / (4 * store::RunRows::kRowBytes * lanes), kMinRows, kWorthAPage);
}

// Rows that no page holds yet, when there is nothing else left to make space with. Looking at all lanes takes time, so others
// that are nearly as large go with the largest.
void Spill::seal_largest() {
    std::uint64_t most = 0;
    for (const store::Lane* lane : session_.lanes()) most = std::max<std::uint64_t>(most, lane->tail().size());
    const std::uint64_t least = std::max(least_rows(), most - most / 4);
    std::size_t left = kSealedAtOnce;
    for (store::Lane* lane : session_.lanes()) {
        if (left == 0) return;
        if (lane->tail().size() < least) continue;
        seal(*lane);
        --left;
    }
}

std::uint64_t Spill::memory_in_use() const {
    return reader_->cached_bytes() + file_->memory_bytes() + lanes_bytes_;
}

void Spill::ask_for_oldest() {
    const std::shared_ptr<const store::Run>& run = sealed_[asked_++].run;
    asked_bytes_ += run->memory_bytes();
    jobs_.push_back(run);
    changed_.notify_one();
}

void Spill::make_space() {
    std::uint64_t in_use = memory_in_use();
    const std::uint64_t early = aim_bytes_ / 4 * 3;
    if (in_use <= early) return;
    if (asked_ == sealed_.size()) seal_largest();
    const std::lock_guard lock(mutex_);
    while (asked_ < sealed_.size() && in_use > early + asked_bytes_) ask_for_oldest();
    while (forgotten_ < written_ && in_use > aim_bytes_) {
        const Sealed oldest = std::move(sealed_.front());
        sealed_.pop_front();
        const std::uint64_t bytes = oldest.run->memory_bytes();
        oldest.lane->forget_page();
        measure(*oldest.lane);
        forgotten_rows_ += oldest.run->size();
        ++forgotten_;
        --asked_;
        asked_bytes_ -= bytes;
        in_use -= std::min(in_use, bytes);
    }
}

bool Spill::is_full() {
    make_space();
    return !sealed_.empty() && memory_in_use() > options_.memory_bytes;
}

SpillReport Spill::report() const {
    SpillReport report{memory_in_use(), forgotten_rows_, file_->bytes(), {}};
    const std::lock_guard lock(mutex_);
    report.failure = failure_;
    return report;
}

Result<void> Spill::write(const store::Run& run) {
    try {
        return file_->write_next(run);
    } catch (const std::bad_alloc&) {
        return unavailable("there is not enough memory to move older rows to a file");
    }
}

void Spill::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return over_ || !jobs_.empty(); });
        if (over_) return;
        const std::shared_ptr<const store::Run> run = jobs_.front();
        lock.unlock();
        const Result<void> done = write(*run);
        lock.lock();
        if (done) {
            jobs_.pop_front();
            ++written_;
            failure_.clear();
        } else {
            failure_ = done.error().message;
            changed_.wait_for(lock, kRetry, [this] { return over_; });
        }
    }
}

std::string default_spill_directory() {
    const char* directory = std::getenv("TMPDIR");
    return directory != nullptr && *directory == '/' ? directory : "/var/tmp";
}

std::uint64_t default_memory_bytes() {
    constexpr std::uint64_t kMax = std::uint64_t{2} << 30;
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long bytes = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || bytes <= 0) return kMax;
    return std::min(kMax, static_cast<std::uint64_t>(pages) / 4 * static_cast<std::uint64_t>(bytes));
}

}  // namespace sla::ingest
