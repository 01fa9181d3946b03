// Markers in the window: gone through by key, dragged on the ruler, deleted, renamed, and every difference reachable.
#include "viewer/ui/commands/markers.h"
#include "tests/unit/viewer/ui/panels_fixture.h"
#include "viewer/timeline/cursor.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace sla::ui {
namespace {

class Markers : public Panels {
protected:
    void open_with(std::size_t count) {
        open_few();
        const store::Lane& rx = lane("net.rx");
        for (std::size_t i = 0; i < count; ++i) {
            app().document().marks.annotations.markers.push_back({"M" + std::to_string(i + 1), rx.tick(i * 5)});
        }
        act("markers");
        rest();
    }
    Annotations& notes() { return app().document().marks.annotations; }
    const MarkerList& list() { return app().panels().bottom.markers(); }
};

TEST_F(Markers, AreGoneThroughDeletedAndRenamedByKey) {
    open_with(3);
    const auto in_the_middle = [&] {
        const auto away = [&](const Marker& marker) { return std::abs(port().x_of(marker.tick) - port().width() / 2); };
        const auto& all = notes().markers;
        const auto best =
            std::min_element(all.begin(), all.end(), [&](const auto& a, const auto& b) { return away(a) < away(b); });
        EXPECT_LT(away(*best), 2.0);
        return static_cast<std::size_t>(best - all.begin());
    };
    std::vector<std::size_t> visited;
    for (int i = 0; i < 4; ++i) {
        type("]");
        visited.push_back(in_the_middle());
    }
    EXPECT_EQ(visited[1], (visited[0] + 1) % 3);
    EXPECT_EQ(visited[2], (visited[0] + 2) % 3);
    EXPECT_EQ(visited[3], visited[0]) << "round and round";
    type("[");
    EXPECT_EQ(in_the_middle(), visited[2]);
    rest();
    const std::vector<Marker> before = notes().markers;
    key(kKeyDelete);
    ASSERT_EQ(notes().markers.size(), 2u);
    for (const Marker& marker : notes().markers) EXPECT_NE(marker.name, before[visited[2]].name);
    rest();
    ctrl('Z');
    EXPECT_EQ(notes().markers, before);
    act("rename-marker");
    frames(4);
    keep("marker-rename");
    type("start");
    key(kKeyEnter);
    frames(2);
    EXPECT_EQ(notes().markers[visited[2]].name, "start");
}

TEST_F(Markers, OneThatIsDeletedHandsTheChoiceToNoOther) {
    open_with(3);
    click_item("differences 1");
    key(kKeyDelete);
    key(kKeyDelete);
    ASSERT_EQ(notes().markers.size(), 2u) << "nobody chose the next one";
    EXPECT_FALSE(app().errors().notice().empty());
    rest();
    ctrl('Z');
    ASSERT_EQ(notes().markers.size(), 3u);
    key(kKeyDelete);
    ASSERT_EQ(notes().markers.size(), 2u) << "it is there again, and is the one that was chosen";
    EXPECT_EQ(notes().markers[1].name, "M3");
}

TEST_F(Markers, AreChosenAndRenamedInTheTableOfDifferencesToo) {
    open_with(3);
    click_item("differences 2");
    key(kKeyDelete);
    ASSERT_EQ(notes().markers.size(), 2u);
    EXPECT_EQ(notes().markers[1].name, "M2") << "the third was chosen";
    click_item("differences 0", 1);
    keep("marker-menu-in-differences");
    type("start");
    key(kKeyEnter);
    frames(2);
    EXPECT_EQ(notes().markers[0].name, "start");
}

TEST_F(Markers, WithoutOneTheKeysSaySo) {
    open_few();
    type("]");
    EXPECT_NE(app().errors().notice().find("no marker"), std::string::npos);
    key(kKeyDelete);
    EXPECT_NE(app().errors().notice().find("No marker is chosen"), std::string::npos);
}

TEST_F(Markers, AreDraggedOnTheRulerAndT0Too) {
    open_with(2);
    const Rect& ruler = app().layout().ruler;
    const float y = ruler.y + 6;
    const std::uint64_t begin = notes().markers[1].tick;
    const auto x = [&](std::uint64_t tick) { return std::round(ruler.x + static_cast<float>(port().x_of(tick))); };
    drag(0, x(begin), y, x(begin) + 120, y);
    EXPECT_NEAR(port().x_of(notes().markers[1].tick), port().x_of(begin) + 120, 7) << "the nearest edge";
    EXPECT_EQ(notes().markers[0].tick, lane("net.rx").tick(0));
    rest();
    ctrl('Z');
    EXPECT_EQ(notes().markers[1].tick, begin);
    notes().zero = begin + 400'000;
    rest();
    const auto place = port().visible();
    drag(0, x(*notes().zero), y, x(*notes().zero) + 80, y);
    EXPECT_NEAR(port().x_of(*notes().zero), port().x_of(begin + 400'000) + 80, 7);
    EXPECT_EQ(port().visible(), place) << "the view was not dragged";
}

TEST_F(Markers, CarryTheSameErrorBetweenHostsAsTheCursorsBesideThem) {
    open_few();
    store::Session& session = app().source().session();
    store::Host host;
    host.id = 1;
    host.errors.steps = {{0, 5'000'000}};
    session.add_host(host);
    const std::uint64_t from = lane("net.rx").tick(0);
    const std::uint64_t to = lane("net.rx").tick(5);
    const auto free = timeline::measure({timeline::Cursor{from}, timeline::Cursor{to}}, session);
    EXPECT_GE(free->error_ps, 10'000'000);
    const auto line = [](std::uint64_t tick, std::uint32_t of_host) { return MarkerLine{"A", tick, 0, {}, 0, of_host}; };
    const MarkerLine range{"R", from, 0, {}, to};
    EXPECT_EQ(length_of(range, session).error_ps, free->error_ps);
    EXPECT_EQ(length_of(range, session).ps, free->ps);
    EXPECT_EQ(
        measure_between(line(from, timeline::Cursor::kAnyHost), line(to, timeline::Cursor::kAnyHost), session).error_ps,
        free->error_ps);
    const timeline::CursorPair placed{timeline::Cursor{from, true, 1}, timeline::Cursor{to, true, 1}};
    const auto measured = timeline::measure(placed, session);
    EXPECT_LT(measured->error_ps, free->error_ps) << "of one host what both have in common is no error";
    EXPECT_EQ(measure_between(line(from, 1), line(to, 1), session).error_ps, measured->error_ps);
}

TEST_F(Markers, EveryDifferenceCanBeBroughtIntoSight) {
    open_with(9);
    frames(2);
    auto [first, count] = list().columns_in_sight();
    ASSERT_GT(count, 0u);
    ASSERT_LT(count, 9u);
    EXPECT_EQ(first, 0u);
    keep("marker-columns");
    std::set<std::size_t> seen;
    for (int i = 0; i < 9; ++i) {
        type("]");
        std::tie(first, count) = list().columns_in_sight();
        for (std::size_t column = first; column < first + count; ++column) seen.insert(column);
        EXPECT_LE(first + count, 9u);
    }
    EXPECT_EQ(seen.size(), 9u);
}

TEST_F(Markers, AreMoreThanAVeryWideWindowHasColumnsFor) {
    open(support::add_few, ThemeName::kDark, 7200, 480, 0.5F);
    for (int i = 0; i < 80; ++i) notes().markers.push_back({"M" + std::to_string(i), 1'100'000});
    act("markers");
    frames(2);
    const auto [first, count] = list().columns_in_sight();
    EXPECT_GE(first + count, 60u);
    EXPECT_LT(count, 64u);
}

TEST_F(Markers, ACursorSetByKeyOnAnEventIsOfThatEventsHost) {
    open_few();
    const store::Lane& rx = lane("net.rx");
    app().document().marks.selection = Selection{&rx, 5, rx.tick(5)};
    move(2, 2);  // not over the lanes
    act("cursor-a");
    const std::optional<timeline::Cursor>& a = app().document().marks.cursors.a;
    ASSERT_TRUE(a);
    EXPECT_EQ(a->tick, rx.tick(5));
    EXPECT_EQ(a->host, app().source().session().host_id_of(rx));
    EXPECT_NE(a->host, timeline::Cursor::kAnyHost);
}

}  // namespace
}  // namespace sla::ui
