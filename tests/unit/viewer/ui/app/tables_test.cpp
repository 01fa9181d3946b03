// The panels that list and count, drawn in memory and used with mouse and keys.
#include "tests/unit/viewer/ui/panels_fixture.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/tables/pair_list.h"

#include <algorithm>
#include <string>

namespace sla::ui {
namespace {

TEST_F(Panels, SearchMarksItsHitsAndStepsThroughThem) {
    open_bench();
    ctrl('F');
    frames(2);
    type("block");
    key(kKeyEnter);
    frames(10);
    Search& search = app().document().search;
    ASSERT_GT(search.hits().size(), 3u);
    EXPECT_EQ(app().document().panels.bottom_tab, BottomTab::kFound);
    ASSERT_TRUE(app().document().marks.selection);
    EXPECT_EQ(app().document().marks.selection->tick, search.hits()[0].tick);
    keep("found");
    act("next-hit");
    EXPECT_EQ(app().document().marks.selection->tick, search.hits()[1].tick);
    act("previous-hit");
    EXPECT_EQ(app().document().marks.selection->tick, search.hits()[0].tick);
    const double x = port().x_of(app().document().marks.selection->tick);
    EXPECT_GE(x, 0.0);
    EXPECT_LE(x, port().width());
}

TEST_F(Panels, HitsAtOneTickAreMarkedOneByOne) {
    open([](support::CaptureBuilder& capture) {
        const auto channel = capture.channel("net.tx");
        for (const std::uint64_t tick : {2'000'000, 3'000'000, 3'000'000, 3'000'000, 4'000'000})
            capture.tick(channel, tick, 500);
    });
    for (const char* text : {"value > 400", "net.tx > 400"}) {  // events, and places in time
        app().document().marks.selection.reset();
        app().view().show({1'000'000, 5'000'000});
        app().document().search.set(text);
        act("found");
        frames(5);
        ASSERT_EQ(app().document().search.hits().size(), 5u) << text;
        for (std::size_t at = 0; at < 5; ++at) {
            act("next-hit");
            EXPECT_EQ(app().panels().bottom.found().marked(), at) << text;
        }
        for (std::size_t at = 4; at-- > 0;) {
            act("previous-hit");
            EXPECT_EQ(app().panels().bottom.found().marked(), at) << text;
        }
    }
}

TEST_F(Panels, ALaneWithVeryManyHitsHidesNoOtherLanesMarks) {
    constexpr std::uint64_t kMany = 60'000;
    open([&](support::CaptureBuilder& capture) {
        const auto busy = capture.channel("busy");
        const auto calm = capture.channel("calm");
        for (std::uint64_t i = 0; i < kMany; ++i) capture.tick(busy, 1'000'000 + i * 1000, 7);
        for (std::uint64_t i = 0; i < 5; ++i) capture.tick(calm, 1'000'500 + (i + 1) * 10'000'000, 7);
    });
    app().document().search.set("value == 7");
    frames_until([&] { return app().document().search.hits().size() == kMany + 5; });
    ASSERT_EQ(app().document().search.hits().size(), kMany + 5);
    frames(2);
    keep("many_hits");
    const timeline::TreeRow* row = app().document().tree.row_of(&lane("calm"));
    const float foot = lanes().y + (row->y + row->height) * app().layout().scale;
    const Pixels pixels = screen_->pixels();
    for (std::uint64_t i = 0; i < 5; ++i) {
        const Rect mark{x_of(lane("calm").tick(i)) - 2, foot - 6, 4, 5};
        EXPECT_TRUE(has_colour(pixels, mark, theme_of(ThemeName::kDark).hit)) << i;
    }
}

TEST_F(Panels, RowsDifferencesAndTablesAreCopied) {
    open_few();
    const store::Lane& rx = lane("net.rx");
    app().document().marks.selection = Selection{&rx, 1, rx.tick(1)};
    frames(2);
    ctrl('C');
    const std::string row = ImGui::GetClipboardText();
    EXPECT_NE(row.find("\tnet.rx\ttick\t965\t"), std::string::npos) << row;
    EXPECT_EQ(std::count(row.begin(), row.end(), '\t'), 8) << row;
    EXPECT_EQ(std::count(row.begin(), row.end(), '\n'), 1) << row;
    app().document().marks.selection.reset();
    app().document().marks.cursors.a = timeline::Cursor{rx.tick(0), true};
    app().document().marks.cursors.b = timeline::Cursor{rx.tick(1), true};
    frames(2);
    ctrl('C');
    const auto measured = timeline::measure(app().document().marks.cursors, app().source().session());
    const std::string delta = ImGui::GetClipboardText();
    EXPECT_NE(delta.find("delta\t" + std::to_string(measured->ps / 1000) + "."), std::string::npos) << delta;
    app().document().rows.set_filter("channel == net.rx");
    frames(3);
    act("copy-table");
    const std::string table = ImGui::GetClipboardText();
    EXPECT_EQ(table.substr(0, 8), "time_ns\t");
    EXPECT_EQ(static_cast<std::uint64_t>(std::count(table.begin(), table.end(), '\n')), rx.size() + 1);
    EXPECT_EQ(table.find("net.parse"), std::string::npos);
    keep("copied");
}

TEST_F(Panels, ARowThatTheTableDoesNotShowIsCopiedWithoutItsDifferences) {
    open_few();
    app().document().rows.set_filter("channel == net.parse");
    frames(5);
    const store::Lane& rx = lane("net.rx");
    app().document().marks.selection = Selection{&rx, 3, rx.tick(3)};
    frames(2);
    ctrl('C');
    const std::string row = ImGui::GetClipboardText();
    EXPECT_NE(row.find("\tnet.rx\t"), std::string::npos) << row;
    EXPECT_TRUE(row.ends_with("\t\t\t\n")) << "there is no row before it to count from: " << row;
}

TEST_F(Panels, TheTableShowsWhatTheFilterLetsThrough) {
    open_bench();
    ctrl('L');
    frames(2);
    type("kind == gap");
    frames(30);
    EXPECT_EQ(app().document().rows.filter(), "kind == gap");
    EXPECT_NE(app().document().rows.words().find("2 rows"), std::string::npos);
    keep("filter");
    click(lanes().x + 20, lanes().y + 4);  // the field lets go of the keyboard
    app().document().rows.set_filter("value >");
    frames(2);
    EXPECT_TRUE(app().document().rows.wrong());
}

TEST_F(Panels, PairsAreHeldAgainstALimitWithThreeVerdicts) {
    open_bench();
    PairList& pairs = app().panels().bottom.pairs();
    app().document().panels.pair_from = app().document().tree.key_of(lane("irq.0"));
    app().document().panels.pair_to = app().document().tree.key_of(lane("irq.0.isr"));
    pairs.set_limit("< 5us");
    app().document().panels.bottom_tab = BottomTab::kPairs;
    frames(20);
    EXPECT_GT(pairs.pairs().size(), 50u);
    EXPECT_EQ(pairs.count(PairVerdict::kPass) + pairs.count(PairVerdict::kFail) + pairs.count(PairVerdict::kCannotTell),
              pairs.pairs().size());
    EXPECT_GT(pairs.count(PairVerdict::kPass), 0u);
    keep("pairs");
    pairs.set_limit("soon");
    frames(2);
    EXPECT_EQ(pairs.count(PairVerdict::kPass), 0u);
}

// Of two lanes that grow each alone.
TEST_F(Panels, APairIsListedAsSoonAsItsEndHasCome) {
    open([](support::CaptureBuilder& capture) {
        const auto request = capture.channel("request");
        const auto answer = capture.channel("answer");
        for (std::uint64_t i = 0; i < 9; ++i) capture.tick(answer, 1'500'000 + i * 1000);
        for (std::uint64_t i = 0; i < 5; ++i) capture.tick(request, 2'000'000 + i * 1000);
        capture.tick(answer, 2'003'500);
        capture.leave_open(2'100'000);
    });
    app().view().show({1'000'000, 3'000'000});
    PanelState& panels = app().document().panels;
    panels.pair_from = app().document().tree.key_of(lane("request"));
    panels.pair_to = app().document().tree.key_of(lane("answer"));
    panels.bottom_tab = BottomTab::kPairs;
    const PairList& pairs = app().panels().bottom.pairs();
    const auto whole = [&] {
        return std::count_if(pairs.pairs().begin(), pairs.pairs().end(),
                             [](const analysis::Interval& pair) { return pair.state == analysis::IntervalState::kWhole; });
    };
    frames(10);
    EXPECT_EQ(whole(), 1);
    store::Session& session = app().source().session();
    wire::EventBatch more;
    more.add(2'104'500, SLA_CODE_TICK, 0, 1);
    session.lane(lane("answer").channel().id)->append(more);
    session.set_watermark(2'200'000);
    session.touch();
    frames(10);
    EXPECT_EQ(whole(), 2) << "the other lane has fewer rows, and no more than before";
}

TEST_F(Panels, ALaneOfAQuestionIsCountedAndPairedLikeTheOthers) {
    open_bench();
    Document& document = app().document();
    document.set_questions(
        {{"late", "SELECT tick + 1000 AS tick FROM events WHERE channel = 'port.post'", QuestionForm::kLane}});
    frames_until([&] { return !document.kept_answers->is_busy() && document.tree.lane_of("?:late") != nullptr; });
    const store::Lane* late = document.tree.lane_of("?:late");
    ASSERT_NE(late, nullptr);
    const store::Lane& post = lane("port.post");
    ASSERT_EQ(late->size(), post.size());
    PairList& pairs = app().panels().bottom.pairs();
    document.panels.pair_from = document.tree.key_of(post);
    document.panels.pair_to = "?:late";
    document.panels.bottom_tab = BottomTab::kPairs;
    pairs.set_limit("");
    const auto next_ones = [&] {
        return std::count_if(pairs.pairs().begin(), pairs.pairs().end(),
                             [](const analysis::Interval& pair) { return pair.width() == 1000; });
    };
    frames_until([&] { return next_ones() > 0; });
    // The last of what is in view may be followed by its own behind it.
    EXPECT_GE(static_cast<std::uint64_t>(next_ones()), post.size() - 1) << "each is followed by its own";
    document.panels.bottom_tab = BottomTab::kStatistics;
    document.marks.focus = late;
    const StatisticsList& list = app().panels().bottom.statistics();
    frames_until([&] { return !list.numbers().rows().empty() && !list.is_counting(); });
    const auto& rows = list.numbers().rows();
    const auto count_of = [&](const store::Lane* wanted) {
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& one) { return one.lane == wanted; });
        return row == rows.end() || !row->counted ? 0 : row->counted->numbers.count;
    };
    EXPECT_GE(count_of(late), post.size() - 3);
    // Of the one itself, what lies within the stretch of its loss is not sure to have nothing in between.
    const store::Gap& loss = post.gaps()[0];
    const std::uint64_t within = post.lower_bound(loss.until_tick) - post.lower_bound(loss.tick);
    EXPECT_NEAR(static_cast<double>(count_of(late)), static_cast<double>(count_of(&post) + within), 3)
        << "the same, a little later";
    EXPECT_GT(app().panels().inspector.statistics().bars().size(), 0u) << "of the focused lane";
    keep("question-statistics");
}

