#include "proto/wire/missing_rows.h"

#include <gtest/gtest.h>

namespace sla::wire {
namespace {

EventBatch rows(std::initializer_list<std::pair<LossCause, std::uint64_t>> gaps_and_events) {
    EventBatch batch;
    for (const auto& [cause, events] : gaps_and_events) {
        if (cause != LossCause::kNone) {
            batch.extras.push_back({static_cast<std::uint32_t>(batch.size()), cause, 0});
        }
        batch.add(batch.size(), cause == LossCause::kNone ? SLA_CODE_TICK : SLA_CODE_GAP, events, 0);
    }
    return batch;
}

TEST(MissingRows, RowsThatOnlyThisReaderDoesNotHaveExplainAJumpAtTheirSide) {
    const EventBatch batch =
        rows({{LossCause::kNotKept, 7}, {LossCause::kLagged, 5}, {LossCause::kNone, 0}, {LossCause::kLagged, 3}});
    EXPECT_EQ(explained_at_begin(batch, 0), 12u);
    EXPECT_EQ(explained_at_begin(batch, 100), 112u);
    EXPECT_EQ(explained_at_end(batch), 3u);
}

TEST(MissingRows, WhatEverybodyLostExplainsNothing) {
    const EventBatch batch = rows({{LossCause::kOverrun, 7}, {LossCause::kNone, 0}, {LossCause::kNoAgent, 0}});
    EXPECT_EQ(explained_at_begin(batch, 4), 4u);
    EXPECT_EQ(explained_at_end(batch), 0u);
}

TEST(MissingRows, ARowThatDoesNotKnowHowManyExplainsAny) {
    EXPECT_EQ(explained_at_end(rows({{LossCause::kNotKept, 0}})), ~std::uint64_t{0});
    EXPECT_EQ(explained_at_begin(rows({{LossCause::kNotKept, ~std::uint64_t{0}}, {LossCause::kLagged, 9}}), 9),
              ~std::uint64_t{0})
        << "and sums do not run over";
}

}  // namespace
}  // namespace sla::wire
