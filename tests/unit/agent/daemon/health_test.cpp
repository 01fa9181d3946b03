#include "agent/daemon/health/health.h"

#include "tests/unit/agent/daemon/pipeline_fixture.h"

#include <gtest/gtest.h>

namespace sla::daemon {
namespace {

TEST(Health, ThousandsOfChannelsAreDescribedLessOften) {
    EXPECT_DOUBLE_EQ(Health::status_seconds(0), 0.25);
    EXPECT_DOUBLE_EQ(Health::status_seconds(4000), 0.25);
    EXPECT_DOUBLE_EQ(Health::status_seconds(20'000), 1.25);
}

TEST_F(PipelineTest, TheLastStatusTellsOfAllOfThousandsOfChannels) {
    constexpr int kChannels = 4000;
    std::vector<std::unique_ptr<support::TestSegment>> segments;
    for (int number = 0; number < 3; number++) {
        segments.push_back(std::make_unique<support::TestSegment>());
        for (int i = 0; i < kChannels; i++)
            segments.back()->add_ring(segments.back()->add_channel("c" + std::to_string(i)), 16);
        auto program = std::make_shared<source::Program>(segments.back()->view());
        program->segment_id = static_cast<std::uint64_t>(number) + 1;
        pipeline_.add_program(std::move(program));
    }
    while (pipeline_.step().more) {
    }
    const std::uint64_t before = retention_.status_number();
    pipeline_.finish("test");
    EXPECT_EQ(retention_.status_number(), before + 1);
    EXPECT_EQ(pipeline_.channels().size(), 3u * kChannels);
}

}  // namespace
}  // namespace sla::daemon
