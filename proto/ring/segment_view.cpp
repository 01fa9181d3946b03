#include "proto/ring/segment_view.h"

#include "proto/ring/program_text.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>

#include <algorithm>
#include <utility>

namespace sla::ring {
namespace {

constexpr std::uint64_t kMaxLosses = std::uint64_t{1} << 48;  // of one channel between two accounts
constexpr int kMadvPopulateRead = 22;                         // MADV_POPULATE_READ, which older headers lack

template <typename T>
T load(const T& field) {
    return __atomic_load_n(&field, __ATOMIC_ACQUIRE);  // pairs with the releases of agent/marker
}

Result<void> check_memfd(int fd) {
    int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) {
        return damaged("the descriptor that the program sent is not a memfd sealed against shrinking");
    }
    struct stat info {};
    if (fstat(fd, &info) != 0 || static_cast<std::uint64_t>(info.st_size) != SLA_SEGMENT_BYTES) {
        return damaged("the program's segment has " + std::to_string(info.st_size) + " bytes, not " +
                       std::to_string(SLA_SEGMENT_BYTES));
    }
    return {};
}

}  // namespace

Result<SegmentView> SegmentView::map(int fd) {
    Result<void> usable = check_memfd(fd);
    if (!usable) {
        close(fd);
        return usable.error();
    }
    void* mapped = mmap(nullptr, SLA_SEGMENT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (mapped == MAP_FAILED) {
        const int failed = errno;
        close(fd);
        return system_error("cannot map a program's segment", failed);
    }
    SegmentView view(static_cast<unsigned char*>(mapped), fd);
    if (load(view.header().magic) != SLA_SEGMENT_MAGIC) return damaged("the program's segment does not begin as one");
    std::uint32_t version = load(view.header().version);
    if (version != SLA_ABI_VERSION) {
        return damaged("the program's segment is of version " + std::to_string(version) + ", this agent reads version " +
                       std::to_string(SLA_ABI_VERSION) + ": build both from the same SLA");
    }
    return view;
}

SegmentView::SegmentView(SegmentView&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)),
      fd_(std::exchange(other.fd_, -1)),
      releases_(other.releases_),
      mapped_bytes_(other.mapped_bytes_),
      are_pages_scarce_(other.are_pages_scarce_) {}

SegmentView::~SegmentView() {
    if (base_) munmap(base_, SLA_SEGMENT_BYTES);
    if (fd_ >= 0) close(fd_);
}

void SegmentView::release_pages() const {
    madvise(base_, SLA_SEGMENT_BYTES, MADV_DONTNEED);  // shared memory: the file keeps the bytes
    releases_++;
}

// A failure is none: what is not mapped here is mapped by the faults of those who read.
void SegmentView::map_pages(const unsigned char* at, std::uint64_t bytes) const {
    const auto begin = static_cast<std::uint64_t>(at - base_) & ~(kPageBytes - 1);
    const std::uint64_t end = static_cast<std::uint64_t>(at - base_) + bytes;
    madvise(base_ + begin, end - begin, kMadvPopulateRead);
    mapped_bytes_ += (end - 1) / kMappedAround * kMappedAround + kMappedAround - begin / kMappedAround * kMappedAround;
}

bool SegmentView::copy(const unsigned char* at, std::uint64_t bytes, void* to) const {
    return pread(fd_, to, bytes, at - base_) == static_cast<ssize_t>(bytes);
}

sla_segment_header& SegmentView::header() const {
    return *reinterpret_cast<sla_segment_header*>(base_);
}

const sla_channel_descriptor& SegmentView::descriptor(std::uint32_t index) const {
    SLA_CHECK(index >= 1 && index <= SLA_MAX_CHANNELS);
    return reinterpret_cast<const sla_channel_descriptor*>(base_ + SLA_CHANNEL_OFFSET)[index - 1];
}

std::uint64_t SegmentView::start_time() const {
    return load(header().start_time);
}
std::uint32_t SegmentView::source_kind() const {
    return load(header().source_kind);
}
std::uint32_t SegmentView::stamp_clock() const {
    return load(header().stamp_clock);
}
std::uint32_t SegmentView::section_ticks() const {
    return load(header().section_ticks);
}
std::string SegmentView::program() const {
    return program_text(header().program);
}
std::string SegmentView::command() const {
    return program_text(header().command);
}

std::uint32_t SegmentView::channel_count() const {
    return std::min(load(header().channel_count), SLA_MAX_CHANNELS);
}
std::uint32_t SegmentView::ring_count() const {
    return std::min(load(header().ring_count), SLA_MAX_RINGS);
}

std::uint64_t SegmentView::rings_opened() const {
    return load(header().rings_opened);
}

ChannelDescription SegmentView::channel(std::uint32_t index) const {
    const sla_channel_descriptor& from = descriptor(index);
    ChannelDescription to;
    to.name = program_text(from.name);
    if (to.name.empty()) to.name = "unnamed";  // rows of tables and files belong to a name
    to.format = program_text(from.format);
    to.overwrite = load(from.policy) == SLA_OVERWRITE;
    constexpr std::uint32_t kPerWord = 32;
    const std::uint64_t word = load(header().stamping[(index - 1) / kPerWord]);
    const auto stamping = static_cast<std::uint32_t>(word >> (index - 1) % kPerWord * 2 & 3);
    if (stamp_clock() == SLA_STAMP_TSC && (stamping == SLA_RDTSCP || stamping == SLA_LFENCE_RDTSC)) {
        to.stamping = static_cast<sla_stamping>(stamping);
        to.section_ticks = load(header().ordered_section_ticks[stamping - 1]);
    }
    return to;
}

