// stats_bench FILE [ROUNDS]: statistics of all channels over random intervals of a capture that stays in its file, from
// the sums it keeps, and how much of that the first look costs. Rows are not kept from one interval to the next. Then all
// pairs of all channels, once, from every row.
#include "tests/bench/percentiles.h"
#include "viewer/analysis/intervals/statistics.h"
#include "viewer/ingest/file_source.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace {

using sla::analysis::Selection;

double ms_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double measure(const sla::store::Session& session, const Selection& selection) {
    sla::analysis::StatisticsOptions options;
    options.from_sums = true;
    const auto start = std::chrono::steady_clock::now();
    const auto rows = sla::analysis::channel_statistics(session, selection, options);
    const double spent = ms_since(start);
    return rows.empty() ? 0 : spent;
}

// All pairs of all channels, in walks over every row.
void measure_pairs(const sla::store::Session& session) {
    const auto start = std::chrono::steady_clock::now();
    const auto rows = sla::analysis::pair_statistics(session, "*:*", {});
    const double spent = ms_since(start);
    if (!rows.ok()) return static_cast<void>(std::printf("%s\n", rows.error().message.c_str()));
    std::uint64_t intervals = 0;
    for (const auto& row : *rows) intervals += row.numbers.count;
    std::printf("%zu pairs, %llu intervals: %.1f ms, %.1f ns an interval\n", rows->size(),
                static_cast<unsigned long long>(intervals), spent,
                spent * 1e6 / static_cast<double>(std::max<std::uint64_t>(intervals, 1)));
}

void print(const char* what, std::vector<double> spent) {
    const sla::bench::Percentiles numbers = sla::bench::percentiles(spent);
    std::printf("%-44s p50 %7.1f ms  p99 %7.1f ms\n", what, numbers.p50, numbers.p99);
}

}  // namespace

int main(int count, char** words) {
    if (count < 2) return std::fprintf(stderr, "stats_bench FILE [ROUNDS]\n"), 2;
    const int rounds = count > 2 ? std::atoi(words[2]) : 30;
    sla::ingest::FileOptions options;
    options.rows_in_memory = 0;
    options.cache_bytes = std::size_t{64} << 20;
    sla::store::Session session;
    const auto start = std::chrono::steady_clock::now();
    if (const auto loaded = sla::ingest::load_file(words[1], session, {}, options); !loaded.ok()) {
        return std::fprintf(stderr, "%s\n", loaded.error().message.c_str()), 3;
    }
    std::printf("%llu events on %zu channels, opened in %.1f ms\n", static_cast<unsigned long long>(session.events()),
                session.lanes().size(), ms_since(start));
    Selection all;
    all.lanes.assign(session.lanes().begin(), session.lanes().end());
    std::vector<double> whole;
    std::vector<double> any;
    std::vector<double> one;
    std::mt19937_64 random(1);
    const std::uint64_t first = session.first_tick();
    const std::uint64_t length = session.last_tick() - first;
    for (int round = 0; round < rounds; ++round) {
        whole.push_back(measure(session, all));
        const auto [from, until] = std::minmax({first + random() % length, first + random() % length});
        Selection part = all;
        part.from = from;
        part.until = until;
        any.push_back(measure(session, part));
        part.lanes = {all.lanes[random() % all.lanes.size()]};
        one.push_back(measure(session, part));
    }
    print("everything", whole);
    print("all channels, between two random places", any);
    print("one channel, between the same two", one);
    measure_pairs(session);
    return 0;
}
