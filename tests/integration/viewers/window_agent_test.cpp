// The window in memory on real agents: what its panels ask for happens in the agent and in the program, and is shown.
#include "proto/wire/control.pb.h"
#include "tests/integration/control/control_fixture.h"
#include "viewer/ui/app/screen.h"
#include "viewer/ui/widgets/item_rects.h"

#include <imgui.h>

#include <chrono>
#include <functional>

namespace sla {
namespace {

using std::chrono::steady_clock;

class WindowOnAnAgent : public ControlFixture {
protected:
    void open(const std::string& address, std::uint64_t history_seconds = 30) {
        screen_.reset();
        ui::ScreenOptions options;
        options.settings.history_seconds = history_seconds;
        options.headless = true;
        options.scale = 1;
        options.target = address;
        auto screen = ui::Screen::open(options);
        ASSERT_TRUE(screen.ok()) << screen.error().message;
        screen_ = std::move(*screen);
    }
    ui::App& app() { return screen_->app(); }
    store::Session& session() { return app().source().session(); }
    // Frames until something holds, at most for so long.
    bool until(const std::function<bool()>& holds, std::chrono::seconds most = std::chrono::seconds(30)) {
        const auto end = steady_clock::now() + most;
        while (steady_clock::now() < end) {
            screen_->build_frame();
            if (holds()) return true;
            pause(5);
        }
        return false;
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i) screen_->build_frame();
    }
    void click(const ui::Rect& place) {
        ImGuiIO& io = ImGui::GetIO();
        io.MousePos = {place.x + place.width / 2, place.y + place.height / 2};
        frames(2);
        io.MouseDown[0] = true;
        frames(2);
        io.MouseDown[0] = false;
        frames(2);
    }
    std::string reported() { return app().errors().any() ? app().errors().shown().text : std::string(); }
    const store::TriggerInfo* trigger(const std::string& name) {
        for (const store::TriggerInfo& info : session().health().triggers) {
            if (info.name == name) return &info;
        }
        return nullptr;
    }

