// A window that joins late: what the agent's memory had given up is shown, and is no alarm.
#include "tests/unit/viewer/ui/panels_fixture.h"

namespace sla::ui {
namespace {

class JoinedLate : public Panels {
protected:
    // Two minutes of which the agent held the last half; on `b` something was lost as well.
    void open_late(bool with_loss) {
        open([=](support::CaptureBuilder& capture) {
            const auto a = capture.channel("cpu.hlt");
            const auto b = capture.channel("net.rx");
            const auto c = capture.channel("load");
            capture.gap(a, at(0), 521'000, wire::LossCause::kNotKept, at(60));
            capture.gap(b, at(5), 4'170'000, wire::LossCause::kNotKept, at(70));
            if (with_loss) capture.gap(b, at(90), 412, wire::LossCause::kOverrun, at(95));
            for (std::uint64_t i = 0; i < 600; ++i) {
                capture.tick(a, at(60) + i * kSecond / 10 + 1);
                if (i >= 100 && (i < 300 || i > 350)) capture.tick(b, at(60) + i * kSecond / 10 + 2);
                capture.number(c, at(60) + i * kSecond / 10 + 3, static_cast<double>(i % 50));
            }
        });
        frames(3);
    }
    static constexpr std::uint64_t at(std::uint64_t seconds) { return kStart + seconds * kSecond; }
    static constexpr std::uint64_t kStart = 2'000'000;
    static constexpr std::uint64_t kSecond = 1'000'000'000;
};

TEST_F(JoinedLate, OpensWithoutAnAlarm) {
    open_late(false);
    EXPECT_EQ(app().layout().error_bar.height, 0.0F);
    EXPECT_EQ(app().source().session().lost(), 0u);
    EXPECT_EQ(app().source().session().not_kept(), 4'691'000u);
    act("gaps");
    frames(2);
    keep("late");
    click_item("gaps 0");
    ASSERT_TRUE(app().document().marks.selection);
    EXPECT_EQ(app().document().marks.selection->tick, kStart) << "the first event of all";
}

TEST_F(JoinedLate, DrawsWhatWasNotFetchedAsNeitherIdleNorLost) {
    open([](support::CaptureBuilder& capture) {
        const auto a = capture.channel("cpu.hlt");
        const auto c = capture.channel("load");
        for (std::uint64_t i = 0; i < 600; ++i) {
            capture.tick(a, at(60) + i * kSecond / 10 + 1);
            capture.number(c, at(60) + i * kSecond / 10 + 3, static_cast<double>(i % 50));
        }
    });
    store::Session& session = app().source().session();
    session.lanes()[0]->set_begins_late();
    session.lanes()[1]->set_begins_late();
    session.set_history({at(0), at(60), 0});
    frames(3);
    keep("late-unfetched");
    EXPECT_EQ(app().view().extent().first, at(0)) << "all that there is, is in sight";
    const Pixels pixels = screen_->pixels();
    const Rect lane{lanes().x + 2, lanes().y + 26, x_of(at(60)) - lanes().x - 4, 24};
    const Theme& theme = theme_of(ThemeName::kDark);
    EXPECT_FALSE(has_colour(pixels, lane, theme.loss));
    const auto is_plain = [&](int x) { return colour_at(pixels, x, static_cast<int>(lane.y) + 2) == theme.background; };
    EXPECT_FALSE(is_plain(static_cast<int>(lane.x) + 3));
    EXPECT_FALSE(is_plain(static_cast<int>(lane.right()) - 3));
    EXPECT_EQ(session.lost() + session.not_kept(), 0u);
}

TEST_F(JoinedLate, ReportsALossBesideItAndCountsThatAlone) {
    open_late(true);
    EXPECT_GT(app().layout().error_bar.height, 0.0F);
    EXPECT_EQ(app().source().session().lost(), 412u);
    act("gaps");
    frames(2);
    keep("late-and-lossy");
}

TEST_F(JoinedLate, ListsAShotOfWhichSomethingIsNotThere) {
    open_late(true);
    store::Session& session = app().source().session();
    session.add_shot({"slow", 1, at(30), at(29), at(31), "cpu.hlt"});
    session.add_shot({"slow", 2, at(80), at(79), at(81), "cpu.hlt"});
    session.add_shot({"slow", 3, at(92), at(91), at(93), "cpu.hlt"});
    session.touch();
    act("shots");
    frames(2);
    keep("late-shots");
    EXPECT_EQ(analysis::state_of(session, session.shots()[0]).text(), "not kept: 2 channels");
    EXPECT_EQ(analysis::state_of(session, session.shots()[1]).text(), "whole");
    EXPECT_EQ(analysis::state_of(session, session.shots()[2]).text(), "lost: 1 channel");
}

}  // namespace
}  // namespace sla::ui
