// Lanes of programs that come and go, of channels that say states, and of an agent that went: looked at as pictures too.
#include "tests/unit/viewer/ui/panels_fixture.h"
#include "viewer/timeline/value_at.h"

#include <array>
#include <string>

namespace sla::ui {
namespace {

// As an agent that saw programs come and go; then it went itself.
class AgentOfPrograms final : public DataSource {
public:
    AgentOfPrograms() {
        support::CaptureBuilder capture(1'000'000, 1e9);
        for (std::uint32_t i = 0; i < 6; ++i) {
            const std::uint32_t pid = i < 4 ? 4000 + i : 0;
            const auto source = capture.source(i < 4 ? "worker" : "tool", support::BuilderSource::kProgram, pid);
            const std::uint64_t from = 2'000'000 + i * 5'000'000;
            for (const char* name : {"net.rx", "net.tx", "net.drop"}) {
                const auto channel = capture.channel(name, source);
                for (std::uint64_t at = 0; at < 40; ++at) capture.tick(channel, from + at * 200'000);
            }
            const auto says = capture.channel("state", source);
            constexpr std::array kStates{"idle", "parsing", "writing"};
            for (std::uint64_t at = 0; at < 12; ++at) capture.text(says, from + at * 600'000, kStates[at % 3]);
            if (i == 5) capture.gap(says, from + 8'000'000, 7, wire::LossCause::kOverrun, from + 9'000'000);
            if (i == 5) capture.text(says, from + 10'000'000, "idle");
        }
        capture.fill(session_);
        for (std::uint32_t id = 2; id < 5; ++id) {
            store::Source ended = *session_.source(SourceId{id});
            ended.ended = true;
            session_.add_source(ended);
        }
    }
    store::Session& session() override { return session_; }
    [[nodiscard]] SourceStatus status() const override {
        SourceStatus status{state, "unix:agent.sock", {}, 1, 0};
        status.retry_in = retry_in;
        return status;
    }
    void poll(std::chrono::milliseconds) override {}
    [[nodiscard]] bool can_run() const override { return true; }

    SourceState state = SourceState::kLive;
    std::optional<std::chrono::milliseconds> retry_in;

private:
    store::Session session_;
};

class OfPrograms : public Panels {
protected:
    OfPrograms() {
        auto source = std::make_unique<AgentOfPrograms>();
        source_ = source.get();
        open(std::move(source));
        act("fit");
    }
    AgentOfPrograms* source_ = nullptr;
};

TEST_F(OfPrograms, ThatEndedAreFoldedBelowThoseThatLive) {
    keep("programs");
    const timeline::LaneTree& tree = app().document().tree;
    EXPECT_EQ(tree.rows().back().name, "3 ended");
    EXPECT_EQ(tree.rows().front().name, "tool, from 26 ms");
    app().view().lane_scroll = 1e6F;  // to the end
    frames(3);
    const float y = lanes().y + (tree.rows().back().y + tree.rows().back().height / 2) - app().view().lane_scroll;
    ASSERT_LT(y, lanes().bottom());
    const std::size_t before = tree.rows().size();
    click(app().layout().names.x + 60, y);
    frames(2);
    EXPECT_GT(tree.rows().size(), before + 3 * 4);
    keep("programs-unfolded");
}

TEST_F(OfPrograms, AClockThatNobodyKeepsIsMarkedWhereThereAreOtherHostsToCompareWith) {
    store::Session& session = source_->session();
    time::ClockSnapshot snapshot{session.last_tick() + 10'000'000'000, 1'000'000'000, 1'700'000'000'000'000'000};
    snapshot.wall.state = time::WallState::kUnsynchronised;
    session.add_clock(0, snapshot);
    session.touch();
    frames(2);
    ASSERT_FALSE(session.wall().problem().empty());
    const Rect& names = app().layout().names;
    const Rect heads{names.x, names.y, names.width, 24};
    const ImU32 mark = theme_of(ThemeName::kDark).loss;
    EXPECT_FALSE(has_colour(screen_->pixels(), heads, mark)) << "one host alone";
    store::Host other;
    other.id = 7;
    other.name = "there";
    session.add_host(other);
    session.touch();
    frames(2);
    EXPECT_TRUE(has_colour(screen_->pixels(), heads, mark));
}

TEST_F(OfPrograms, AChannelOfTextsSaysTheStateThatHolds) {
    const store::Lane* state = nullptr;
    for (const store::Lane* lane : app().source().session().lanes()) {
        if (lane->channel().name == "state") state = lane;  // the newest program's
    }
    const std::uint64_t in_first = state->tick(0) + 300'000;
    EXPECT_EQ(timeline::value_at(*state, in_first, state->last_tick()), "idle");
    app().view().show({state->tick(0) + 100'000, state->last_tick() + 1'000'000});
    frames(2);
    keep("states");
    // A view between two texts still says what holds there, in the colour of that state.
    app().view().show({state->tick(1) + 100'000, state->tick(1) + 200'000});
    frames(2);
    move(lanes().x + 300, lanes().y + 5);
    keep("states-between");
    const timeline::TreeRow* row = app().document().tree.row_of(state);
    ASSERT_NE(row, nullptr);
    const float y = lanes().y + row->y + row->height / 2 - app().view().lane_scroll;
    const Rect middle{lanes().x + 400, y - 3, 60, 6};
    EXPECT_FALSE(has_colour(screen_->pixels(), middle, theme_of(ThemeName::kDark).background));
}

void add_game(support::CaptureBuilder& capture) {
    const auto main = capture.thread("main", 4711);
    const auto loader = capture.thread("loader", 4712);
    const auto frame = capture.channel("game.frame");
    const auto physics = capture.channel("game.physics");
    const auto draw = capture.channel("game.draw");
    const auto upload = capture.channel("gpu.upload");
    const auto read = capture.channel("io.read");
    for (std::uint64_t i = 0; i < 6; ++i) {
        const std::uint64_t at = 2'000'000 + i * 16'000'000;
        capture.span(frame, at, at + 15'000'000, main);
        capture.span(physics, at + 400'000, at + 5'000'000, main);
        capture.span(draw, at + 5'200'000, at + 14'500'000, main);
        for (std::uint64_t k = 0; k < 3; ++k)
            capture.span(upload, at + 6'000'000 + k * 2'500'000, at + 7'500'000 + k * 2'500'000, main);
        capture.span(read, at + 3'000'000, at + 12'000'000 + i * 1'000'000, loader);
    }
}

TEST_F(Panels, TheFlameTabNestsTheSpansOfEachThreadAndGoesToOneThatIsClicked) {
    open(add_game);
    act("flame");
    frames(3);
    keep("flame");
    const timeline::Flame& flame = app().panels().bottom.flame().flame();
    ASSERT_EQ(flame.tracks.size(), 2u);
    EXPECT_EQ(flame.tracks[0].rows, 3u);
    const Rect& table = app().layout().table;
    const float x = x_of(lane("gpu.upload").tick(0)) + 4;
    move(x, table.y + 8 + 2.5F * 18);
    frames(2);
    keep("flame-tooltip");
    click(x, table.y + 8 + 2.5F * 18);
    frames(2);
    ASSERT_TRUE(app().document().marks.selection);
    EXPECT_EQ(app().document().marks.selection->lane, &lane("gpu.upload"));
    EXPECT_EQ(app().document().marks.selection->index, 0u);
}

// One of two programs ended in the middle, in a span, with a level and a value.
TEST_F(Panels, WhatAProgramThatHasEndedHeldIsNotKnownBehindItsEnd) {
    constexpr std::uint64_t kEnd = 50'000'000;
    open([](support::CaptureBuilder& capture) {
        const auto lives = capture.source("lives", support::BuilderSource::kProgram, 1);
        const auto ends = capture.source("ends", support::BuilderSource::kProgram, 2);
        for (const std::uint32_t source : {lives, ends}) {
            const std::string name = source == lives ? "lives." : "ends.";
            capture.level(capture.channel(name + "level", source), 10'000'000, true);
            capture.value(capture.channel(name + "value", source), 11'000'000, 5);
            capture.begin(capture.channel(name + "span", source), 12'000'000);
        }
        capture.tick(capture.channel("ends.newest", ends), kEnd);
        capture.tick(capture.channel("lives.newest", lives), 2 * kEnd);
    });
    store::Session& session = app().source().session();
    const auto is_drawn_at = [&](const char* name, std::uint64_t tick) {
        const int x = static_cast<int>(x_of(tick));
        const auto y = static_cast<int>(y_of(name));
        for (int at = y - 10; at < y + 10; ++at) {
            if (colour_at(screen_->pixels(), x, at) != theme_of(ThemeName::kDark).background) return true;
        }
        return false;
    };
    act("fit");
    for (const char* name : {"ends.level", "ends.value", "ends.span"})
        EXPECT_TRUE(is_drawn_at(name, kEnd + 17'000'000)) << name;
    store::Source ended = *session.source(lane("ends.level").channel().source);
    ended.ended = true;
    session.add_source(ended);
    session.touch();
    frames(30);
    keep("ended-in-a-span");
    for (const char* name : {"ends.level", "ends.value", "ends.span"}) {
        EXPECT_TRUE(is_drawn_at(name, kEnd - 17'000'000)) << name;
        EXPECT_FALSE(is_drawn_at(name, kEnd + 17'000'000)) << name;
    }
    for (const char* name : {"lives.level", "lives.value", "lives.span"})
        EXPECT_TRUE(is_drawn_at(name, kEnd + 17'000'000)) << name;
}

TEST_F(OfPrograms, AnAgentThatWentIsCountedDownTo) {
    const auto shown = [&](SourceState state, std::chrono::milliseconds left) {
        source_->state = state;
        source_->retry_in = left;
        frames(2);
        // The status bar's frame time is another one on a busy machine.
        const auto rows = static_cast<std::ptrdiff_t>(app().layout().status.y);
        const Pixels pixels = screen_->pixels();
        return std::vector(pixels.rgba.begin(), pixels.rgba.begin() + rows * pixels.width * 4);
    };
    const auto at_four = shown(SourceState::kEnded, std::chrono::milliseconds(3500));
    keep("agent-ended");
    EXPECT_NE(at_four, shown(SourceState::kEnded, std::chrono::milliseconds(2500)));
    EXPECT_EQ(at_four, shown(SourceState::kEnded, std::chrono::milliseconds(3900))) << "in whole seconds: nothing flickers";
    shown(SourceState::kLost, std::chrono::milliseconds(0));
    keep("agent-lost");
}

}  // namespace
}  // namespace sla::ui