    std::unique_ptr<ui::Screen> screen_;
};

TEST_F(WindowOnAnAgent, ATriggerSetInThePanelFiresAndIsStoppedArmedAndRemoved) {
    ASSERT_TRUE(agent_.start());
    auto marked = program();
    ASSERT_NO_FATAL_FAILURE(open(agent_.address()));
    ASSERT_TRUE(until([&] { return session().lane_named("ctl.value") != nullptr; }));
    ui::TriggerDraft& draft = app().panels().inspector.trigger().draft();
    draft.text = "ctl.value == 150";
    draft.name = "window";
    draft.window = "2ms";
    draft.pre_percent = 30;
    ASSERT_TRUE(draft.check().ok());
    draft.order_from(*app().document().agent);
    ASSERT_TRUE(until([&] { return session().shots().size() >= 3; })) << reported();
    app().document().agent->control_trigger("window", ui::TriggerOrder::kStop);
    ASSERT_TRUE(until([&] { return trigger("window") != nullptr && trigger("window")->state == "stopped"; }));
    app().document().agent->control_trigger("window", ui::TriggerOrder::kFire);
    ASSERT_TRUE(until([&] { return reported().find("window is stopped") != std::string::npos; })) << reported();
    app().document().agent->control_trigger("window", ui::TriggerOrder::kArm);
    EXPECT_TRUE(until([&] { return !app().errors().any(); })) << "it is so no more: " << reported();
    const store::Lane& value = *session().lane_named("ctl.value");
    for (std::size_t i = 0; i < 3; ++i) {
        const store::Shot& shot = session().shots()[i];
        EXPECT_EQ(shot.trigger, "window");
        const std::uint64_t at = value.lower_bound(shot.tick);
        ASSERT_LT(at, value.size());
        EXPECT_EQ(value.tick(at), shot.tick);
        EXPECT_EQ(value[at].value, 150u);
        const double before = static_cast<double>(shot.tick - shot.begin_tick);
        EXPECT_NEAR(before / static_cast<double>(shot.end_tick - shot.begin_tick), 0.3, 0.02);
    }
    app().document().agent->control_trigger("window", ui::TriggerOrder::kRemove);
    EXPECT_TRUE(until([&] { return trigger("window") == nullptr; })) << reported();
    end(*marked);
}

TEST_F(WindowOnAnAgent, AChannelIsSwitchedAndFilteredAndWhatIsRefusedIsReported) {
    ASSERT_TRUE(agent_.start());
    auto marked = program();
    ASSERT_NO_FATAL_FAILURE(open(agent_.address()));
    ASSERT_TRUE(until([&] { return session().lane_named("ctl.text") != nullptr && session().lane_named("ctl.wide"); }));
    const auto ledger_of = [&](const char* name) { return session().ledger(session().lane_named(name)->channel().id); };
    app().document().agent->switch_channel("ctl.text", false);
    wire::Filter filter;
    filter.set_every(10);
    app().document().agent->set_channel("ctl.wide", &filter, std::int64_t{5'000'000'000});
    ASSERT_TRUE(until([&] { return ledger_of("ctl.text") != nullptr && ledger_of("ctl.text")->off; }));
    ASSERT_TRUE(until([&] { return ledger_of("ctl.wide") != nullptr && ledger_of("ctl.wide")->filtered > 100; }));
    app().document().agent->switch_channel("ctl.text", true);
    ASSERT_TRUE(until([&] { return !ledger_of("ctl.text")->off; }));
    EXPECT_FALSE(app().errors().any()) << reported();
    app().document().agent->control_trigger("nobody", ui::TriggerOrder::kArm);
    EXPECT_TRUE(until([&] { return app().errors().any(); }));
    EXPECT_NE(reported().find("no trigger"), std::string::npos) << reported();
    const std::uint64_t rounds = end(*marked);
    ASSERT_EQ(agent_.stop(), 0);
    auto recorded = agent_.load();
    const store::Ledger filtered = ledger(*recorded, "ctl.wide");
    EXPECT_EQ(filtered.events + filtered.filtered, rounds);
    const store::Ledger switched = ledger(*recorded, "ctl.text");
    EXPECT_LT(switched.events, rounds) << "off, nothing is made, and nothing counted";
    EXPECT_EQ(switched.lost(), 0u);
}

TEST_F(WindowOnAnAgent, ApplyLeavesTheFilterThatAnotherHasSetWhereOnlyTheTimeWasTyped) {
    ASSERT_TRUE(agent_.start());
    auto marked = program();
    ASSERT_NO_FATAL_FAILURE(open(agent_.address()));
    ASSERT_TRUE(until([&] { return session().lane_named("ctl.value") != nullptr; }));
    const store::Lane& lane = *session().lane_named("ctl.value");
    const auto ledger = [&] { return session().ledger(lane.channel().id); };
    app().document().marks.focus = &lane;
    app().document().panels.inspector_tab = ui::InspectorTab::kAgent;
    frames(5);
    ASSERT_EQ(sla({"set", "ctl.value", "--filter", "every 7"}), 0) << said_;
    ASSERT_TRUE(until([&] { return ledger() != nullptr && ledger()->filter == "every 7"; }));
    frames(5);
    ui::ItemRects items;
    ui::note_items(&items);
    frames(2);
    click(items.at("field Keep for").place);
    for (const char c : {'9', 's'}) {
        ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
        frames(2);
    }
    click(items.at("Apply").place);
    ui::note_items(nullptr);
    ASSERT_TRUE(until([&] { return !app().document().agent->busy(); }));
    const std::uint64_t seen = ledger()->events;
    ASSERT_TRUE(until([&] { return ledger()->events > seen + 1; }));
    EXPECT_EQ(ledger()->filter, "every 7");
    EXPECT_FALSE(app().errors().any()) << reported();
    end(*marked);
}

TEST_F(WindowOnAnAgent, OneThatJoinsLateBeginsWithTheLastOfItAndFetchesTheRestWhenItIsLookedAt) {
    ASSERT_TRUE(agent_.start());
    auto marked = program();
    ASSERT_NO_FATAL_FAILURE(open(agent_.address(), 0));
    const auto held_seconds = [&] {
        return static_cast<double>(session().last_tick() - session().first_tick()) / session().clock().ticks_per_second();
    };
    ASSERT_TRUE(until([&] { return session().events() > 1000 && held_seconds() > 4; }));
    EXPECT_FALSE(session().history()) << "all was asked for";
    const std::uint64_t first = session().lane_named("ctl.counter")->first_tick();

    ASSERT_NO_FATAL_FAILURE(open(agent_.address(), 2));
    ASSERT_TRUE(until([&] { return session().lane_named("ctl.counter") != nullptr && session().history(); }));
    ASSERT_TRUE(until([&] { return session().events() > 100; }));
    const store::Lane& late = *session().lane_named("ctl.counter");
    EXPECT_GT(late.first_tick(), first);
    ASSERT_TRUE(session().unfetched(late));
    EXPECT_LE(session().unfetched(late)->from_tick, late.first_tick());
    EXPECT_EQ(session().lost() + session().not_kept() + session().damage_count(), 0u) << "what was not asked for is no loss";
    EXPECT_LE(app().view().extent().first, first) << "it shows that there is more";
    app().document().marks.focus = &late;
    for (int i = 0; i < 50; ++i) screen_->build_frame();
    ASSERT_TRUE(session().history()) << "nobody looked there";
    const std::string table_filter = "kind == value";
    app().document().rows.set_filter(table_filter);
    const time::ClockMap before = session().clock();
    const std::uint64_t a_tick = late.first_tick();

    app().run("fit");
    ASSERT_TRUE(until([&] { return !session().history(); }));
    const store::Lane& whole = *session().lane_named("ctl.counter");
    EXPECT_EQ(whole.first_tick(), first);
    EXPECT_EQ(app().document().marks.focus, &whole);
    EXPECT_EQ(app().document().rows.filter(), table_filter);
    EXPECT_LE(std::abs(session().clock().to_ps(a_tick) - before.to_ps(a_tick)),
              before.delta_error_ps(a_tick - before.origin_tick()));
    const std::uint64_t rounds = end(*marked);
    ASSERT_TRUE(until([&] { return session().lane_named("ctl.counter")->events() >= rounds; }));
    EXPECT_EQ(session().lane_named("ctl.counter")->events(), rounds) << "each came once";
    EXPECT_EQ(session().lost() + session().not_kept() + session().damage_count(), 0u);
}

TEST_F(WindowOnAnAgent, WhatTheAgentHasGivenUpSinceIsNotTakenFromTheWindow) {
    ASSERT_TRUE(agent_.start());
    auto marked = program();
    ASSERT_NO_FATAL_FAILURE(open(agent_.address(), 0));
    const auto held_seconds = [&] {
        return static_cast<double>(session().last_tick() - session().first_tick()) / session().clock().ticks_per_second();
    };
    ASSERT_TRUE(until([&] { return session().events() > 1000 && held_seconds() > 4; }));
    ASSERT_NO_FATAL_FAILURE(open(agent_.address(), 2));
    ASSERT_TRUE(until([&] { return session().history() && session().events() > 100; }));
    const std::uint64_t first = session().lane_named("ctl.counter")->first_tick();
    ASSERT_EQ(sla({"set", "ctl.*", "--keep", "100ms"}), 0) << said_;
    const auto ledger_of = [&](const char* name) { return session().ledger(session().lane_named(name)->channel().id); };
    ASSERT_TRUE(until([&] { return ledger_of("ctl.counter") && ledger_of("ctl.counter")->retained_from_tick > first; }));
    app().run("fit");
    ASSERT_TRUE(until([&] { return app().source().status().is_older_gone; }));
    EXPECT_EQ(session().lane_named("ctl.counter")->first_tick(), first);
    EXPECT_TRUE(session().history()) << "and says that there was more";
    EXPECT_EQ(session().lost() + session().not_kept(), 0u);
    end(*marked);
}

TEST_F(WindowOnAnAgent, TwoAgentsStandBesideEachOtherAndOneThatIsKilledIsSaidToBeGone) {
    ASSERT_TRUE(agent_.start());
    support::AgentUnderTest other(SLA_BINARIES);
    ASSERT_TRUE(other.start());
    auto marked = program();
    Process beside({SLA_CONTROL_PROGRAM}, other.environment());
    ASSERT_TRUE(beside.wait_for_output("running"));
    ASSERT_NO_FATAL_FAILURE(open(agent_.address()));
    ASSERT_TRUE(until([&] { return session().events() > 1000; }));
    app().open(other.address());
    ASSERT_EQ(app().documents(), 2u);
    ASSERT_TRUE(until([&] { return session().events() > 1000; }));
    EXPECT_EQ(app().source().target(), other.address());
    other.kill_hard();
    ASSERT_TRUE(until([&] { return app().source().status().state != ui::SourceState::kLive; }));
    EXPECT_GT(session().events(), 1000u) << "what was there stays";
    app().run("next-source");
    ASSERT_TRUE(until([&] { return app().source().target() == agent_.address(); }));
    EXPECT_EQ(app().source().status().state, ui::SourceState::kLive);
    const std::uint64_t before = session().events();
    EXPECT_TRUE(until([&] { return session().events() > before; }));
    beside.signal(SIGTERM);
    beside.wait();
    end(*marked);
}

}  // namespace
}  // namespace sla
