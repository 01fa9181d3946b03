// The lower part of the window: the table of events, and the lists that stand in for it behind tabs.
#pragma once

#include "viewer/ui/bookmark_list.h"
#include "viewer/ui/context.h"
#include "viewer/ui/found_list.h"
#include "viewer/ui/gap_list.h"
#include "viewer/ui/marker_list.h"
#include "viewer/ui/pair_list.h"
#include "viewer/ui/shot_list.h"

namespace sla::ui {

class EventTable;

enum class DrawerTab { kEvents, kFound, kPairs, kMarkers, kBookmarks, kShots, kGaps };

class Drawer {
public:
    void draw(Context& context, EventTable& table);
    void show(DrawerTab tab) { tab_ = tab; }
    [[nodiscard]] DrawerTab tab() const { return tab_; }
    PairList& pairs() { return pairs_; }
    MarkerList& markers() { return markers_; }
    BookmarkList& bookmarks() { return bookmarks_; }
    // The filter's field takes the keyboard in the next frame.
    void focus_filter() { focus_filter_ = true; }

private:
    // Returns the x behind the last tab.
    float draw_tabs(Context& context, const Rect& strip);
    static Rect rest_of_tabs(const Context& context, float used);
    void draw_filter(Context& context, EventTable& table, const Rect& place);
    void draw_filter_text(Context& context, EventTable& table, const Rect& place);

    DrawerTab tab_ = DrawerTab::kEvents;
    FoundList found_;
    PairList pairs_;
    MarkerList markers_;
    BookmarkList bookmarks_;
    ShotList shots_;
    GapList gaps_;
    bool focus_filter_ = false;
    std::string filter_text_;
    std::string filter_known_;  // of the table, when filter_text_ was taken from it
};

}  // namespace sla::ui
