// The heap of a process of its own: what it grows by is marked for huge pages.
#include "proto/base/heap_pages.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace sla {
namespace {

constexpr std::size_t kBlock = std::size_t{256} << 10;

std::vector<std::unique_ptr<char[]>> blocks(std::size_t count) {
    std::vector<std::unique_ptr<char[]>> made;
    for (std::size_t i = 0; i < count; ++i) made.push_back(std::make_unique<char[]>(kBlock));
    return made;
}

// KiB of [heap] by whether they are marked.
struct Heap {
    std::size_t marked = 0;
    std::size_t all = 0;
};
Heap heap() {
    std::ifstream maps("/proc/self/smaps");
    Heap heap;
    std::size_t size = 0;
    bool is_heap = false;
    for (std::string line; std::getline(maps, line);) {
        if (line.find('-') != std::string::npos && line.find("-") < line.find(' ') && line.find(':') > line.find(' '))
            is_heap = line.ends_with("[heap]");
        if (line.starts_with("Size:")) size = std::stoul(line.substr(5));
        if (!is_heap || !line.starts_with("VmFlags:")) continue;
        heap.all += size;
        if (line.find(" hg") != std::string::npos) heap.marked += size;
    }
    return heap;
}

TEST(HeapPages, AreHugeWhereTheHeapHasGrown) {
    const void* const before = ::sbrk(0);
    set_up_heap();
    const auto kept = blocks(256);
    if (::sbrk(0) == before) GTEST_SKIP() << "this allocator has no heap of that kind";
    spread_huge_pages();
    const Heap first = heap();
    if (first.marked == 0 && ::access("/sys/kernel/mm/transparent_hugepage", F_OK) != 0)
        GTEST_SKIP() << "this kernel has no huge pages";
    EXPECT_GE(first.marked, kept.size() * kBlock / 1024 * 9 / 10);
    const auto more = blocks(256);
    spread_huge_pages();
    EXPECT_GE(heap().marked, first.marked + more.size() * kBlock / 1024 * 9 / 10);
    EXPECT_LE(heap().marked, heap().all);
}

}  // namespace
}  // namespace sla
