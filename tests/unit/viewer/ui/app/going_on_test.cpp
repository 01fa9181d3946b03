// A document whose older rows come goes on on another source: what a person has typed and chosen beside it stays.
#include "proto/wire/control.pb.h"
#include "tests/unit/viewer/ui/panels_fixture.h"

#include <memory>
#include <utility>

namespace sla::ui {
namespace {

// An agent that nobody answers for, and what takes its place when the test says so.
class FeedWithOlder final : public DataSource {
public:
    FeedWithOlder() {
        support::CaptureBuilder capture(1'000'000, 2.7e9, 70);
        support::add_few(capture);
        capture.fill(session_);
    }
    store::Session& session() override { return session_; }
    [[nodiscard]] SourceStatus status() const override { return {SourceState::kLive, "unix:/no/such.sock", {}, 0, 0}; }
    void poll(std::chrono::milliseconds) override {}
    [[nodiscard]] bool can_run() const override { return true; }
    [[nodiscard]] std::optional<wire::Address> address() const override {
        return *wire::parse_address("unix:/no/such.sock");
    }
    [[nodiscard]] std::unique_ptr<DataSource> take_longer() override { return std::move(longer); }

    std::unique_ptr<FeedWithOlder> longer;

private:
    store::Session session_;
};

class GoingOn : public Panels {
protected:
    void open_agent() { open(std::make_unique<FeedWithOlder>()); }
    FeedWithOlder& feed() { return static_cast<FeedWithOlder&>(app().source()); }
    void older_rows_come() {
        const DataSource* before = &app().source();
        feed().longer = std::make_unique<FeedWithOlder>();
        frames(2);
        ASSERT_NE(&app().source(), before);
    }
};

TEST_F(GoingOn, ATriggerThatIsBeingWrittenStays) {
    open_agent();
    TriggerDraft& draft = app().panels().inspector.trigger().draft();
    draft.text = "gap net.rx > 5ms";
    draft.name = "quiet";
    const TriggerDraft written = draft;
    app().document().panels.inspector_tab = InspectorTab::kTrigger;
    frames(2);
    older_rows_come();
    EXPECT_EQ(app().panels().inspector.trigger().draft(), written);
}

TEST_F(GoingOn, TheLimitOfPairsAndTheOrderOfStatisticsStay) {
    open_agent();
    app().panels().bottom.pairs().set_limit("< 50us");
    app().document().panels.bottom_tab = BottomTab::kStatistics;
    frames(3);
    click_item("statistics n");
    frames(3);
    const StatisticsList& before = app().panels().bottom.statistics();
    const std::string first = before.lane_at(0)->channel().name;
    const std::size_t lanes = app().source().session().lanes().size();
    EXPECT_NE(first, app().source().session().lanes()[0]->channel().name) << "the order of the lanes is another one";
    older_rows_come();
    const StatisticsList& after = app().panels().bottom.statistics();
    frames_until([&] { return after.numbers().rows().size() == lanes && !after.is_counting(); });
    frames(2);
    EXPECT_EQ(app().panels().bottom.pairs().limit(), "< 50us");
    EXPECT_EQ(after.lane_at(0)->channel().name, first);
}

TEST_F(GoingOn, WhatTheAgentWasAskedIsAskedAndItsRefusalIsReported) {
    open_agent();
    constexpr int kRequests = 3;
    wire::Request request;
    request.mutable_control_trigger()->set_name("nobody");
    for (int i = 0; i < kRequests; ++i) app().document().agent->send(request);
    feed().longer = std::make_unique<FeedWithOlder>();
    frames_until([&] { return !app().document().agent->busy(); });
    EXPECT_EQ(app().errors().count(), 1u) << "three times the same is said once";
}

TEST_F(GoingOn, AFilterThatNobodyTypedIsTheAgentsAndATypedOneStays) {
    open_agent();
    const auto agent_has = [&](const char* filter) {
        store::Ledger ledger;
        ledger.filter = filter;
        app().source().session().set_ledger(lane("net.rx").channel().id, ledger);
        frames(2);
    };
    const auto shown = [&] { return app().panels().inspector.agent().filter(); };
    app().document().marks.focus = &lane("net.rx");
    app().document().panels.inspector_tab = InspectorTab::kAgent;
    frames(2);
    EXPECT_EQ(shown(), "") << "nothing has come of it yet";
    agent_has("value > 5");
    EXPECT_EQ(shown(), "value > 5");
    agent_has("value > 7");
    EXPECT_EQ(shown(), "value > 7");
    click_item("field Filter");
    ctrl('A');
    type("every 3");
    key(kKeyEnter);
    frames(2);
    EXPECT_EQ(shown(), "every 3");
    agent_has("value > 9");
    EXPECT_EQ(shown(), "every 3");
    older_rows_come();
    agent_has("value > 9");
    EXPECT_EQ(shown(), "every 3");
}

}  // namespace
}  // namespace sla::ui
