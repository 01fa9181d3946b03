// open_bench FILE: what it takes to open a capture before anything is asked: time and memory, with the file's index in the
// kernel's cache and out of it; then one picture's worth of questions.
#include "proto/base/heap_pages.h"
#include "proto/capture/capture_index.h"
#include "proto/capture/chunk_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>

namespace {

using namespace sla::capture;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Resident now, and at most so far, MiB.
double status_mib(const std::string& field) {
    std::ifstream in("/proc/self/status");
    for (std::string word; in >> word;) {
        double kib = 0;
        if (word == field && in >> kib) return kib / 1024;
    }
    return 0;
}

void forget_in_kernel(const char* path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    fdatasync(file);
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    close(file);
}

// The sum of all summaries of a channel: the coarsest picture.
void ask(const CaptureIndex& index, const char* path) {
    const auto start = Clock::now();
    std::uint64_t rows = 0;
    for (const CaptureIndex::Lane& lane : index.lanes()) {
        LaneSummary sum;
        for (const LaneSummary& summary : lane.summaries) sum.absorb(summary);
        rows += sum.rows;
    }
    std::printf("sum of all summaries: %llu rows, %.2f ms\n", static_cast<unsigned long long>(rows), ms_since(start));
    auto reader = ChunkReader::open(path);
    if (!reader || index.chunks().empty()) return;
    const ChunkPlace& middle = index.chunks()[index.chunks().size() / 2];
    const auto begin = Clock::now();
    const auto detail = reader->detail(middle);
    const double detail_ms = ms_since(begin);
    const auto loading = Clock::now();
    const bool loaded = reader->load(middle).ok();
    std::printf("the middle chunk: %zu cells in %.2f ms, unpacked in %.2f ms%s\n", detail ? detail->cells.size() : 0,
                detail_ms, ms_since(loading), loaded ? "" : " (failed)");
}

}  // namespace

int main(int count, char** words) {
    sla::set_up_heap();  // as the programs do that open captures
    if (count != 2) return std::fprintf(stderr, "usage: open_bench FILE\n"), 2;
    for (const char* how : {"cold", "warm", "warm"}) {
        if (*how == 'c') forget_in_kernel(words[1]);
        const double before = status_mib("VmRSS:");
        const auto start = Clock::now();
        const auto index = CaptureIndex::open(words[1]);
        const double ms = ms_since(start);
        if (!index) return std::fprintf(stderr, "%s\n", index.error().message.c_str()), 3;
        std::size_t summaries = 0;
        for (const CaptureIndex::Lane& lane : index->lanes()) summaries += lane.summaries.size();
        std::printf(
            "%s: %.1f ms, %.1f MiB (at most %.1f MiB in all), %.1f MB file, %zu chunks, %zu lanes, %zu summaries%s\n", how,
            ms, status_mib("VmRSS:") - before, status_mib("VmHWM:"), static_cast<double>(index->file_bytes()) / 1e6,
            index->chunks().size(), index->lanes().size(), summaries, index->made_anew() ? ", made anew" : "");
        if (*how == 'w') ask(*index, words[1]);
    }
    return 0;
}
