// What the list of lanes costs a frame when a lane more has come: `lanes_bench [SOURCES [LANES_OF_EACH]]`. CPU time of the calls,
// one a frame, from when the lane came until it is listed; and of those that fold all sources and unfold them.
#include "tests/support/capture_builder.h"
#include "viewer/timeline/lanes/lane_tree.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace sla;

constexpr int kRounds = 10;

// CPU time of this thread alone: what else the machine does is not in it.
double cpu_ms() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double refresh_ms(timeline::LaneTree& tree, const store::Session& session) {
    const double begin = cpu_ms();
    tree.refresh(session);
    return cpu_ms() - begin;
}

void print(const char* what, std::vector<double> ms) {
    const double all = std::accumulate(ms.begin(), ms.end(), 0.0);
    std::sort(ms.begin(), ms.end());
    std::printf("%s: the longest call %.2f ms, p99 %.2f, p50 %.2f, all %zu together %.1f ms\n", what, ms.back(),
                ms[ms.size() * 99 / 100], ms[ms.size() / 2], ms.size(), all);
}

void fill(store::Session& session, std::size_t sources, std::size_t lanes) {
    support::CaptureBuilder capture;
    for (std::uint32_t source = 0; source < sources; ++source) {
        const auto id = capture.source("worker", support::BuilderSource::kProgram, 1000 + source);
        for (std::size_t i = 0; i < lanes; ++i) {
            const auto lane = capture.channel("part" + std::to_string(i % 7) + ".lane" + std::to_string(i), id);
            capture.tick(lane, 1000 + source + i, 1);
        }
    }
    capture.fill(session);
}

}  // namespace

int main(int count, char** words) {
    const std::size_t sources = count > 1 ? std::strtoul(words[1], nullptr, 10) : 500;
    const std::size_t lanes = count > 2 ? std::strtoul(words[2], nullptr, 10) : 40;
    store::Session session;
    fill(session, sources, lanes);
    timeline::LaneTree tree;
    tree.is_live = true;
    std::printf("%zu lanes of %zu sources\n", session.lanes().size(), sources);
    print("all of them, listed for the first time", {refresh_ms(tree, session)});
    std::vector<double> coming;
    std::vector<double> folding;
    for (std::uint32_t round = 0; round < kRounds; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2100));  // longer than it rests
        session.add_channel({ChannelId{1'000'000 + round}, session.lanes()[round]->channel().source,
                             "more." + std::to_string(round), "", false});
        while (tree.lanes().size() < session.lanes().size()) coming.push_back(refresh_ms(tree, session));
        for (int frame = 0; frame < 50; ++frame) refresh_ms(tree, session);
        std::vector<std::string> heads;
        for (const timeline::TreeRow& row : tree.rows()) {
            if (row.kind == timeline::RowKind::kSource) heads.push_back(row.key);
        }
        for (int twice = 0; twice < 2; ++twice) {
            for (const std::string& head : heads) tree.toggle(head);
            folding.push_back(refresh_ms(tree, session));
        }
    }
    print("one lane more", coming);
    print("all folded, all unfolded", folding);
    return 0;
}