// The first tick is taken before the total is read, so that it is never newer than the first of what is accounted for.
// An event that found the tick set and is counted only after the reading leaves the next account none.
SegmentView::NoRingLoss SegmentView::account(std::uint64_t& lost, std::uint64_t& accounted, std::uint64_t& first_tick,
                                             const std::uint64_t& last_tick) {
    NoRingLoss loss;
    const std::uint64_t before = load(accounted);
    const std::uint64_t seen = load(lost);
    loss.is_damage = seen < before || seen - before > kMaxLosses;
    if (loss.is_damage) __atomic_store_n(&accounted, seen, __ATOMIC_RELEASE);  // goes on from what it says now
    if (loss.is_damage || seen <= before) return loss;
    loss.first_tick = __atomic_exchange_n(&first_tick, 0, __ATOMIC_ACQ_REL) & SLA_TICK_MASK;  // as count_loss leaves it
    const std::uint64_t total = load(lost);
    if (total <= before || total - before > kMaxLosses) return loss;
    loss.events = total - before;
    loss.last_tick = load(last_tick) & SLA_TICK_MASK;
    __atomic_store_n(&accounted, total, __ATOMIC_RELEASE);  // read by the next agent's account
    return loss;
}

SegmentView::NoRingLoss SegmentView::account_lost_no_ring(std::uint32_t channel_index) const {
    auto& from = const_cast<sla_channel_descriptor&>(descriptor(channel_index));
    return account(from.lost_no_ring, from.lost_accounted, from.lost_first_tick, from.lost_last_tick);
}

SegmentView::NoRingLoss SegmentView::account_lost_no_channel() const {
    sla_segment_header& from = header();
    return account(from.lost_no_channel, from.lost_no_channel_accounted, from.no_channel_first_tick,
                   from.no_channel_last_tick);
}

SegmentView::NoRingLoss SegmentView::account_lost_unregistered() const {
    sla_segment_header& from = header();
    return account(from.lost_unregistered, from.lost_unregistered_accounted, from.unregistered_first_tick,
                   from.unregistered_last_tick);
}

std::uint64_t SegmentView::lost_without_ring() const {
    return load(header().lost_without_ring);
}

SegmentView::Absence SegmentView::take_absence() const {
    Absence absence;
    absence.until_tick = load(header().attached_tick) & SLA_TICK_MASK;
    absence.from_tick = __atomic_exchange_n(&header().detached_tick, 0, __ATOMIC_ACQ_REL) & SLA_TICK_MASK;  // as load
    return absence;
}

bool SegmentView::is_attaching() const {
    return (load(header().attached_tick) & SLA_ATTACHING) != 0;
}

std::uint64_t SegmentView::attached_tick() const {
    return load(header().attached_tick) & SLA_TICK_MASK;
}

// The sequence is odd while fields change: a marker that reads in between keeps its event. A program that scribbles over the
// sequence fools its own markers only. Every release pairs with an acquire of read_config (agent/marker/filter.c).
void SegmentView::set_control(std::uint32_t channel_index, const ChannelControl& control) const {
    sla_channel_control& to = const_cast<sla_channel_descriptor&>(descriptor(channel_index)).control;
    std::uint32_t sequence = __atomic_load_n(&to.sequence, __ATOMIC_RELAXED) | 1;
    __atomic_store_n(&to.sequence, sequence, __ATOMIC_RELAXED);
    __atomic_store_n(&to.off, static_cast<std::uint16_t>(control.off), __ATOMIC_RELEASE);
    __atomic_store_n(&to.policy, control.policy, __ATOMIC_RELEASE);
    __atomic_store_n(&to.compare, control.compare, __ATOMIC_RELEASE);
    __atomic_store_n(&to.real, static_cast<std::uint32_t>(control.real), __ATOMIC_RELEASE);
    __atomic_store_n(&to.low, control.low, __ATOMIC_RELEASE);
    __atomic_store_n(&to.high, control.high, __ATOMIC_RELEASE);
    __atomic_store_n(&to.every, control.every, __ATOMIC_RELEASE);
    __atomic_store_n(&to.sequence, sequence + 1, __ATOMIC_RELEASE);
}

std::uint64_t SegmentView::account_filtered(std::uint32_t channel_index) const {
    sla_channel_control& from = const_cast<sla_channel_descriptor&>(descriptor(channel_index)).control;
    std::uint64_t total = load(from.filtered);
    std::uint64_t accounted = load(from.filtered_accounted);
    if (total <= accounted) return 0;
    __atomic_store_n(&from.filtered_accounted, total, __ATOMIC_RELEASE);  // read by the next agent's account_filtered
    return total - accounted;
}

sla_ring_header* SegmentView::ring(std::uint32_t number) const {
    SLA_CHECK(number < SLA_MAX_RINGS);
    return reinterpret_cast<sla_ring_header*>(base_ + SLA_RING_OFFSET) + number;
}

const unsigned char* SegmentView::arena(std::uint64_t offset, std::uint64_t bytes) const {
    bool inside = offset >= SLA_ARENA_OFFSET && offset <= SLA_SEGMENT_BYTES && bytes <= SLA_SEGMENT_BYTES - offset;
    return inside && offset % 16 == 0 ? base_ + offset : nullptr;
}

void SegmentView::count_free_ring() const {
    __atomic_fetch_add(&header().free_rings, 1, __ATOMIC_RELAXED);  // a hint only
}

}  // namespace sla::ring
