// The Registers panel, with a PC made by hand at the other end.
#include "tests/support/fake_guest.h"
#include "tests/unit/viewer/ui/panels_fixture.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

namespace sla::ui {
namespace {

class OfRegisters : public Panels {
protected:
    void SetUp() override {
        char name[] = "/tmp/sla-registers-panel-XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        directory_ = name;
        setenv("SLA_RUNTIME_DIR", name, 1);
        open_few();
    }
    void TearDown() override {
        if (!directory_.empty()) {
            app().document().registers->stop();
            std::filesystem::remove_all(directory_);
        }
        unsetenv("SLA_RUNTIME_DIR");
    }
    RegisterWatch& watch() { return *app().document().registers; }
    // Why an action cannot be done now.
    std::string refused(const char* id) {
        act(id);
        return app().errors().notice();
    }
    bool becomes(const std::function<bool()>& is_so) {
        for (int i = 0; i < 6000; ++i) {
            frames(1);
            if (is_so()) return true;
            usleep(10'000);
        }
        return false;
    }
    static std::string answer(bool paused, unsigned eip) {
        return "[guest]\npaused " + std::to_string(paused) +
               "\n[general]\neax 00000001\nebx 0000000a\necx 00000000\nedx 000003f8\nesi 00000000\nedi 00000400\nebp "
               "00000000\n"
               "esp 00007000\neip " +
               std::to_string(10'000 + eip % 1000) +
               "\neflags 00000246\n[control]\ncr0 00000010\ncr2 00000000\ncr3 00000000\ncr4 00000000\ncpl 00000000\n"
               "[segments]\ncs f000\ncs.base 000f0000\ncs.limit 0000ffff\ncs.attributes 00009b00\n"
               "[msr]\ntsc_10h 00000000001e8480\ncesr_11h 0000000000000000\nctr0_12h 0000000000000000\n"
               "apic_base_1bh 00000000fee00900\n[pic]\nmaster.irr 01\nmaster.imr fa\n"
               "[rtc]\nmemory 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 18 19 and 88 more\n";
    }

    std::string directory_;
};

TEST_F(OfRegisters, NobodyIsAskedWhileThePanelIsClosed) {
    support::FakeGuest guest(201, [](const std::string&) { return answer(false, 1); });
    ASSERT_TRUE(guest.is_there());
    frames(20);
    EXPECT_EQ(guest.connections(), 0);
    act("registers");
    ASSERT_TRUE(becomes([&] { return !watch().table().sections().empty(); })) << watch().problem();
    keep("registers");
    act("measure");
    frames(2);
    EXPECT_FALSE(watch().is_watching());
}

TEST_F(OfRegisters, WhatAStepChangedIsMarked) {
    std::atomic<unsigned> steps = 0;
    support::FakeGuest guest(202, [&](const std::string& command) {
        if (command == "step") ++steps;
        return answer(true, steps);
    });
    act("registers");
    ASSERT_TRUE(becomes([&] { return watch().table().is_paused(); })) << watch().problem();
    frames(2);
    watch().ask("step");
    ASSERT_TRUE(becomes([&] { return watch().table().has_changed("general", "eip"); })) << watch().problem();
    frames(2);
    keep("registers-step");
    EXPECT_TRUE(has_colour(screen_->pixels(), app().layout().inspector, theme_of(ThemeName::kDark).accent));
}

TEST_F(OfRegisters, EveryActionReachesThePcWhereItCanBeDone) {
    std::atomic<bool> paused = false;
    std::atomic<unsigned> place = 500;
    support::FakeGuest guest(205, [&](const std::string& command) -> std::string {
        if (command == "history") return "from 0 ns to 5 ms: 3 states in 1.0 MB\n";
        if (command == "pause") paused = true;
        if (command == "go") paused = false;
        if (command == "step") ++place;
        if (command == "reverse-step") --place;
        if (command == "reverse-to-event port.post == 7") place = 100;
        if (command.starts_with("state")) return answer(paused, place);
        return "";
    });
    const auto eip = [&] {
        const auto* found = counters::find_value(watch().table().sections(), "general", "eip");
        return found == nullptr ? std::string() : *found;
    };
    EXPECT_NE(refused("guest-step-back").find("open the Registers panel"), std::string::npos) << "nobody looks";
    act("registers");
    ASSERT_TRUE(becomes([&] { return watch().is_there(); })) << watch().problem();
    EXPECT_EQ(refused("guest-step-back"), "The emulated PC runs: pause it first");
    EXPECT_EQ(refused("guest-go"), "The emulated PC runs: pause it first");
    act("guest-pause");
    ASSERT_TRUE(becomes([&] { return watch().table().is_paused(); }));
    EXPECT_EQ(refused("guest-pause"), "The emulated PC stands still");
    act("guest-step");
    ASSERT_TRUE(becomes([&] { return eip() == "10501"; }));
    act("guest-step-back");
    ASSERT_TRUE(becomes([&] { return eip() == "10500"; }));
    app().document().panels.guest_event.clear();
    EXPECT_NE(refused("guest-back-to-event").find("Type an event"), std::string::npos);
    EXPECT_NE(refused("guest-run-to-event").find("Type an event"), std::string::npos);
    app().document().panels.guest_event = "port.post == 7";
    act("guest-back-to-event");
    ASSERT_TRUE(becomes([&] { return eip() == "10100"; }));
    frames(2);
    keep("registers-back");
    act("guest-run-to-event");
    ASSERT_TRUE(becomes([&] { return !watch().table().is_paused(); }));
    const auto asked = guest.commands();
    EXPECT_NE(std::find(asked.begin(), asked.end(), "stop-at port.post == 7"), asked.end());
    act("guest-pause");
    ASSERT_TRUE(becomes([&] { return watch().table().is_paused(); }));
    act("guest-go");
    ASSERT_TRUE(becomes([&] { return !watch().table().is_paused(); }));
}

TEST_F(OfRegisters, CodeIsShownAndAClickOnItRunsOnToThere) {
    std::atomic<bool> there = false;
    support::FakeGuest guest(207, [&](const std::string& command) -> std::string {
        if (command == "run-to f000:0000f1af") there = true;
        if (command == "disassemble") {
            return "f000:0000f1aa <on_irq0+0x1>  66ff060006           inc dword ptr [0x0600]\n"
                   "f000:0000f1af  b020                 mov al, 0x20\n";
        }
        return answer(true, 3);
    });
    act("registers");
    ASSERT_TRUE(becomes([&] { return watch().code().size() == 2; })) << watch().problem();
    frames(2);
    keep("registers-code");
    click_item("code line 1");
    EXPECT_TRUE(becomes([&] { return there.load(); }));
}

TEST_F(OfRegisters, WithoutAHistoryTheWayBackIsClosedAndSaysWhy) {
    support::FakeGuest guest(206, [&](const std::string& command) -> std::string {
        return command == "history" ? "error: this run keeps no history: start it with --history-memory 256"
                                    : answer(true, 7);
    });
    act("registers");
    ASSERT_TRUE(becomes([&] { return watch().table().is_paused(); })) << watch().problem();
    for (const char* id : {"guest-step-back", "guest-back-to-event"}) {
        EXPECT_EQ(refused(id), "this run keeps no history: start it with --history-memory 256");
    }
    const auto asked = guest.commands();
    EXPECT_TRUE(std::none_of(asked.begin(), asked.end(), [](const std::string& c) { return c.starts_with("reverse"); }));
}

TEST_F(OfRegisters, NoPcAndSeveralAreSaid) {
    act("registers");
    ASSERT_TRUE(becomes([&] { return watch().problem().starts_with("No emulated PC runs"); }));
    frames(1);
    keep("registers-none");
    support::FakeGuest first(203, [](const std::string&) { return answer(false, 1); });
    support::FakeGuest second(204, [](const std::string&) { return answer(false, 2); });
    ASSERT_TRUE(becomes([&] { return watch().problem().starts_with("Several emulated PCs run"); }));
    frames(1);
    keep("registers-several");
    app().panels().inspector.registers().choose_process(204);
    ASSERT_TRUE(becomes([&] { return watch().process() == 204 && !watch().table().sections().empty(); }))
        << watch().problem();
}

}  // namespace
}  // namespace sla::ui
