// Every way in which a run can end is reported as what it is.
#include "tests/unit/emu/support/test_pc.h"

#include <gmock/gmock.h>

namespace sla::vmm {
namespace {

using testing::HasSubstr;

TEST(Ending, ReportsATripleFaultWithItsPlace) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "triple_fault"));
    const Outcome end = pc.run();
    EXPECT_EQ(end.ending, Ending::kTripleFault);
    EXPECT_THAT(end.message, HasSubstr("triple fault at f000:"));
    EXPECT_EQ(pc.seen.count("int.10h", SLA_CODE_TICK_VALUE), 1U);
    EXPECT_EQ(pc.seen.count("exc.13", SLA_CODE_TICK_VALUE), 1U);
    EXPECT_EQ(pc.seen.count("exc.08", SLA_CODE_TICK_VALUE), 1U);
}

TEST(Ending, StopsAGuestThatSpinsWithInterruptsOffWhenItsTimeIsUp) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "spin"));
    const Outcome end = pc.run(TestPc::kSecond / 100);
    EXPECT_EQ(end.ending, Ending::kTimeUp);
    EXPECT_GE(pc.clock.now(), TestPc::kSecond / 100);
    EXPECT_LT(pc.clock.now(), TestPc::kSecond / 50);
}

TEST(Ending, StopsOnRequestBeforeTheGuestRuns) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "spin"));
    pc.stop.request();
    const Outcome end = pc.run();
    EXPECT_EQ(end.ending, Ending::kStopped);
    EXPECT_THAT(end.message, HasSubstr("f000:fff0"));
}

TEST(Ending, CallsAHaltWithInterruptsOffFinal) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "halt_off"));
    const Outcome end = pc.run();
    EXPECT_EQ(end.ending, Ending::kHalted);
    EXPECT_THAT(end.message, HasSubstr("f000:f001 with interrupts off"));
    EXPECT_EQ(pc.seen.count("cpu.hlt", SLA_CODE_BEGIN), 1U);
    EXPECT_EQ(pc.seen.count("cpu.hlt", SLA_CODE_END), 0U);
}

TEST(Ending, CallsAHaltWithoutATimerFinal) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "halt_idle"));
    EXPECT_EQ(pc.run().ending, Ending::kHalted);
}

TEST(Ending, LetsAGuestReadWhereNothingAnswersAndEndsOneThatRunsThere) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "wild"));
    const Outcome end = pc.run();
    EXPECT_EQ(end.ending, Ending::kFailed);
    EXPECT_THAT(end.message, HasSubstr("ran into address 7ffffff0h"));
    EXPECT_EQ(pc.text, "ones");
}

TEST(Ending, OutlivesCodeThatMakesTheCpuLibraryAbort) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "bad_jump"));
    const Outcome end = pc.run();
    EXPECT_EQ(end.ending, Ending::kFailed);
    EXPECT_THAT(end.message, HasSubstr("Unicorn CPU emulator failed"));
}

TEST(Ending, RefusesACpuThatIsNotThere) {
    machine::VirtualClock clock;
    machine::Machine pc(clock);
    tap::RecordingSink seen;
    tap::Tap tap(seen);
    machine::StopSignal stop;
    Vmm vmm(pc, tap, stop);
    const auto plugged = vmm.plug_cpu("z80");
    ASSERT_FALSE(plugged.ok());
    EXPECT_EQ(plugged.error().code, ErrorCode::kInvalidInput);
    EXPECT_THAT(plugged.error().message, HasSubstr("z80"));
}

}  // namespace
}  // namespace sla::vmm
