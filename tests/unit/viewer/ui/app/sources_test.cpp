// What is open in the window: closed, asked about, opened again, and not opened at all.
#include "proto/wire/address.h"
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ui/panels_fixture.h"

#include <chrono>
#include <filesystem>
#include <fstream>

namespace sla::ui {
namespace {

// An agent that is what the test says.
class AgentFeed final : public DataSource {
public:
    explicit AgentFeed(bool has_events) {
        if (!has_events) return;
        support::CaptureBuilder capture(1'000'000, 2.7e9, 70);
        support::add_few(capture);
        capture.fill(session_);
    }
    store::Session& session() override { return session_; }
    [[nodiscard]] SourceStatus status() const override { return {state, "unix:/no/such.sock", message, 0, 0}; }
    void poll(std::chrono::milliseconds) override {}
    [[nodiscard]] bool can_run() const override { return true; }
    [[nodiscard]] std::string target() const override { return address; }

    SourceState state = SourceState::kLive;
    std::string message;
    std::string address = "unix:/no/such.sock";

private:
    store::Session session_;
};

class Sources : public Panels {
protected:
    std::string file(const std::string& name, const std::string& bytes) {
        files_.push_back(std::make_unique<support::TemporaryPath>(name));
        std::ofstream(files_.back()->path, std::ios::binary) << bytes;
        return files_.back()->path.string();
    }
    std::string capture(const std::string& name) {
        files_.push_back(std::make_unique<support::TemporaryPath>(name));
        support::CaptureBuilder capture(1'000'000, 2.7e9, 70);
        support::add_few(capture);
        capture.write(files_.back()->path.string());
        return files_.back()->path.string();
    }

private:
    std::vector<std::unique_ptr<support::TemporaryPath>> files_;
};

TEST_F(Sources, LiveEventsAreNotClosedWithoutAQuestion) {
    open(std::make_unique<AgentFeed>(true));
    ctrl('W');
    frames(3);
    keep("close_question");
    EXPECT_EQ(app().source().status().state, SourceState::kLive);
    key(kKeyEscape);
    frames(3);
    ctrl('W');
    frames(3);
    key(kKeyRight);  // from Export to Close
    key(kKeyEnter);
    frames(3);
    EXPECT_EQ(app().source().status().state, SourceState::kNone);
}

TEST_F(Sources, WhoHasReadTheQuestionAndClosesTheWindowAgainMeansIt) {
    open(std::make_unique<AgentFeed>(true));
    app().run("quit");  // as the window's own button does
    frames(10);
    app().run("quit");  // a double click on it
    frames(3);
    EXPECT_FALSE(app().wants_to_quit());
    frames(70);  // more than a second
    app().run("quit");
    EXPECT_FALSE(screen_->frame());
    EXPECT_TRUE(app().wants_to_quit());
}

TEST_F(Sources, QuittingAsksAsClosingDoesAndOnlyWhenSomethingWouldBeLost) {
    open(std::make_unique<AgentFeed>(true));
    app().open(capture("shown"));
    frames(3);
    ctrl('Q');
    frames(3);
    EXPECT_FALSE(app().wants_to_quit());
    EXPECT_TRUE(app().source().can_run());  // the agent is shown, not the file
    keep("quit_question");
    key(kKeyEscape);
    frames(3);
    EXPECT_FALSE(app().wants_to_quit());
    ctrl('Q');
    frames(3);
    key(kKeyRight);
    ImGui::GetIO().KeysDown[kKeyEnter] = true;
    EXPECT_FALSE(screen_->frame());
    EXPECT_TRUE(app().wants_to_quit());
    open_few();
    ImGui::GetIO().KeyCtrl = true;
    ImGui::GetIO().KeysDown['Q'] = true;
    EXPECT_FALSE(screen_->frame());
}

TEST_F(Sources, TheQuestionLeadsToTheExportAndNothingIsClosed) {
    open(std::make_unique<AgentFeed>(true));
    ctrl('W');
    frames(3);
    key(kKeyEnter);
    frames(4);
    keep("close_export");
    EXPECT_EQ(app().source().status().state, SourceState::kLive);
    EXPECT_TRUE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
    EXPECT_FALSE(app().document().panels.export_path.empty());
}

TEST_F(Sources, EventsThatAreInAFileAreNotAskedAboutWhateverIsExportedBehindIt) {
    open(std::make_unique<AgentFeed>(true));
    const support::TemporaryPath whole("whole.csv");
    const support::TemporaryPath part("part.csv");
    const auto export_to = [&](const std::string& path, const char* channels) {
        app().document().panels.export_path = path;
        app().export_dialog().channels = channels;
        ctrl('E');
        frames(3);
        key(kKeyEnter);
        frames_until([&] { return app().document().job && app().document().job->result(); });
        ASSERT_TRUE(app().document().job->result()->ok());
        frames(2);
        key(kKeyEscape);
        frames(2);
    };
    export_to(whole.path, "");
    export_to(part.path, "net.rx");
    ctrl('E');
    frames(3);
    key(kKeyEscape);
    frames(3);
    ctrl('W');
    frames(3);
    EXPECT_EQ(app().source().status().state, SourceState::kNone);
}

TEST_F(Sources, AnAgentWithoutEventsAndAFileCloseAtOnceAndComeBack) {
    open(std::make_unique<AgentFeed>(false));
    ctrl('W');
    frames(2);
    EXPECT_EQ(app().source().status().state, SourceState::kNone);

    const std::string path = capture("sla-sources.sla");
    app().open(path);
    frames(10);
    ASSERT_FALSE(app().source().session().lanes().empty());
    ctrl('W');
    frames(2);
    EXPECT_EQ(app().source().status().state, SourceState::kNone);
    act("reopen-source");
    frames(10);
    EXPECT_EQ(app().source().target(), path);
    EXPECT_FALSE(app().source().session().lanes().empty());
}

TEST_F(Sources, WithNothingLeftToOpenAgainThatIsReported) {
    open(no_source());
    act("reopen-source");
    EXPECT_FALSE(app().errors().notice().empty());
}

TEST_F(Sources, WhatASourceReportedGoesWithIt) {
    auto source = std::make_unique<AgentFeed>(false);
    source->state = SourceState::kLost;
    source->message = "no agent at unix:/no/such.sock";
    open(std::move(source));
    ASSERT_TRUE(app().errors().any());
    app().errors().add("the disk is full");
    ctrl('W');
    frames(2);
    ASSERT_EQ(app().errors().count(), 1u);
    EXPECT_EQ(app().errors().shown().text, "the disk is full");
}

TEST_F(Sources, OnlyWhatASourceReportsAtPresentStands) {
    auto source = std::make_unique<AgentFeed>(true);
    AgentFeed& feed = *source;
    open(std::move(source));
    for (const char* words : {"nothing has been heard of h1 for 10 s", "h1 has ended", "h1 and h2 have ended"}) {
        feed.message = words;
        frames(2);
        ASSERT_EQ(app().errors().count(), 1u) << words;
        EXPECT_EQ(app().errors().shown().text, words);
    }
    feed.message.clear();
    frames(2);
    EXPECT_FALSE(app().errors().any());
}

// What a row says changes while the button is down: a live agent counts.
TEST_F(Sources, AClickShowsTheOtherOneThoughItsWordsChangeUnderTheMouse) {
    auto source = std::make_unique<AgentFeed>(true);
    AgentFeed* first = source.get();
    open(std::move(source));
    app().open(capture("sla-second.sla"));
    frames(10);
    ASSERT_EQ(app().documents(), 2u);
    ASSERT_NE(app().source().target(), first->address);
    act("open");
    frames(2);
    move(100, 84);  // the first of the list
    frames(2);
    press(0);
    first->state = SourceState::kFull;
    release(0);
    EXPECT_EQ(app().source().target(), first->address);
    EXPECT_FALSE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
}

// Who starts the window with nothing sees the first page, not an alarm.
TEST_F(Sources, AnAgentOfThisUserThatDoesNotRunYetIsNoError) {
    for (const bool own : {true, false}) {
        auto source = std::make_unique<AgentFeed>(false);
        if (own) source->address = wire::default_address().text();
        source->state = SourceState::kLost;
        source->message = "no agent there";
        open(std::move(source));
        ASSERT_TRUE(app().errors().any());
        EXPECT_EQ(app().errors().shown().severity, own ? Severity::kInformation : Severity::kError);
        keep(own ? "first_page_no_agent" : "no_agent");
    }
}

TEST_F(Sources, NothingOfTheDemoIsKeptAndNobodyIsAskedAboutIt) {
    open(std::make_unique<AgentFeed>(true));
    frames(2);
    EXPECT_FALSE(app().document().view_path().empty());
    app().document().is_temporary = true;
    EXPECT_EQ(app().document().view_path(), "");
    ctrl('W');
    frames(2);
    EXPECT_EQ(app().source().status().state, SourceState::kNone);
}

TEST_F(Sources, WhatCannotBeOpenedLeavesNothingBehind) {
    open_few();
    const std::string before = app().source().status().name;
    const support::TemporaryPath folder("empty_folder");
    std::filesystem::create_directory(folder.path);
    for (const std::string& target : {std::string("/no/such/file.sla"), file("sla-garbage.sla", "no capture at all"),
                                      file("sla-empty.sla", ""), folder.path.string(), std::string("tcp:nowhere")}) {
        app().open(target);
        frames(5);
        EXPECT_EQ(app().documents(), 1u) << target;
        EXPECT_EQ(app().source().status().name, before) << target;
        ASSERT_TRUE(app().errors().any()) << target;
        EXPECT_EQ(app().errors().shown().severity, Severity::kError);
        EXPECT_EQ(app().errors().shown().again, target == "tcp:nowhere" ? "" : target);
        keep("unopened");
        app().errors().dismiss();
    }
}

TEST_F(Sources, AnAgentThatNeverAnsweredIsReportedWithAWayToTryAgain) {
    open_few();
    const std::string before = app().source().status().name;
    const std::string address = "unix:" + (std::filesystem::path(testing::TempDir()) / "sla-nobody.sock").string();
    app().open(address);
    frames_until([&] { return app().documents() <= 1; });
    EXPECT_EQ(app().documents(), 1u);
    EXPECT_EQ(app().source().status().name, before);
    ASSERT_EQ(app().errors().count(), 1u);
    EXPECT_EQ(app().errors().shown().again, address);
    frames(2);
    keep("dead_agent");
}

TEST_F(Sources, AnAgentThatWasThereStaysWhenItIsLost) {
    open(std::make_unique<AgentFeed>(true));
    auto& source = static_cast<AgentFeed&>(app().source());
    source.state = SourceState::kLost;
    source.message = "the agent is gone";
    frames(3);
    EXPECT_EQ(app().documents(), 1u);
    EXPECT_EQ(&app().source(), &source);
}

// As sla-viewer opens several: none has answered yet when the next one is opened.
TEST_F(Sources, AnAgentThatHasNotAnsweredYetStaysBesideTheNextOne) {
    for (const SourceState state : {SourceState::kConnecting, SourceState::kLost, SourceState::kEnded}) {
        auto first = std::make_unique<AgentFeed>(false);
        first->state = state;
        open(std::move(first));
        app().open(std::make_unique<AgentFeed>(true));
        frames(2);
        EXPECT_EQ(app().documents(), 2u) << static_cast<int>(state);
    }
}

TEST_F(Sources, WhereNothingComesTheNextOneTakesTheSpace) {
    for (const bool own : {true, false}) {
        auto first = std::make_unique<AgentFeed>(false);
        if (own) first->address = wire::default_address().text();
        first->state = own ? SourceState::kLost : SourceState::kStopped;
        open(std::move(first));
        app().open(std::make_unique<AgentFeed>(true));
        frames(2);
        EXPECT_EQ(app().documents(), 1u) << own;
    }
}

TEST_F(Sources, AFileThatIsOpenIsShownAndNotOpenedTwice) {
    open_few();
    const std::string path = capture("sla-once.sla");
    app().open(path);
    frames(10);
    act("next-source");
    app().open(std::filesystem::relative(path).string());
    frames(5);
    EXPECT_EQ(app().documents(), 2u);
    EXPECT_EQ(app().source().target(), path);
}

TEST_F(Sources, CtrlTabGoesRoundWhatIsOpen) {
    open_few();
    const std::string path = capture("sla-second.sla");
    app().open(path);
    frames(10);
    ASSERT_EQ(app().documents(), 2u);
    ctrl(kKeyTab);
    EXPECT_EQ(app().source().status().name, "test.sla");
    ctrl(kKeyTab);
    EXPECT_EQ(app().source().target(), path);
    ctrl('W');
    frames(2);
    EXPECT_EQ(app().source().status().name, "test.sla");
    ctrl(kKeyTab);
    EXPECT_FALSE(app().errors().notice().empty());
}

// As sla-viewer opens several: the first one is shown, the others have never been drawn.
TEST_F(Sources, TheOneThatWasNeverShownStandsBesideAtTheSameTime) {
    open_few();
    app().open(std::make_unique<StillSource>(support::add_few));
    app().show_first();
    frames(3);
    act("beside");
    frames(3);
    ASSERT_NE(app().beside(), nullptr);
    EXPECT_EQ(app().source().status().name, app().beside()->source->status().name);
    const timeline::TickRange above = app().view().target().visible();
    const timeline::TickRange below = app().beside()->view().target().visible();
    EXPECT_NEAR(static_cast<double>(below.first), static_cast<double>(above.first), 2);
    EXPECT_NEAR(static_cast<double>(below.last), static_cast<double>(above.last), 2);
}

}  // namespace
}  // namespace sla::ui
