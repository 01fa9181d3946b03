// What inline code writes, and where: texts that the compiler knows, other threads' events, and channels that are off.
#include "proto/ring/segment_view.h"
#include "tests/unit/agent/marker/agent_stub.h"
#include "tests/unit/agent/marker/own_process.h"

#include <cstring>
#include <string>
#include <thread>

extern "C" {
#include "agent/marker/rings.h"
}

SLA_CHANNEL(written, "write.test");

namespace sla {
namespace {

// A channel as the library arms it, on a segment of the test's own and with no agent.
class WriteTest : public testing::Test {
protected:
    WriteTest() {
        EXPECT_TRUE(sla_segment_create());
        name_ = testing::UnitTest::GetInstance()->current_test_info()->name();
        channel_.name = name_.c_str();
        channel_.format = "";
        channel_.capacity = 64;
        channel_.index = sla_register_channel(&channel_);
        channel_.armed = SLA_ARMED_ON;
        channel_.direct = SLA_DIRECT_NOBODY;
        channel_.table = sla_thread_table_place();
        channel_.offset = channel_.index * SLA_WIDTH_COUNT * static_cast<std::uint32_t>(sizeof(sla_writer));
    }
    // The calling thread's, with a ring.
    sla_writer* writer(sla_width width) {
        EXPECT_NE(sla_thread_table_make(0), nullptr);
        sla_writer* writer = sla_writer_of(&channel_, width, 0);
        EXPECT_TRUE(writer->ring || sla_claim_ring(&channel_, width, writer));
        writer->limit = UINT64_MAX;
        return writer;
    }
    std::string name_;
    sla_channel channel_{};
};

// Every word is complete: behind the text's end there are zeros, and what the slot held before stays away from its bytes.
TEST_F(WriteTest, LiteralsOfEveryLengthAreWrittenAsTheirBytesAndZerosUpToTheWord) {
    const sla_writer* to = writer(SLA_WIDTH_TEXT);
    std::memset(to->slots, 0xee, (to->mask + 1) * sizeof(sla_slot_text));
    std::uint64_t position = 0;
    const auto expect_last = [&](const std::string& text) {
        const auto* slot = reinterpret_cast<const sla_slot_text*>(to->slots) + position++;
        EXPECT_EQ(to->ring->head, position);
        EXPECT_EQ(to->ring->reserve, position);
        EXPECT_EQ(to->taken, 0u);
        EXPECT_EQ(slot->stamp >> SLA_TICK_BITS, std::uint64_t{SLA_CODE_TEXT});
        EXPECT_EQ(slot->bytes, text.size());
        std::string expected = text + std::string((8 - text.size() % 8) % 8, '\0');
        EXPECT_EQ(std::string(slot->text, expected.size()), expected);
    };
#define EXPECT_WRITTEN(literal)   \
    SLA_TEXT(&channel_, literal); \
    expect_last(std::string(literal));
    EXPECT_WRITTEN("")
    EXPECT_WRITTEN("1")
    EXPECT_WRITTEN("1234567")
    EXPECT_WRITTEN("12345678")
    EXPECT_WRITTEN("123456789")
    EXPECT_WRITTEN("123456789 12345")
    EXPECT_WRITTEN("123456789 123456")
    EXPECT_WRITTEN("twenty bytes of text")
    EXPECT_WRITTEN("123456789 123456789 1234")
    EXPECT_WRITTEN("123456789 123456789 12345")
    EXPECT_WRITTEN("gr\xc3\xbc\xc3\x9f dich, \xe4\xb8\x96\xe7\x95\x8c \xff\x80\x01")
    EXPECT_WRITTEN("123456789 123456789 123456789 1")
    EXPECT_WRITTEN("123456789 123456789 123456789 12")
    EXPECT_WRITTEN("123456789 123456789 123456789 123")
    EXPECT_WRITTEN(
        "123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 "
        "123456789 12")
#undef EXPECT_WRITTEN
}

TEST_F(WriteTest, ATextThatOnlyTheProgramKnowsIsWrittenTheSameWay) {
    const sla_writer* to = writer(SLA_WIDTH_TEXT);
    std::string text;
    for (std::uint64_t bytes = 0; bytes <= 40; bytes++) {
        SLA_TEXT(&channel_, text.c_str());
        const auto* slot = reinterpret_cast<const sla_slot_text*>(to->slots) + bytes;
        EXPECT_EQ(slot->bytes, bytes);
        EXPECT_EQ(std::string(slot->text, bytes), text);
        EXPECT_EQ(to->ring->head, bytes + 1);
        text += static_cast<char>('A' + bytes);
    }
}

TEST_F(WriteTest, EventsOfAThreadThatIsNotTheOwnerGoToItsOwnRing) {
    EXPECT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &channel_.own));
    channel_.own.limit = UINT64_MAX;
    channel_.owner = channel_.direct = sla_self();
    SLA_TICK(&channel_, 1);
    std::thread([&] {
        const sla_writer* mine = writer(SLA_WIDTH_PLAIN);
        ASSERT_NE(mine, &channel_.own);
        { SLA_SPAN(&channel_, 7); }
        EXPECT_EQ(mine->ring->head, 2u);
        const auto* slots = reinterpret_cast<const sla_slot_plain*>(mine->slots);
        EXPECT_EQ(slots[0].stamp >> SLA_TICK_BITS, std::uint64_t{SLA_CODE_BEGIN_VALUE});
        EXPECT_EQ(slots[0].value, 7u);
        EXPECT_EQ(slots[1].stamp >> SLA_TICK_BITS, std::uint64_t{SLA_CODE_END});
    }).join();
    EXPECT_EQ(channel_.own.ring->head, 1u);
    sla_close_ring(&channel_.own);
}

