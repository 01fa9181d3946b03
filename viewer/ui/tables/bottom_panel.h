// The lower part of the window: the table of events, and the lists that stand in for it behind tabs.
#pragma once

#include "viewer/ui/tables/bookmark_list.h"
#include "viewer/ui/tables/event_table.h"
#include "viewer/ui/tables/flame_view.h"
#include "viewer/ui/tables/found_list.h"
#include "viewer/ui/tables/gap_list.h"
#include "viewer/ui/tables/marker_list.h"
#include "viewer/ui/tables/pair_list.h"
#include "viewer/ui/tables/shot_list.h"
#include "viewer/ui/tables/sql_panel.h"
#include "viewer/ui/tables/statistics_list.h"
#include "viewer/ui/widgets/context.h"

namespace sla::ui {

class BottomPanel {
public:
    explicit BottomPanel(TableRows& rows) : table_(rows) {}
    void draw(Context& context);
    // Takes over what was typed and chosen in another one.
    void go_on_from(const BottomPanel& before);
    [[nodiscard]] const EventTable& table() const { return table_; }
    [[nodiscard]] const MarkerList& markers() const { return markers_; }
    [[nodiscard]] const FoundList& found() const { return found_; }
    PairList& pairs() { return pairs_; }
    [[nodiscard]] const StatisticsList& statistics() const { return statistics_; }
    [[nodiscard]] const FlameView& flame() const { return flame_; }

private:
    // Returns the x behind the last tab.
    static float draw_tabs(Context& context, const Rect& strip);
    static Rect rest_of_tabs(const Context& context, float used);
    void draw_filter(Context& context, const Rect& place);
    void draw_filter_text(Context& context, const Rect& place);

    EventTable table_;
    FlameView flame_;
    StatisticsList statistics_;
    FoundList found_;
    PairList pairs_;
    MarkerList markers_;
    BookmarkList bookmarks_;
    ShotList shots_;
    GapList gaps_;
    SqlPanel sql_;
    std::string filter_text_;
    std::string filter_known_;  // of the table, when filter_text_ was taken from it
};

}  // namespace sla::ui
