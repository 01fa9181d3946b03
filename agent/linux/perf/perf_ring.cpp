#include "agent/linux/perf/perf_ring.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sla::linux {
namespace {

constexpr std::size_t kDataPages = 128;  // the kernel wants a power of two; 512 KiB is some 8 000 samples

std::size_t page_bytes() {
    return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

Result<PerfRing> PerfRing::map(int fd) {
    void* base = ::mmap(nullptr, (1 + kDataPages) * page_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (base != MAP_FAILED) return PerfRing(static_cast<std::byte*>(base));
    if (errno == EPERM)
        return unavailable(
            "no permission: the buffers of perf events are more than this user may lock; as root: sysctl "
            "kernel.perf_event_mlock_kb=4096");
    return system_error("cannot map the buffer of a perf event", errno);
}

PerfRing::PerfRing(PerfRing&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)), buffer_(std::move(other.buffer_)) {}

PerfRing::~PerfRing() {
    if (base_ != nullptr) ::munmap(base_, (1 + kDataPages) * page_bytes());
}

bool PerfRing::drain(const std::function<void(const PerfRecord&)>& visit) {
    auto* page = reinterpret_cast<perf_event_mmap_page*>(base_);
    // Acquire: pairs with the kernel's write barrier between a record and data_head.
    const std::uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    std::uint64_t tail = page->data_tail;  // only we write it
    const std::span<const std::byte> data(base_ + page_bytes(), kDataPages * page_bytes());
    const bool whole = read_perf_records(data, &tail, head, buffer_, visit);
    // Release: pairs with the kernel's read of data_tail before it writes over what we have read.
    __atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
    return whole;
}

}  // namespace sla::linux
