// What spans count while a guest runs, begun at any moment by a command.
#include "emu/control/console.h"
#include "emu/machine/virtual_clock.h"
#include "emu/snapshot/kept_state.h"
#include "tests/unit/emu/support/recording_sink.h"
#include "tests/unit/emu/support/test_pc.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace sla::control {
namespace {

using testing::HasSubstr;
using testing::Not;

// A PC that runs tests/unit/emu/vmm/guests/sections.asm: an empty section and one of known work, by turns, five times.
class SectionsPc {
public:
    explicit SectionsPc(const char* cpu = "x86emu") {
        EXPECT_TRUE(pc.memory().load_rom(vmm::assembled_guest(SLA_GUEST_DIR, "sections")).ok());
        EXPECT_TRUE(vmm.plug_cpu(cpu).ok());
    }
    std::string ask(const std::string& line) {
        const auto done = console.run(line);
        return done ? *done : "error: " + done.error().message;
    }
    void run_to_event(const std::string& event) {
        EXPECT_EQ(ask("stop-at " + event), "");
        vmm.on_stop([&](const cpu::StopPoints::Found& found) {
            console.stopped(found);
            look();
            EXPECT_EQ(ask("go"), "");
        });
        EXPECT_EQ(vmm.run(10 * vmm::TestPc::kSecond).ending, vmm::Ending::kExit);
    }

