// How far lanes are known where some rows are by a time that their source makes up, or have come before those of others.
#include "viewer/analysis/known_extents.h"

#include "tests/support/capture_builder.h"

#include <gtest/gtest.h>

namespace sla::analysis {
namespace {

class KnownExtentsTest : public testing::Test {
protected:
    // A program's `beat` at 1,000 and 9,000, and one of a guest whose time goes from 10 to 80,000; a program that is silent.
    KnownExtentsTest() {
        const auto guest = capture_.source("guest", support::BuilderSource::kPc);
        const auto irq = capture_.channel("irq", guest);
        const auto beat = capture_.channel("beat");
        capture_.channel("silent");
        capture_.tick(irq, 110);
        capture_.tick(irq, 80'000);
        capture_.tick(beat, 1'000);
        capture_.tick(beat, 9'000);
        capture_.leave_open(7'000);
        capture_.fill(session_);
        store::Source own = *session_.source(SourceId{guest});
        own.clock_domain = 1;
        session_.add_source(own);
    }
    [[nodiscard]] KnownExtent of(const KnownExtents& extents, const char* lane) const {
        return extents.of(*session_.lane_named(lane));
    }

    support::CaptureBuilder capture_{100};
    store::Session session_;
};

TEST_F(KnownExtentsTest, TheWatermarkSaysHowFarAndALaneIsKnownToItsNewestRow) {
    const KnownExtents extents(session_, {});
    EXPECT_EQ(extents.by_machine().until, 7'000U);
    EXPECT_EQ(of(extents, "silent").until, 7'000U);
    EXPECT_EQ(of(extents, "beat").until, 9'000U);
    EXPECT_EQ(of(extents, "beat").from, 100U);
    EXPECT_EQ(of(extents, "irq").until, 80'000U);
    EXPECT_EQ(of(extents, "irq").from, 110U);
}

TEST_F(KnownExtentsTest, NoneOfTheMachinesClockGoesFurtherThanIsSaid) {
    const KnownExtents extents(session_, {}, 5'000);
    EXPECT_EQ(extents.by_machine().until, 5'000U);
    EXPECT_EQ(of(extents, "beat").until, 5'000U);
    EXPECT_EQ(of(extents, "irq").until, 80'000U);
}

TEST_F(KnownExtentsTest, WithoutAWatermarkItIsTheNewestRowByTheMachinesClock) {
    store::Session session;
    session.add_source(*session_.source(SourceId{2}));
    for (const store::Lane* lane : session_.lanes()) {
        wire::EventBatch rows;
        for (std::uint64_t row = 0; row < lane->size(); ++row) rows.add(lane->tick(row), SLA_CODE_TICK, 0, 1);
        if (!rows.empty()) session.add_channel(lane->channel()).append(rows);
    }
    EXPECT_EQ(known_extent(session, {}).until, 9'000U);
}

// A snapshot of the last seconds: of a guest that ended long ago it has the last seconds of its own time.
TEST_F(KnownExtentsTest, WhatBeginsLateBeginsWithItsFirstRowByTheMachinesClock) {
    session_.set_begins_late();
    EXPECT_EQ(known_extent(session_, {}).from, 1'000U);
}

}  // namespace
}  // namespace sla::analysis