// A handler's marker interrupts one that is at its thread's writer: it keeps off, also where that writer is in a table.
TEST_F(WriteTest, AWriterInATableThatIsTakenIsLeftAlone) {
    sla_writer* mine = writer(SLA_WIDTH_PLAIN);
    SLA_TICK(&channel_, 1);
    ASSERT_EQ(mine->ring->head, 1u);
    sla_thread_table_make(1);
    sla_writer* deeper = sla_writer_of(&channel_, SLA_WIDTH_PLAIN, 1);
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, deeper));
    mine->taken = sla_stack() + 4096;  // a frame further out, that lives
    SLA_TICK(&channel_, 2);
    EXPECT_EQ(mine->ring->head, 1u);
    EXPECT_EQ(deeper->ring->head, 1u);
    mine->taken = 0;
    SLA_TICK(&channel_, 3);
    EXPECT_EQ(mine->ring->head, 2u);
}

ring::SegmentView view_of_agent(AgentStub& agent) {
    sla_hello hello{};
    auto view = ring::SegmentView::map(agent.accept(hello));
    EXPECT_TRUE(view.ok());
    agent.say(SLA_WELCOME_OK);
    return std::move(view).value();
}

TEST(WriteStateTest, AChannelSaysInOneWordWhetherItIsOffAndWhoseItIs) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        EXPECT_EQ(written->direct, std::uintptr_t{SLA_DIRECT_NOBODY}) << "before its first marker";
        std::thread([] {
            SLA_TICK(written);
            EXPECT_EQ(written->direct, sla_self());
        }).join();
        EXPECT_EQ(written->direct, std::uintptr_t{SLA_DIRECT_NOBODY}) << "its owner has ended";
        SLA_TICK(written);
        EXPECT_EQ(written->direct, sla_self());
        const ring::SegmentView view = view_of_agent(agent);
        ring::ChannelControl off{};
        off.off = true;
        view.set_control(written->index, off);
        agent.say(SLA_WELCOME_CONTROLS);
        ASSERT_TRUE(becomes_armed(written, SLA_ARMED_OFF));
        EXPECT_EQ(written->direct, std::uintptr_t{SLA_DIRECT_OFF});
        const std::uint64_t head = written->own.ring->head;
        SLA_TICK(written);
        SLA_TEXT(written, "unheard");
        EXPECT_EQ(written->own.ring->head, head);
        view.set_control(written->index, {});
        agent.say(SLA_WELCOME_CONTROLS);
        ASSERT_TRUE(becomes_armed(written, SLA_ARMED_ON));
        SLA_TICK(written);
        EXPECT_EQ(written->own.ring->head, head + 1);
        EXPECT_EQ(written->direct, sla_self());
    });
}

}  // namespace
}  // namespace sla
