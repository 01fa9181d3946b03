// Protected mode: error codes, CR2, rings, and interrupts through the TSS's stack, as the guest's own handlers saw them.
#include "tests/unit/emu/support/test_pc.h"

#include <gmock/gmock.h>

#include <cstring>

namespace sla::vmm {
namespace {

using testing::ElementsAre;

std::vector<std::uint32_t> words(TestPc& pc, std::uint32_t address, std::size_t count) {
    std::vector<std::uint32_t> out(count);
    std::memcpy(out.data(), pc.pc.memory().at(address, 4 * count).data(), 4 * count);
    return out;
}

TEST(ProtectedMode, GivesHandlersTheirErrorCodesTheirCr2AndTheRingTheyCameFrom) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "protected"));
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 7);
    EXPECT_THAT(words(pc, 0x600, 24), ElementsAre(14, 0, 0xC0150010, 0x08,  // not present
                                                  14, 3, 0x151020, 0x08,    // written though read-only
                                                  13, 0x50, 0x08,           // a selector outside the table
                                                  0x80, 2, 0x08,            // INT 80h in ring 0
                                                  14, 5, 0x152000, 0x1B,    // ring 3 in a page of ring 0
                                                  13, 0, 0x1B,              // CLI in ring 3
                                                  13, 0x10A, 0x1B))         // a gate of ring 0
        << "what the handlers noted";
    EXPECT_THAT(words(pc, 0x600 + 24 * 4, 3), ElementsAre(0x80, 0x1234, 0x1B));
    EXPECT_THAT(words(pc, 0x500, 2), ElementsAre(3, 0x1B)) << "ticks, and the code the last one interrupted";
}

TEST(ProtectedMode, GivesATaskBehindAGateItsOwnPages) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "task_pages"));
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 9);
    EXPECT_THAT(words(pc, 0x600, 3), ElementsAre(0x400500, 0x25000, 0x24000));
}

TEST(ProtectedMode, SaysWhenCodeLiesElsewhereThanItsLinearAddress) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "high_half"));
    const Outcome end = pc.run(TestPc::kSecond);
    EXPECT_EQ(end.ending, Ending::kFailed);
    EXPECT_THAT(end.message, testing::HasSubstr("cannot go on at 0008:c00ff"));
    EXPECT_THAT(end.message, testing::HasSubstr("its page tables put c00ff"));
    EXPECT_THAT(pc.vmm.cpu().limits(), testing::HasSubstr("page tables"));
    EXPECT_THAT(pc.vmm.cpu().doubts(), testing::HasSubstr("put c0000000h at 0h"));
}

TEST(ProtectedMode, SaysWhenDataMayLieElsewhereThanItsLinearAddress) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "high_data"));
    const Outcome end = pc.run(TestPc::kSecond);
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 5);
    EXPECT_EQ(words(pc, 0x24000 + 4 * 0x300, 1)[0], 0x83U) << "no mark was left in the tables";
    EXPECT_THAT(pc.vmm.cpu().doubts(), testing::HasSubstr("put c0000000h at 0h"));
}

TEST(ProtectedMode, HasNoDoubtsWithoutPages) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "task_gates"));
    ASSERT_EQ(pc.run().ending, Ending::kExit);
    EXPECT_EQ(pc.vmm.cpu().doubts(), "");
}

TEST(ProtectedMode, ShowsTheSameOnItsChannels) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "protected"));
    ASSERT_EQ(pc.run().ending, Ending::kExit);
    EXPECT_THAT(values(pc.seen.of("exc.14")), ElementsAre(0, 3, 5));
    EXPECT_THAT(values(pc.seen.of("exc.13")), ElementsAre(0x50, 0, 0x10A));
    EXPECT_THAT(values(pc.seen.of("int.80h")), ElementsAre(2, 0x1234));
    EXPECT_EQ(pc.seen.count("irq.0.isr", SLA_CODE_BEGIN), 3U);
}

}  // namespace
}  // namespace sla::vmm