TEST(PairVerdicts, CountTheError) {
    support::CaptureBuilder capture;
    store::Session session;
    capture.fill(session);
    const time::ClockMap& clock = session.clock();
    analysis::Interval pair;
    pair.begin_tick = 1000;
    pair.end_tick = 51'000;
    const auto error = static_cast<double>(clock.delta_error_ps(pair.width()));
    analysis::Limit limit = *analysis::parse_limit("width x < 60us");
    EXPECT_EQ(pair_verdict(pair, limit, clock), PairVerdict::kPass);
    limit = *analysis::parse_limit("width x < 40us");
    EXPECT_EQ(pair_verdict(pair, limit, clock), PairVerdict::kFail);
    limit.bound = 50'000'000 + error / 2;
    EXPECT_EQ(pair_verdict(pair, limit, clock), PairVerdict::kCannotTell);
    pair.state = analysis::IntervalState::kLossy;
    limit.bound = 1e12;
    EXPECT_EQ(pair_verdict(pair, limit, clock), PairVerdict::kCannotTell);
    pair.state = analysis::IntervalState::kUnfinished;  // as sla check: it broke the limit already, or nothing is said of it
    EXPECT_EQ(pair_verdict(pair, limit, clock), PairVerdict::kNone);
    limit.bound = 40'000'000;
    EXPECT_EQ(pair_verdict(pair, limit, clock), PairVerdict::kFail);
}

