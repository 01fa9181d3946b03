#include "emu/gdb/protocol.h"
#include "emu/gdb/packet.h"
#include "proto/base/text.h"
#include "tests/unit/emu/gdb/fake_target.h"

#include <gmock/gmock.h>

namespace sla::gdb {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Why = cpu::StopPoints::Why;

class ProtocolTest : public testing::Test {
protected:
    std::string ask(std::string_view packet) { return protocol.answer(packet).value_or("(later)"); }

    FakeTarget target;
    Protocol protocol{target};
};

TEST_F(ProtocolTest, RegistersGoOutAndComeBackInTheirOrder) {
    target.registers[0] = 0x11223344;
    target.registers[kEipNumber] = 0xFF1B1;
    const std::string all = ask("g");
    EXPECT_THAT(all, StartsWith("44332211"));
    EXPECT_EQ(all.substr(kEipNumber * 8, 8), "b1f10f00");
    EXPECT_EQ(all.substr(kFirstFloating * 8, 20), std::string(20, 'x')) << "floating point is not shown";
    EXPECT_EQ(all.size(), (kRegisters.size() - 8) * 8 + 8 * 20U);
    EXPECT_EQ(ask("p8"), "b1f10f00");
    EXPECT_EQ(ask("P1=01000000"), "OK");
    EXPECT_EQ(target.registers[1], 1U);
    EXPECT_THAT(ask("P20=01000000"), HasSubstr("E.cr0 cannot be written"));
    EXPECT_EQ(ask("p2b"), "E01") << "there is none";
    EXPECT_EQ(ask("G" + all), "OK");
    EXPECT_EQ(target.registers[1], 0U);
    EXPECT_EQ(ask("G00"), "E01");
}

// $ip follows from $eip, and gdb sends both.
TEST_F(ProtocolTest, OfAllRegistersThoseAreWrittenThatGdbChanged) {
    std::string all = ask("g");
    all.replace(kEipNumber * 8, 8, hex_of_word(0x1234));
    EXPECT_EQ(ask("G" + all), "OK");
    EXPECT_EQ(target.registers[kEipNumber], 0x1234U);
    EXPECT_EQ(target.registers.back(), 0x1234U);
}

TEST_F(ProtocolTest, GoesBackWhereThereIsAPastAndSaysWhereThatBegins) {
    EXPECT_THAT(ask("qSupported"), testing::Not(HasSubstr("Reverse")));
    target.past = 3;
    EXPECT_THAT(ask("qSupported"), HasSubstr(";ReverseStep+;ReverseContinue+"));
    EXPECT_EQ(ask("bs"), "T05thread:1;");
    EXPECT_EQ(ask("bc"), "T05thread:1;");
    EXPECT_FALSE(protocol.running()) << "it stands again at once";
    EXPECT_EQ(ask("bs"), "T05replaylog:begin;thread:1;");
    EXPECT_EQ(ask("?"), "T05replaylog:begin;thread:1;");
    EXPECT_EQ(target.did, "SCS");
    target.past = 4;
    target.met = {Why::kData, 0x600, false, false};
    EXPECT_EQ(ask("bc"), "T05watch:600;thread:1;");
    target.met.read_only = true;
    EXPECT_EQ(ask("bc"), "T05rwatch:600;thread:1;");
    target.met = {Why::kData, 0x600, false, true};
    EXPECT_EQ(ask("bc"), "T05awatch:600;thread:1;");
    target.past = -1;
    EXPECT_EQ(ask("bc"), "E.something came in there");
    EXPECT_EQ(ask("bz"), "");
    EXPECT_EQ(ask("b"), "");
}

TEST_F(ProtocolTest, MemoryIsReadAsFarAsThereIsAnyAndWrittenInHexAndBinary) {
    EXPECT_EQ(ask("M10,2:9091"), "OK");
    EXPECT_EQ(ask("m10,2"), "9091");
    EXPECT_EQ(ask("X12,2:}\x03#"), "OK") << "an escaped #, and a # that the frame cannot hold";
    EXPECT_EQ(ask("m12,2"), "2323");
    EXPECT_EQ(ask("mff,10"), "00");
    EXPECT_EQ(ask("m100,1"), "E14");
    EXPECT_EQ(ask("M100,1:00"), "E14");
    EXPECT_EQ(ask("M10,3:9091"), "E01");
    EXPECT_EQ(target.writes, 3) << "a packet's bytes at once";
    EXPECT_EQ(ask("m10"), "E01");
    EXPECT_EQ(ask("m,"), "E01");
}

TEST_F(ProtocolTest, PointsAreSetAndTakenBackOrRefusedInWords) {
    EXPECT_EQ(ask("Z0,ff1b1,1"), "OK");
    EXPECT_EQ(target.points, (std::vector<std::uint32_t>{0xFF1B1}));
    EXPECT_EQ(ask("z0,ff1b1,1"), "OK");
    EXPECT_TRUE(target.points.empty());
    EXPECT_EQ(ask("Z3,600,2"), "E.no reads here");
    EXPECT_EQ(ask("Z9,600,2"), "");
    EXPECT_EQ(ask("Z0,600"), "E01");
}

TEST_F(ProtocolTest, AResumeIsAnsweredByTheReportOfTheStop) {
    EXPECT_EQ(ask("vCont;c:1"), "(later)");
    EXPECT_TRUE(protocol.running());
    EXPECT_EQ(protocol.stopped({Why::kCode, 0xFF1B1, false, false}), "T05swbreak:;thread:1;");
    EXPECT_FALSE(protocol.running());
    EXPECT_EQ(ask("?"), "T05swbreak:;thread:1;");
    EXPECT_EQ(ask("s"), "(later)");
    EXPECT_EQ(protocol.stopped({Why::kStep, 5, false, false}), "T05thread:1;");
    EXPECT_EQ(ask("c"), "(later)");
    EXPECT_EQ(protocol.stopped({Why::kData, 0x600, false, false}), "T05watch:600;thread:1;");
    EXPECT_EQ(ask("c"), "(later)");
    EXPECT_EQ(protocol.interrupted(), "T02thread:1;");
    EXPECT_EQ(target.did, "cscci");
}

TEST_F(ProtocolTest, TheDescriptionComesInPartsAndNames16BitCode) {
    const std::string first = ask("qXfer:features:read:target.xml:0,40");
    EXPECT_THAT(first, StartsWith("m<?xml"));
    EXPECT_EQ(first.size(), 0x41U);
    const std::string whole = ask("qXfer:features:read:target.xml:0,fff0");
    EXPECT_THAT(whole, StartsWith("l"));
    EXPECT_THAT(whole, HasSubstr("<architecture>i8086</architecture>"));
    EXPECT_THAT(whole, HasSubstr("name=\"cr4\""));
    EXPECT_EQ(ask("qXfer:features:read:target.xml:ffff,10"), "l");
    EXPECT_EQ(ask("qXfer:features:read:other.xml:0,10"), "");
}

TEST_F(ProtocolTest, MonitorCommandsAreThoseOfTheControlSocket) {
    EXPECT_EQ(ask("qRcmd," + hex_of("regs")), hex_of("did regs\n"));
    EXPECT_EQ(ask("qRcmd," + hex_of("silent")), "OK");
    EXPECT_EQ(ask("qRcmd,7"), "E01");
    const std::string long_answer = from_hex(ask("qRcmd," + hex_of("long"))).value_or("");
    EXPECT_LE(2 * long_answer.size(), kMaxPacket);
    EXPECT_THAT(long_answer, StartsWith("line\nline\n"));
    EXPECT_THAT(long_answer,
                testing::EndsWith("\nline\n... that is more than a debugger takes: `sla-emu control` has all of it\n"));
}

TEST_F(ProtocolTest, DetachingLetsGoAndKillEndsTheRun) {
    EXPECT_EQ(ask("D"), "OK");
    EXPECT_TRUE(protocol.detached());
    EXPECT_EQ(ask("k"), "(later)");
    EXPECT_EQ(ask("vKill;1"), "OK");
    EXPECT_EQ(target.did, "kk");
}

TEST_F(ProtocolTest, WhatItDoesNotKnowItSaysTheWayOfStubs) {
    for (const char* packet : {"", "vMustReplyEmpty", "qTStatus", "!", "vCont;", "R00"})
        EXPECT_EQ(ask(packet), "") << packet;
    EXPECT_EQ(ask("vCont;t"), "E01");
}

}  // namespace
}  // namespace sla::gdb
