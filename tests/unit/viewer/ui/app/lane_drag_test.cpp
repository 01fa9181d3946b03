// Rows of the column of names, dragged to another place or into a group.
#include "tests/unit/viewer/ui/panels_fixture.h"

#include <algorithm>
#include <string>
#include <vector>

namespace sla::ui {
namespace {

TEST_F(Panels, ALaneIsDraggedBeforeAnotherOne) {
    open_few();
    const auto& rows = app().document().tree.rows();
    std::vector<std::string> before;
    for (const auto& row : rows) before.push_back(row.key);
    const auto lane_rows = [&] {
        std::vector<const timeline::TreeRow*> out;
        for (const auto& row : app().document().tree.rows()) {
            if (row.lane != nullptr && row.parent == app().document().tree.row_of(&lane("net.rx"))->parent)
                out.push_back(&row);
        }
        return out;
    };
    const auto like = lane_rows();
    ASSERT_GE(like.size(), 2u);
    const std::string first = like[0]->key;
    const std::string second = like[1]->key;
    const float x = app().layout().names.x + 60;
    const float top = app().layout().names.y;
    drag(0, x, top + like[1]->y + 10, x, top + like[0]->y + 4);
    EXPECT_EQ(lane_rows()[0]->key, second);
    EXPECT_EQ(lane_rows()[1]->key, first);
    rest();
    ctrl('Z');
    EXPECT_EQ(lane_rows()[0]->key, first);
}

TEST_F(Panels, ALaneIsDraggedIntoAGroupAndOutOfIt) {
    open_few();
    timeline::LaneTree& tree = app().document().tree;
    timeline::LaneStyle style = tree.style_of(lane("net.rx"));
    style.group = "mine";
    tree.set_style(lane("net.rx"), style);
    rest();
    const store::Lane* other = nullptr;
    for (const auto& row : tree.rows()) {
        if (row.lane != nullptr && row.lane != &lane("net.rx")) other = row.lane;
    }
    ASSERT_NE(other, nullptr);
    const auto middle = [&](const timeline::TreeRow& row) { return app().layout().names.y + row.y + row.height / 2; };
    const auto head = [&] {
        return *std::find_if(tree.rows().begin(), tree.rows().end(), [](const auto& row) { return row.key == "@mine"; });
    };
    const float x = app().layout().names.x + 60;
    drag(0, x, middle(*tree.row_of(other)), x, middle(head()));
    EXPECT_EQ(tree.style_of(*other).group, "mine");
    EXPECT_EQ(tree.row_of(other)->parent, "@mine");
    rest();
    const timeline::TreeRow last = tree.rows().back();  // of no group of the person's own
    ASSERT_NE(last.parent, "@mine");
    drag(0, x, middle(*tree.row_of(other)), x, middle(last));
    EXPECT_EQ(tree.style_of(*other).group, "");
    rest();
    ctrl('Z');
    EXPECT_EQ(tree.style_of(*other).group, "mine");
}

class LanesDragged : public Panels {
protected:
    std::vector<std::string> names(bool pinned = false) {
        std::vector<std::string> out;
        for (const auto& row : app().document().tree.rows()) {
            if (row.lane != nullptr && row.pinned == pinned) out.push_back(row.lane->channel().name);
        }
        return out;
    }
    void open_three() {
        open([](support::CaptureBuilder& capture) {
            for (const char* name : {"a", "b", "c"}) capture.tick(capture.channel(name), 2'000'000);
        });
        ASSERT_EQ(names(), (std::vector<std::string>{"a", "b", "c"}));
    }
    void drag_to(const char* name, float y) {
        const float x = app().layout().names.x + 60;
        drag(0, x, y_of(name), x, y);
    }
};

TEST_F(LanesDragged, OneBelowTheLastComesToTheEnd) {
    open_three();
    const Rect& column = app().layout().names;
    ASSERT_LT(y_of("c") + 40, column.bottom() - 8) << "there is space below";
    drag_to("a", column.bottom() - 8);
    EXPECT_EQ(names(), (std::vector<std::string>{"b", "c", "a"}));
    drag_to("c", column.bottom() - 8);
    EXPECT_EQ(names(), (std::vector<std::string>{"b", "a", "c"}));
}

TEST_F(LanesDragged, OneBelowTheColumnStaysWhereItWas) {
    open_three();
    ASSERT_GT(app().layout().table.height, 20);
    drag_to("a", app().layout().table.y + 20);
    EXPECT_EQ(names(), (std::vector<std::string>{"a", "b", "c"}));
}

TEST_F(LanesDragged, OnePinnedOrOfAGroupStaysAmongItsLike) {
    open_three();
    timeline::LaneTree& tree = app().document().tree;
    for (const char* name : {"a", "b"})
        tree.change_style(lane(name), [](timeline::LaneStyle& style) { style.pinned = true; });
    frames(2);
    ASSERT_EQ(names(true), (std::vector<std::string>{"a", "b"}));
    const float below = app().layout().names.bottom() - 8;
    drag_to("a", below);
    EXPECT_EQ(names(true), (std::vector<std::string>{"b", "a"}));
    for (const char* name : {"a", "b"}) {
        tree.change_style(lane(name), [](timeline::LaneStyle& style) {
            style.pinned = false;
            style.group = "mine";
        });
    }
    frames(2);
    const std::vector<std::string> before = names();
    drag_to(before[0].c_str(), below);
    EXPECT_EQ(names(), (std::vector<std::string>{before[1], before[0], "c"}));
    EXPECT_EQ(tree.style_of(lane(before[0].c_str())).group, "mine");
}

}  // namespace
}  // namespace sla::ui
