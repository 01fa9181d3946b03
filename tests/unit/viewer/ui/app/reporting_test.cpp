// What the window reports: how grave it is, and why something did not happen.
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ui/panels_fixture.h"
#include "viewer/ui/dialogs/error_bar.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace sla::ui {
namespace {

TEST_F(Panels, InformationIsNoErrorAndNoWarning) {
    open_few();
    store::Session& session = app().source().session();
    const Theme& theme = theme_of(ThemeName::kDark);
    const auto bar_is = [&](ImU32 colour) {
        frames(2);
        const Rect& bar = app().layout().error_bar;
        return bar.height > 0 && colour_at(screen_->pixels(), static_cast<int>(bar.x + bar.width / 2),
                                           static_cast<int>(bar.bottom() - 3)) == colour;
    };
    session.add_note({0, "another agent answers: the lanes go on", false});
    EXPECT_TRUE(bar_is(theme.raised));
    keep("told_information");
    session.add_note({0, "a part of the file was damaged", true});
    EXPECT_TRUE(bar_is(theme.warning_bar));
    keep("told_warning");
    app().errors().add("the disk is full");
    EXPECT_TRUE(bar_is(theme.error_bar));
    session.add_note({0, "another agent answers again", false});
    EXPECT_TRUE(bar_is(theme.error_bar));  // the gravest is read first
    keep("told_error");
}

// A larger ring is no help where there is none.
TEST_F(Panels, TheAdviceOnLossesIsOfTheCauseThatTookTheMost) {
    const auto advice_for = [&](std::uint64_t overrun, std::uint64_t without_ring, std::uint64_t lagged) {
        open([&](support::CaptureBuilder& capture) {
            const auto a = capture.channel("a");
            const auto b = capture.channel("sla.too-many-channels");
            capture.tick(a, 1'000);
            if (overrun > 0) capture.gap(a, 2'000, overrun, wire::LossCause::kOverrun, 2'001);
            if (without_ring > 0) capture.gap(b, 2'100, without_ring, wire::LossCause::kNoRing, 2'200);
            if (lagged > 0) capture.gap(b, 2'300, lagged, wire::LossCause::kLagged, 2'400);
            capture.tick(a, 3'000);
        });
        return std::string(LossAdvice().on(app().source().session()));
    };
    const std::string of_none = advice_for(0, 9'040, 0);
    EXPECT_NE(of_none.find("fewer channels"), std::string::npos) << of_none;
    keep("told_no_ring");
    EXPECT_EQ(advice_for(10, 9'040, 0), of_none);
    EXPECT_NE(advice_for(9'040, 10, 0).find("larger ring"), std::string::npos);
    EXPECT_NE(advice_for(10, 10, 9'040).find("--memory"), std::string::npos);
}

// The bar stands for long, and a look goes over as many lanes as there are.
TEST_F(Panels, TheAdviceOnLossesIsLookedForOnceForWhatWasLost) {
    open([](support::CaptureBuilder& capture) {
        const auto a = capture.channel("a");
        capture.gap(a, 2'000, 9'040, wire::LossCause::kNoRing, 2'001);
    });
    store::Session& session = app().source().session();
    LossAdvice advice;
    const std::string first = advice.on(session);
    EXPECT_NE(first.find("fewer channels"), std::string::npos) << first;
    session.touch();
    EXPECT_EQ(advice.on(session), first);
    EXPECT_EQ(advice.looks(), 1u);
    store::Session other;
    EXPECT_NE(advice.on(other), first);
    EXPECT_EQ(advice.looks(), 2u);
}

TEST_F(Panels, AnActionThatCannotBeDoneSaysWhy) {
    open_few();
    for (const char* id : {"follow", "trigger", "next-hit", "next-edge", "zoom-to-cursors", "unfold-idle", "overlay", "run",
                           "undo", "bookmark-5", "pin-lane", "zero-at-a", "show-all-lanes", "clear-markers"}) {
        app().errors().notice("");
        act(id);
        EXPECT_FALSE(app().errors().notice().empty()) << id;
        EXPECT_FALSE(app().errors().any()) << id;
    }
    keep("notice");
    EXPECT_FALSE(app().is_still());
    frames(60 * 5);
    EXPECT_TRUE(app().errors().notice().empty());
    EXPECT_TRUE(app().is_still());
}

// A fleet: it runs and stops, and there is no one agent to ask.
class RunningSource final : public DataSource {
public:
    store::Session& session() override { return still_.session(); }
    [[nodiscard]] SourceStatus status() const override { return {state, "fleet", {}, 1, 0}; }
    void poll(std::chrono::milliseconds) override {}
    void run() override { state = SourceState::kLive; }
    void stop() override { state = SourceState::kStopped; }
    [[nodiscard]] bool can_run() const override { return true; }

    SourceState state = SourceState::kLive;

private:
    StillSource still_{support::add_few};
};

TEST_F(Panels, SpaceStopsAndRunsAFleetToo) {
    auto owned = std::make_unique<RunningSource>();
    const RunningSource& source = *owned;
    open(std::move(owned));
    type(" ");
    EXPECT_EQ(source.state, SourceState::kStopped) << app().errors().notice();
    type(" ");
    EXPECT_EQ(source.state, SourceState::kLive) << app().errors().notice();
}

// An agent of which older history comes, as another source that takes its place.
class SourceWithOlderRows final : public DataSource {
public:
    store::Session& session() override { return still_.session(); }
    [[nodiscard]] SourceStatus status() const override { return {SourceState::kLive, "agent", {}, 1, 0}; }
    void poll(std::chrono::milliseconds) override {}
    [[nodiscard]] bool can_run() const override { return true; }
    [[nodiscard]] std::unique_ptr<DataSource> take_longer() override { return std::move(longer); }

    std::unique_ptr<DataSource> longer;

private:
    StillSource still_{support::add_few};
};

TEST_F(Panels, WhatWasNotReadYetStaysWhenOlderHistoryComes) {
    auto owned = std::make_unique<SourceWithOlderRows>();
    SourceWithOlderRows& source = *owned;
    open(std::move(owned));
    source.session().add_note({0, "damaged at 7 s", true});
    source.session().add_note({0, "damaged at 8 s", true});
    frames(2);
    ASSERT_EQ(app().errors().shown().text, "damaged at 8 s");
    app().errors().dismiss();
    auto longer = std::make_unique<StillSource>(support::add_few);
    for (const char* text : {"damaged at 1 s", "damaged at 7 s", "damaged at 8 s"})
        longer->session().add_note({0, text, true});
    const DataSource* next = longer.get();
    source.longer = std::move(longer);
    frames(3);
    ASSERT_EQ(&app().source(), next);
    ASSERT_EQ(app().errors().count(), 2u) << app().errors().others();
    EXPECT_EQ(app().errors().shown().text, "damaged at 1 s") << "of the time that was not here";
    EXPECT_EQ(app().errors().others(), "damaged at 7 s") << "the other one was read";
}

// A window that closes shows no message any more.
TEST_F(Panels, WhatCannotBeKeptIsSaidOnceAndStillWhenTheWindowCloses) {
    const support::TemporaryPath folder("not_kept");
    std::filesystem::create_directories(folder.path);
    const std::string capture = (folder.path / "run.sla").string();
    support::CaptureBuilder few(1'000'000, 2.7e9, 70);
    support::add_few(few);
    few.write(capture);
    open_few();
    app().set_keeping(true);
    app().open(capture);
    frames_until([&] { return app().document().restored; });
    std::filesystem::create_directories(folder.path / "run.sla.view.json" / "in the way");
    app().document().marks.annotations.markers.push_back({"M1", 1'234'567});
    frames(60 * 11);  // it is kept every ten seconds
    ASSERT_EQ(app().errors().count(), 1u);
    EXPECT_NE(app().errors().shown().text.find("run.sla.view.json"), std::string::npos);
    app().errors().dismiss();
    frames(60 * 11);
    EXPECT_FALSE(app().errors().any()) << app().errors().shown().text;
    EXPECT_EQ(app().keep().size(), 1u);
    EXPECT_EQ(app().keep().size(), 1u) << "it is not kept yet";
    std::filesystem::remove_all(folder.path / "run.sla.view.json");
    EXPECT_TRUE(app().keep().empty());
    EXPECT_TRUE(std::filesystem::is_regular_file(folder.path / "run.sla.view.json"));
}

TEST_F(Panels, NoLaneStaysHiddenWhereNoneIsToBe) {
    open_few();
    Document& document = app().document();
    document.set_questions(
        {{"late", "SELECT tick + 1000 AS tick FROM events WHERE channel = 'net.rx'", QuestionForm::kLane}});
    frames_until([&] { return document.tree.lane_of("?:late") != nullptr; });
    for (const store::Lane* lane : {document.tree.lane_of("?:late"), &lane("net.rx")}) {
        ASSERT_NE(lane, nullptr);
        timeline::LaneStyle style = document.tree.style_of(*lane);
        style.hidden = true;
        document.tree.set_style(*lane, style);
    }
    frames(2);
    ASSERT_EQ(document.tree.hidden(), 2u);
    act("show-all-lanes");
    EXPECT_EQ(document.tree.hidden(), 0u) << app().errors().notice();
}

TEST_F(Panels, SteppingBeyondTheLastEdgeSaysSo) {
    open_few();
    const store::Lane& rx = lane("net.rx");
    app().document().marks.focus = &rx;
    app().document().marks.selection = Selection{&rx, rx.size() - 1, rx.tick(rx.size() - 1)};
    act("next-edge");
    EXPECT_EQ(app().document().marks.selection->index, rx.size() - 1);
    EXPECT_NE(app().errors().notice().find("No later edge"), std::string::npos);
}

TEST_F(Panels, WhatALeftDragDoesIsSaidWhenItIsChanged) {
    open_few();
    act("mouse");
    EXPECT_EQ(app().settings().mouse, MousePreset::kProfiler);
    EXPECT_NE(app().errors().notice().find("left drag over the lanes measures"), std::string::npos);
    act("mouse");
    EXPECT_EQ(app().settings().mouse, MousePreset::kLogicAnalyzer);
    EXPECT_NE(app().errors().notice().find("left drag over the lanes pans"), std::string::npos);
}

TEST_F(Panels, ThePaletteSaysWhyNot) {
    open_few();
    ctrl('K');
    frames(2);
    type("follow the newest");
    key(kKeyEnter);
    frames(3);
    EXPECT_NE(app().errors().notice().find("nothing to follow"), std::string::npos);
}

}  // namespace
}  // namespace sla::ui
