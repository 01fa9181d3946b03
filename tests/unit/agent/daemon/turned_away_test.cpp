// Programs that could not be taken in: what they mark is on record as lost.
#include "tests/unit/agent/daemon/pipeline_fixture.h"

#include <algorithm>

namespace sla::daemon {
namespace {

class TurnedAwayTest : public PipelineTest {
protected:
    // Gap rows of the agent's own channel for them, all that there are.
    std::vector<wire::EventBatch> rows() {
        std::vector<retain::Delivery> deliveries;
        retain::Cursor cursor;
        retention_.read(cursor, std::size_t{1} << 30, deliveries);
        std::uint32_t id = 0;
        std::vector<wire::EventBatch> found;
        for (const retain::Delivery& delivery : deliveries) {
            wire::Frame frame;
            EXPECT_TRUE(frame.ParseFromString(delivery.frame->substr(wire::kFrameHeaderBytes)));
            if (frame.channel().name() == TurnedAway::kChannel) id = frame.channel().id();
            if (!frame.has_batch() || frame.batch().channel() != id) continue;
            EXPECT_TRUE(wire::decode_batch(frame.batch(), found.emplace_back()).ok());
        }
        return found;
    }
};

TEST_F(TurnedAwayTest, AreALossOfAnUnknownNumberAndSaidOnce) {
    const std::string why = "program 7 was turned away";
    for (int i = 0; i < 50; i++) {
        pipeline_.turn_away(why);
        pipeline_.step();
    }
    pipeline_.turn_away("");  // said by somebody else
    pipeline_.finish("test");
    read();
    EXPECT_EQ(std::count(received_.notices.begin(), received_.notices.end(), why), 1);
    const std::vector<wire::EventBatch> batches = rows();
    ASSERT_FALSE(batches.empty());
    std::size_t count = 0;
    for (const wire::EventBatch& batch : batches) {
        ASSERT_EQ(batch.extras.size(), batch.size());
        for (std::size_t i = 0; i < batch.size(); i++, count++) {
            EXPECT_EQ(batch.codes[i], SLA_CODE_GAP);
            EXPECT_EQ(batch.values[i], 0U) << "nobody knows how many";
            EXPECT_EQ(batch.extras[i].cause, wire::LossCause::kNoAgent);
        }
    }
    EXPECT_LE(count, 12U) << "one a second, and those of the end";
}

TEST_F(TurnedAwayTest, HaveNoChannelWhereThereAreNone) {
    pipeline_.step();
    pipeline_.finish("test");
    read();
    for (const auto& [id, name] : received_.channels) EXPECT_NE(name, TurnedAway::kChannel);
}

}  // namespace
}  // namespace sla::daemon
