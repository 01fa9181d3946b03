#include "agent/linux/perf/open_for_threads.h"

#include <gtest/gtest.h>

namespace sla::linux {
namespace {

using Threads = std::vector<pid_t>;

// A process whose threads are listed in these words, the last one for ever.
class Process {
public:
    explicit Process(std::vector<Threads> lists) : lists_(std::move(lists)) {}
    Result<OfThreads<Threads>> open() {
        return open_for_threads<Threads>([this] { return lists_[std::min(listed_++, lists_.size() - 1)]; },
                                         [this](const Threads& threads) -> Result<Threads> {
                                             ++opened_;
                                             return threads;
                                         });
    }
    [[nodiscard]] int opened() const { return opened_; }

private:
    std::vector<Threads> lists_;
    std::size_t listed_ = 0;
    int opened_ = 0;
};

TEST(OpenForThreads, OpensOnceWhereNoThreadIsBorn) {
    Process process({{3, 1, 2}, {1, 2, 3}});
    const auto got = process.open();
    ASSERT_TRUE(got.ok());
    EXPECT_EQ(got->opened, (Threads{1, 2, 3}));
    EXPECT_TRUE(got->is_whole);
    EXPECT_EQ(process.opened(), 1);
}

TEST(OpenForThreads, OpensAnewForOneThatWasBornMeanwhile) {
    Process process({{1}, {1, 2}, {1, 2, 3}, {1, 2, 3}});
    const auto got = process.open();
    ASSERT_TRUE(got.ok());
    EXPECT_EQ(got->opened, (Threads{1, 2, 3})) << "each once: what the first try opened is gone";
    EXPECT_TRUE(got->is_whole);
    EXPECT_EQ(process.opened(), 3);
}

TEST(OpenForThreads, OneThatHasEndedIsNoReason) {
    Process process({{1, 2, 3}, {1, 3}});
    const auto got = process.open();
    ASSERT_TRUE(got.ok());
    EXPECT_TRUE(got->is_whole);
    EXPECT_EQ(process.opened(), 1);
}

TEST(OpenForThreads, SaysWhereThreadsComeFasterThanTheyAreOpened) {
    std::vector<Threads> lists;
    for (pid_t thread = 1; thread < 100; ++thread) lists.push_back({thread});
    Process process(std::move(lists));
    const auto got = process.open();
    ASSERT_TRUE(got.ok());
    EXPECT_FALSE(got->is_whole);
    EXPECT_LT(process.opened(), 20) << "it ends all the same";
}

TEST(OpenForThreads, WhatCannotBeOpenedIsAnError) {
    const auto got = open_for_threads<Threads>([] { return Threads{1}; },
                                               [](const Threads&) -> Result<Threads> { return unavailable("no"); });
    EXPECT_FALSE(got.ok());
}

}  // namespace
}  // namespace sla::linux
