#include "proto/base/heap_pages.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace sla {
namespace {

constexpr int kGrowth = 16 << 20;     // bytes
constexpr int kKeptOnTop = 48 << 20;  // free at its end, before any of it goes back
constexpr std::uintptr_t kPage = 4096;

std::atomic<std::uintptr_t> spread_until{0};

std::uintptr_t heap_end() {
    return reinterpret_cast<std::uintptr_t>(::sbrk(0));
}

}  // namespace

void set_up_heap(int largest_block) {
    ::mallopt(M_ARENA_MAX, 1);
    ::mallopt(M_TOP_PAD, kGrowth);
    ::mallopt(M_TRIM_THRESHOLD, kKeptOnTop);
    ::mallopt(M_MMAP_THRESHOLD, largest_block);
    spread_until.store(heap_end(), std::memory_order_relaxed);
}

// Two threads at once ask twice for the same: no harm.
void spread_huge_pages() {
    const std::uintptr_t end = heap_end();
    const std::uintptr_t begin = spread_until.load(std::memory_order_relaxed);
    if (begin == end || begin == 0) return;
    spread_until.store(end, std::memory_order_relaxed);
    const std::uintptr_t first = begin & ~(kPage - 1);
    if (first < end) ::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

}  // namespace sla
