// The delta-time table below the lanes: one row an event, in time order over all lanes, locked to them both ways.
//
// Rows are computed for what is shown, never stored: the table holds any number of rows and scrolls by row, not by pixel.
//   lanes → table   moving the view brings its first row to the top; selecting an event brings its row into sight
//   table → lanes   clicking a row selects its event and moves the view there
// A filter leaves only rows that match; they are looked for in steps of a frame's budget, and the deltas are between them.
// Owner: the window's thread.
#pragma once

#include "viewer/store/merged.h"
#include "viewer/ui/context.h"
#include "viewer/ui/search.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sla::ui {

class EventTable {
public:
    explicit EventTable(const store::Session& session);
    void draw(Context& context);
    [[nodiscard]] std::uint64_t rows() const { return index_.rows(); }
    // Selects the row so many rows further on.
    void step_selection(Context& context, int rows);
    // Text, /regex/ or a condition (see search.h); "" shows every row.
    void set_filter(const std::string& text);
    [[nodiscard]] const std::string& filter() const { return filter_text_; }
    [[nodiscard]] bool filter_wrong() const { return filter_.mode() == SearchMode::kWrong; }
    // How many match, or what is wrong with it; "" without a filter.
    [[nodiscard]] std::string filter_words() const;

private:
    struct Row {
        std::uint64_t number = 0;
        store::Place place;
        std::string time, channel, value, text, delta_any, delta_lane, delta_a, error;
        const char* kind = "";
        bool gap = false;
        ImU32 colour = 0;
    };

    [[nodiscard]] bool filtered() const { return !filter_text_.empty() && !filter_wrong(); }
    [[nodiscard]] std::uint64_t row_count() const { return filtered() ? filter_.hits().size() : index_.rows(); }
    [[nodiscard]] std::uint64_t row_at(std::uint64_t tick) const;
    [[nodiscard]] std::uint64_t row_of(const store::Lane& lane, std::uint64_t index) const;
    [[nodiscard]] std::optional<store::Place> place_of(std::uint64_t row) const;
    // The rows can be shown without waiting for a file; false: they are being fetched.
    [[nodiscard]] bool are_here(std::uint64_t first, std::uint64_t count) const;
    void collect_rows(const Context& context, std::size_t count);
    void follow_view(Context& context, std::size_t shown);
    void collect(const Context& context, std::size_t count);
    Row make_row(const Context& context, std::uint64_t number, const store::Place& place,
                 std::optional<store::Place> before) const;
    void draw_head(Context& context, const Rect& place);
    void draw_row(Context& context, const Row& row, const Rect& place, bool striped);
    void draw_marks(Context& context, const Row& row, const Rect& place) const;
    void select_row(Context& context, const store::Place& place);

    store::MergedIndex index_;
    Search filter_;
    std::string filter_text_;
    std::uint64_t first_ = 0;  // row number at the top
    std::uint64_t seen_moves_ = 0;
    std::uint64_t seen_selection_ = ~std::uint64_t{0};
    const store::Lane* seen_lane_ = nullptr;
    std::vector<Row> shown_;
    std::uint64_t shown_first_ = 0;
    std::uint64_t shown_revision_ = ~std::uint64_t{0};
    std::uint64_t shown_rows_ = 0;
    std::optional<std::uint64_t> shown_a_, shown_zero_;  // what times and deltas were made with
    ThemeName shown_theme_ = ThemeName::kDark;
    std::size_t shown_count_ = 0;
};

}  // namespace sla::ui
