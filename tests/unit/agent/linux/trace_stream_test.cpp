#include "agent/linux/tracefs/trace_stream.h"

#include "tests/unit/agent/linux/page_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>

namespace sla::linux {
namespace {

using Pages = std::shared_ptr<std::deque<std::vector<std::byte>>>;

// A CPU whose pages are these; reads give one each, then nothing.
CpuReader reader_of(int cpu, const Pages& pages) {
    return CpuReader(
        cpu,
        [pages](std::byte* buffer, std::size_t bytes) -> long {
            if (pages->empty()) return 0;
            const std::vector<std::byte> page = pages->front();
            pages->pop_front();
            EXPECT_LE(page.size(), bytes);
            std::copy(page.begin(), page.end(), buffer);
            return static_cast<long>(page.size());
        },
        4096);
}

std::vector<std::byte> page_with(std::initializer_list<std::uint64_t> ticks, std::int64_t lost = 0) {
    PageBuilder page(*ticks.begin());
    std::uint64_t last = *ticks.begin();
    for (const std::uint64_t tick : ticks) {
        page.event(static_cast<std::uint32_t>(tick - last), std::vector<std::byte>(8));
        last = tick;
    }
    return page.bytes(lost);
}

class TraceStreamTest : public testing::Test {
protected:
    TraceStreamTest() {
        stream_.add(reader_of(0, pages_[0]));
        stream_.add(reader_of(1, pages_[1]));
    }
    // (cpu, tick) of every event up to the bound.
    std::vector<std::pair<int, std::uint64_t>> take(std::uint64_t bound) {
        std::vector<std::pair<int, std::uint64_t>> taken;
        stream_.take(bound, [&](int cpu, const auto& what) {
            if constexpr (std::is_same_v<decltype(what), const TraceRecord&>) {
                taken.emplace_back(cpu, what.tick);
            } else if (what.kind == TraceItem::Kind::kLoss) {
                losses_.push_back(what);
            }
        });
        return taken;
    }
    Pages pages_[2] = {std::make_shared<std::deque<std::vector<std::byte>>>(),
                       std::make_shared<std::deque<std::vector<std::byte>>>()};
    TraceStream stream_;
    std::vector<TraceItem> losses_;
};

constexpr std::uint64_t kNow = 1'000'000'000;

TEST_F(TraceStreamTest, EventsOfAllCpusComeInTimeOrder) {
    pages_[0]->push_back(page_with({100, 130, 170}));
    pages_[1]->push_back(page_with({110, 120, 180}));
    stream_.fill(kNow, 100);
    EXPECT_EQ(take(kNow),
              (std::vector<std::pair<int, std::uint64_t>>{{0, 100}, {1, 110}, {1, 120}, {0, 130}, {0, 170}, {1, 180}}));
}

TEST_F(TraceStreamTest, WhatIsAboveTheBoundWaitsForTheNextFill) {
    pages_[0]->push_back(page_with({100, 200}));
    stream_.fill(kNow, 100);
    EXPECT_EQ(take(150).size(), 1u);
    pages_[1]->push_back(page_with({160}));
    stream_.fill(kNow, 100);
    EXPECT_EQ(take(kNow), (std::vector<std::pair<int, std::uint64_t>>{{1, 160}, {0, 200}}));
}

TEST_F(TraceStreamTest, ACpuThatHadNoMoreMayBeLeftAlone) {
    pages_[0]->push_back(page_with({100}));
    pages_[0]->push_back(page_with({200}));
    EXPECT_TRUE(stream_.fill(kNow, 1).pressed);
    pages_[1]->push_back(page_with({300}));
    stream_.fill(kNow, 100, TraceStream::Reach::kToTheEnd, TraceStream::Ask::kThoseWithMore);
    EXPECT_EQ(take(kNow), (std::vector<std::pair<int, std::uint64_t>>{{0, 100}, {0, 200}}));
    stream_.fill(kNow, 100);
    EXPECT_EQ(take(kNow), (std::vector<std::pair<int, std::uint64_t>>{{1, 300}}));
}

TEST_F(TraceStreamTest, ACpuThatWasNotReadToItsEndHoldsTheBound) {
    for (std::uint64_t i = 0; i < 5; i++) pages_[0]->push_back(page_with({1000 + i * 100, 1050 + i * 100}));
    const TraceStream::Filled some = stream_.fill(kNow, 3);
    EXPECT_TRUE(some.pressed || !some.drained);
    EXPECT_LE(some.bound, 1200u);  // the newest page that was read begins there
    TraceStream::Filled rest;
    do rest = stream_.fill(kNow, 100);
    while (!rest.drained);
    EXPECT_EQ(rest.bound, kNow - kUnreadableTicks);
}

TEST_F(TraceStreamTest, ALossStandsBetweenTheEventsAroundIt) {
    pages_[0]->push_back(page_with({100, 110}));
    pages_[0]->push_back(page_with({500}, 42));
    while (!stream_.fill(kNow, 100).drained) {
    }
    take(kNow);
    ASSERT_EQ(losses_.size(), 1u);
    EXPECT_EQ(losses_[0].record.tick, 110u);
    EXPECT_EQ(losses_[0].until_tick, 500u);
    EXPECT_EQ(losses_[0].lost, 42u);
    EXPECT_EQ(stream_.cpus()[0].lost_reported(), 42u);
}

}  // namespace
}  // namespace sla::linux