TEST_F(Panels, StatisticsLeadToTheWorstAndToTheBarsEvents) {
    open_bench();
    click(lanes().x + 300, y_of("pipe.compress"));
    frames(20);
    const double before = port().ticks_per_pixel();
    click_item("reading max");
    EXPECT_LT(port().ticks_per_pixel(), before / 10);
    keep("worst");
}

TEST_F(Panels, StatisticsOfALaneThatIsDrawnLaterAreOfWhatIsInView) {
    open_few();
    const store::Lane& rx = lane("net.rx");
    const auto& bars = app().panels().inspector.statistics().bars();
    app().document().marks.focus = &rx;
    const timeline::TickRange all = app().view().extent();
    app().view().show(all);
    frames_until([&] { return !bars.empty(); });
    ASSERT_FALSE(bars.empty());
    const auto away = static_cast<std::int64_t>(20 * all.length());
    timeline::LaneStyle style = app().document().tree.style_of(rx);
    style.offset_ticks = away;
    app().document().tree.set_style(rx, style);
    frames_until([&] { return bars.empty(); });
    EXPECT_TRUE(bars.empty()) << "it is out of sight";
    app().view().show(timeline::earlier(all, -away));
    frames_until([&] { return !bars.empty(); });
    EXPECT_FALSE(bars.empty());
}

