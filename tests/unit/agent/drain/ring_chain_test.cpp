// A writer that goes from ring to ring, the thread that keeps its stock, and the agent's drain, each in its thread: for the
// thread sanitizer, and for exact counts and order. The segment is the library's own, with no agent.
#include "tests/unit/agent/drain/drained_names.h"

#include <sla/marker.h>

#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

extern "C" {
#include "agent/marker/rings.h"
}

namespace sla::drain {
namespace {

constexpr std::uint64_t kChainEvents = 300'000;

// What was given out, in order, up to the watermark of each step.
struct Given {
    std::vector<std::uint64_t> values;
    LossLedger ledger;
    std::uint64_t asked = 0;  // how often the program was asked to look
};

class RingChain : public testing::Test {
protected:
    RingChain() {
        EXPECT_TRUE(sla_segment_create());
        name_ = testing::UnitTest::GetInstance()->current_test_info()->name();
        channel_.name = name_.c_str();
        channel_.format = "";
        channel_.index = sla_register_channel(&channel_);
    }
    void mark_all(std::uint64_t pause_every) {
        sla_thread_table_make(0);
        const sla_locked locked = sla_lock();
        EXPECT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &channel_.own));
        sla_unlock(&locked);
        channel_.armed = SLA_ARMED_ON;
        channel_.owner = channel_.direct = sla_self();
        for (std::uint64_t i = 0; i < kChainEvents; i++) {
            SLA_TICK(&channel_, i);
            if (pause_every != 0 && i % pause_every == 0) std::this_thread::yield();
        }
        sla_close_ring(&channel_.own);
        channel_.own = {};
        channel_.owner = channel_.direct = 0;
    }
    static void take(DrainedChannel& channel, std::uint64_t watermark, Given& given) {
        wire::EventBatch out;
        while (!merge_up_to(watermark, 4096, channel, out)) continue;
        for (std::size_t i = 0; i < out.size(); i++) {
            if (out.codes[i] == SLA_CODE_TICK_VALUE) given.values.push_back(out.values[i]);
        }
    }
    Given drain_until(const std::atomic<bool>& done) const {
        auto view = ring::SegmentView::map(dup(sla_segment_fd()));
        EXPECT_TRUE(view.ok());
        auto program = std::make_shared<source::Program>(std::move(view).value());
        Given given;
        program->notify_controls = [&] { given.asked++; };
        Names names;
        ProgramDrain drain(program, names);
        for (bool last = false; !last;) {
            last = done.load();
            if (last) program->ended = true;
            ProgramDrain::Step step;
            do {
                step = drain.step(StepClock(time::read_stamp() & SLA_TICK_MASK));
                take(names.channels[name_], step.bound, given);
            } while (step.more);
            std::this_thread::yield();
        }
        take(names.channels[name_], SLA_TICK_MASK, given);
        given.ledger = names.channels[name_].ledger;
        return given;
    }
    // The three of them at the same time.
    Given race(std::uint64_t pause_every) {
        sla_stock_begin();
        std::atomic<bool> marked{false};
        std::thread keeper([&] {
            while (!marked) {
                sla_stock_fill();
                sla_grow_rings();
                std::this_thread::yield();
            }
        });
        Given given;
        std::thread agent([&] { given = drain_until(marked); });
        std::thread([&] { mark_all(pause_every); }).join();
        marked = true;
        keeper.join();
        agent.join();
        return given;
    }
    static void expect_exact_and_in_order(const Given& given) {
        EXPECT_EQ(given.values.size() + given.ledger.lost(), kChainEvents);
        EXPECT_EQ(given.ledger.late, 0u);
        for (std::size_t i = 1; i < given.values.size(); i++) ASSERT_LT(given.values[i - 1], given.values[i]) << "row " << i;
    }

    std::string name_;
    sla_channel channel_{};
};

TEST_F(RingChain, EveryEventOfAWriterThatNeverPausesIsGivenOutInOrderOrCounted) {
    const Given given = race(0);
    expect_exact_and_in_order(given);
    EXPECT_GT(given.asked, 0u) << "the agent tells the program that its stock has become smaller";
}

TEST_F(RingChain, NoEventIsMissingWhereTheOthersKeepPace) {
    const Given given = race(4096);
    expect_exact_and_in_order(given);
}

// A writer that loses its core for a moment takes small rings, of which the stock has fewer than it needs: then once more.
TEST_F(RingChain, WhatNobodyReadMeanwhileIsReadInTheOrderOfTheRings) {
    constexpr int kMostTries = 20;
    const std::atomic<bool> done{true};
    Given given;
    for (int attempt = 0; attempt == 0 || (given.ledger.lost() > 0 && attempt < kMostTries); attempt++) {
        sla_stock_fill();
        std::thread([&] { mark_all(0); }).join();
        given = drain_until(done);
        expect_exact_and_in_order(given);
    }
    EXPECT_EQ(given.ledger.lost(), 0u) << "8 MiB hold all of them";
}

}  // namespace
}  // namespace sla::drain