    std::function<void()> look = [] {};
    machine::VirtualClock clock;
    machine::Machine pc{clock, std::size_t{2} << 20};
    machine::StopSignal stop;
    tap::RecordingSink seen{&clock};
    EventStop events{seen, clock};
    tap::Tap tap{events};
    vmm::Vmm vmm{pc, tap, stop};
    Console console{pc, vmm, &events};
};

TEST(SectionCommand, CountsSpansFromTheFirstTimeItIsAsked) {
    SectionsPc pc;
    EXPECT_THAT(pc.ask("section guest.work,guest.empty 16,1D"), HasSubstr(R"("name": "program")")) << "before it runs";
    EXPECT_EQ(pc.vmm.run(10 * vmm::TestPc::kSecond).ending, vmm::Ending::kExit);
    const std::string json = pc.ask("section guest.work,guest.empty 16,1D");
    EXPECT_THAT(json, HasSubstr(R"({"name": "guest.empty", "ended": 5, "unfinished": 0)"));
    EXPECT_THAT(json, HasSubstr(R"("16": {"grain": 1, "values": [[10, 5]]})"));
    EXPECT_THAT(json, HasSubstr(R"("16": {"grain": 1, "values": [[36, 5]]})")) << "as tests/unit/emu/vmm counts it by hand";
    EXPECT_THAT(json, HasSubstr(R"("1D": {"grain": 1, "values": [[3, 5]]})"));
    EXPECT_THAT(json, HasSubstr(R"("00": {"grain": 1, "values": []})")) << "not asked for";
    EXPECT_FALSE(pc.seen.of("guest.work").empty()) << "who listens behind hears all the same";
}

TEST(SectionCommand, CountsWhatComesFromAMomentInTheMiddleOn) {
    SectionsPc pc;
    pc.look = [&] { EXPECT_THAT(pc.ask("section guest.* 16"), Not(HasSubstr("guest.work"))); };
    pc.run_to_event("3 x guest.work ends");
    const std::string json = pc.ask("section guest.* 16");
    EXPECT_THAT(json, HasSubstr(R"({"name": "guest.work", "ended": 2, "unfinished": 0)"));
    EXPECT_THAT(json, HasSubstr(R"("16": {"grain": 1, "values": [[36, 2]]})"));
}

TEST(SectionCommand, IsEndedByNameOrAsAWhole) {
    SectionsPc pc;
    (void)pc.ask("section guest.work 16");
    (void)pc.ask("section guest.empty 16");
    EXPECT_EQ(pc.ask("section none guest.work"), "");
    pc.look = [&] { EXPECT_EQ(pc.ask("section none"), ""); };
    pc.run_to_event("2 x guest.empty ends");
    EXPECT_THAT(pc.ask("section guest.empty 16"), Not(HasSubstr("guest.empty"))) << "it began anew, and nothing came since";
}

TEST(SectionCommand, ModelledEventsBringTheirModels) {
    SectionsPc pc;
    (void)pc.ask("section guest.work 0E");
    EXPECT_EQ(pc.vmm.run(10 * vmm::TestPc::kSecond).ending, vmm::Ending::kExit);
    EXPECT_THAT(pc.ask("section guest.work 0E"), HasSubstr(R"("0E": "modelled")"));
}

TEST(SectionCommand, WhatIsNoSectionOrEventIsSaid) {
    SectionsPc pc;
    EXPECT_THAT(pc.ask("section"), HasSubstr("error: write section CHANNEL"));
    EXPECT_THAT(pc.ask("section a 16 17"), HasSubstr("error: write section CHANNEL"));
    for (const char* bad : {"zz", "16,", "2A", "100", ",16"}) {
        EXPECT_THAT(pc.ask(std::string("section a ") + bad), HasSubstr("error: ")) << bad;
    }
    for (std::size_t i = 0; i < SectionWatch::kMax; ++i)
        EXPECT_THAT(pc.ask("section a" + std::to_string(i) + " 16"), HasSubstr("program"));
    EXPECT_THAT(pc.ask("section more 16"), HasSubstr("error: 16 sections are counted already"));
    Console alone(pc.pc, pc.vmm);
    EXPECT_THAT(alone.run("section a 16").error().message, HasSubstr("counts no sections"));
}

TEST(SectionCommand, ANameThatNoChannelHasIsSaidWithThoseThereAre) {
    SectionsPc pc;
    bool has_looked = false;
    pc.look = [&] {
        has_looked = true;
        const std::string said = pc.ask("section guest.wokr 03");
        EXPECT_FALSE(pc.vmm.counter_unit().wants_accesses()) << "refused, it changes nothing";
        EXPECT_THAT(said, HasSubstr("error: no channel is called \"guest.wokr\" (did you mean 'guest.work'?); there are "));
        EXPECT_THAT(said, HasSubstr(" guest.empty guest.work"));
        EXPECT_THAT(pc.ask("section guest.none,guest.work 16"), HasSubstr("program")) << "one of them is there";
        EXPECT_THAT(pc.ask("section later.* 16"), HasSubstr("program")) << "it may come";
        EXPECT_THAT(pc.ask("section none guest.wokr"),
                    HasSubstr("error: no section \"guest.wokr\" is counted; there are: guest.none,guest.work later.*"));
        EXPECT_EQ(pc.ask("section none"), "");
        EXPECT_THAT(pc.ask("section none guest.work"), HasSubstr("is counted; there are: none"));
    };
    pc.run_to_event("2 x guest.empty ends");
    EXPECT_TRUE(has_looked);
}

TEST(SectionCommand, OnUnicornCountsWhatThatCpuCounts) {
    SectionsPc pc("unicorn");
    (void)pc.ask("section guest.work 1D,16");
    EXPECT_EQ(pc.vmm.run(10 * vmm::TestPc::kSecond).ending, vmm::Ending::kExit);
    const std::string json = pc.ask("section guest.work 1D,16");
    EXPECT_THAT(json, HasSubstr(R"("0E": "not offered")"));
    EXPECT_THAT(json, HasSubstr(R"("16": {"grain": 1, "values": [[36, 5]]})"));
    EXPECT_THAT(json, HasSubstr(R"("1D": {"grain": 1, "values": [[3, 5]]})"));
}

TEST(OpenSpans, OfAGuestAreOfItsState) {
    SectionsPc pc;
    SectionsPc other;
    snapshot::Subject here;
    snapshot::Subject there;
    here.add([&](bus::StateVisitor& state) { pc.vmm.visit_state(state); });
    there.add([&](bus::StateVisitor& state) { other.vmm.visit_state(state); });
    pc.look = [&] {
        EXPECT_EQ(pc.vmm.open_spans(), std::vector<std::string>{"guest.work"});
        ASSERT_TRUE(snapshot::KeptState(here, nullptr).load(there).ok());
    };
    pc.run_to_event("3 x guest.work begins");
    EXPECT_EQ(other.vmm.open_spans(), std::vector<std::string>{"guest.work"});
}

}  // namespace
}  // namespace sla::control