TEST_F(Panels, StatisticsAreCountedLessOverheadAndWithoutOutliersUntilUndone) {
    open_bench(1280, 800);
    click(lanes().x + 5, y_of("pipe.compress"));
    frames(3);
    const auto toggle = [&](const char* words) {
        ctrl('K');
        frames(2);
        type(words);
        key(kKeyEnter);
        rest();
    };
    toggle("leave outliers out");
    EXPECT_TRUE(app().document().statistics_options.cull);
    toggle("subtract the width");
    EXPECT_TRUE(app().document().statistics_options.subtract_overhead);
    keep("statistics-culled");
    ctrl('Z');
    EXPECT_FALSE(app().document().statistics_options.subtract_overhead);
    EXPECT_TRUE(app().document().statistics_options.cull);
    ctrl('Z');
    EXPECT_FALSE(app().document().statistics_options.cull);
    ctrl('Y');
    EXPECT_TRUE(app().document().statistics_options.cull);
}

TEST_F(Panels, TheHistogramsAxesAreSwitchedAndRemembered) {
    open_bench(1280, 800);
    click(lanes().x + 5, y_of("pipe.compress"));
    frames(3);
    const auto bars = [&] { return app().panels().inspector.statistics().bars(); };
    const auto ratio_log = bars();
    ASSERT_GT(ratio_log.size(), 4u);
    act("even-bars");
    rest();
    const auto even = bars();
    const std::uint64_t width = even[1].until_ticks - even[1].from_ticks;
    for (std::size_t i = 1; i + 1 < even.size(); ++i)
        EXPECT_NEAR(static_cast<double>(even[i].until_ticks - even[i].from_ticks), static_cast<double>(width), 1.0) << i;
    act("plain-counts");
    rest();
    std::uint64_t fullest = 0;
    for (const auto& bar : bars()) fullest = std::max(fullest, bar.count);
    for (const auto& bar : bars()) {
        EXPECT_DOUBLE_EQ(bar.height, static_cast<double>(bar.count) / static_cast<double>(fullest));
    }
    keep("statistics-linear");
    ctrl('Z');
    ctrl('Z');
    rest();
    EXPECT_FALSE(app().document().statistics_options.even_bars);
    EXPECT_EQ(bars().size(), ratio_log.size());
    EXPECT_EQ(bars()[1].until_ticks, ratio_log[1].until_ticks);
}

