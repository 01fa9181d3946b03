#include "viewer/sql/heap.h"

#include <malloc.h>
#include <sqlite3.h>

#include <cstdlib>
#include <mutex>

namespace sla::sql {

namespace {

// glibc keeps 8 bytes beside a block, and gives at least 24: what can be used is three quarters of what is taken, or more.
constexpr std::uint64_t kUsable = 3;
constexpr std::uint64_t kTaken = 4;
constexpr int kAlign = 16;

int usable_bytes(void* block) {
    return static_cast<int>(::malloc_usable_size(block));
}

int usable_of(int bytes) {
    constexpr int kBeside = 8;
    constexpr int kLeast = 24;
    const int usable = (bytes + kBeside + kAlign - 1) / kAlign * kAlign - kBeside;
    return usable < kLeast ? kLeast : usable;
}

const sqlite3_mem_methods kMethods = {
    [](int bytes) { return std::malloc(static_cast<std::size_t>(bytes)); },
    [](void* block) { std::free(block); },
    [](void* block, int bytes) { return std::realloc(block, static_cast<std::size_t>(bytes)); },
    usable_bytes,
    usable_of,
    [](void*) { return SQLITE_OK; },
    [](void*) {},
    nullptr};

}  // namespace

void bound_heap(std::uint64_t bytes) {
    static std::once_flag once;
    std::call_once(once, [] { sqlite3_config(SQLITE_CONFIG_MALLOC, &kMethods); });
    const std::uint64_t counted = bytes / kTaken * kUsable;
    sqlite3_hard_heap_limit64(static_cast<sqlite3_int64>(counted));
}

}  // namespace sla::sql