class AllLanes : public Panels {
protected:
    void open_list() {
        open_bench();
        act("all-statistics");
        frames_until([&] { return !list().is_counting(); });
        ASSERT_FALSE(list().is_counting());
    }
    const StatisticsList& list() { return app().panels().bottom.statistics(); }
};

TEST_F(AllLanes, HaveARowEachOfWhatIsInViewOrBetweenTheCursors) {
    open_list();
    keep("all-statistics");
    ASSERT_EQ(list().numbers().rows().size(), app().document().tree.lanes().size());
    std::uint64_t events = 0;
    for (const auto& row : list().numbers().rows()) {
        ASSERT_TRUE(row.counted);
        EXPECT_EQ(row.range, port().visible());
        events += row.counted->events;
    }
    EXPECT_GT(events, 1'000u);
    const store::Lane& spans = lane("pipe.compress");
    app().document().marks.cursors = {timeline::Cursor{spans.tick(8), true}, timeline::Cursor{spans.tick(80), true}};
    frames(2);
    frames_until([&] { return !list().is_counting(); });
    for (const auto& row : list().numbers().rows()) EXPECT_EQ(row.range.first, spans.tick(8));
    keep("all-statistics-between");
}

TEST_F(AllLanes, ArePutInOrderByAnyNumberAndAClickGoesToOne) {
    open_list();
    const auto greatest = [&](std::size_t row) {
        for (const auto& one : list().numbers().rows()) {
            if (one.lane == list().lane_at(row)) return one.counted->numbers.count == 0 ? -1 : one.counted->numbers.max_ps;
        }
        return std::int64_t{-2};
    };
    click_item("statistics max");
    for (std::size_t row = 1; row < list().numbers().rows().size(); ++row)
        EXPECT_LE(greatest(row), greatest(row - 1)) << row;
    click_item("statistics max");
    for (std::size_t row = 1; row < list().numbers().rows().size(); ++row)
        EXPECT_GE(greatest(row), greatest(row - 1)) << row;
    click_item("statistics 1");
    EXPECT_EQ(app().document().marks.focus, list().lane_at(1));
}

TEST_F(AllLanes, AreCopiedWithTheColumnsThatAreNotShown) {
    open_list();
    click_item("copy statistics");
    const std::string text = ImGui::GetClipboardText();
    EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), list().numbers().rows().size() + 1);
    EXPECT_EQ(text.substr(0, 12), "channel\tof\tn");
    EXPECT_NE(text.find("p99.9"), std::string::npos);
    EXPECT_NE(text.find("pipe.compress\twidth of spans\t"), std::string::npos);
}

TEST_F(Panels, ARateIsOverTheTimeThatIsKnown) {
    open_few();
    app().document().marks.focus = &lane("net.rx");
    const auto rate_over = [&](const timeline::TickRange& range) {
        app().view().show(range);
        frames(60);
        return app().panels().inspector.statistics().rate();
    };
    const timeline::TickRange all = app().view().extent();
    const std::string rate = rate_over(all);
    EXPECT_FALSE(rate.empty());
    EXPECT_EQ(rate_over({all.first, all.last + 9 * all.length()}), rate) << "nothing was recorded behind the end";
    EXPECT_EQ(rate_over({all.first + 2 * all.length(), all.last + 2 * all.length()}), "") << "none at all there";
}

// As `sla channels` says it, and the lane's head.
TEST_F(Panels, ARateIsOverTheTimeInWhichTheLaneIsRecorded) {
    open([](support::CaptureBuilder& capture) {
        const auto other = capture.channel("other");
        const auto late = capture.channel("late");
        capture.tick(other, 1'000);
        for (std::uint64_t i = 0; i <= 100; ++i) capture.tick(late, 5'000'000 + i * 1'000);
        capture.tick(other, 9'000'000);
    });
    app().document().marks.focus = &lane("late");
    app().view().show(app().view().extent());
    frames(60);
    EXPECT_EQ(app().panels().inspector.statistics().rate(), timeline::readable_rate(2.7e6)) << "a thousand ticks of 2.7 GHz";
}

}  // namespace
}  // namespace sla::ui
