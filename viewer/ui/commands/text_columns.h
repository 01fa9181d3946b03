// TextColumns: like a newspaper, each column filled before the next is begun. A heading is never left alone at a column's
// foot, and stands again above what goes on in the next one.
#pragma once

#include "viewer/ui/widgets/layout.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace sla::ui {

// Of the entries, group by group.
using EntryHeights = std::vector<std::vector<float>>;

class TextColumns {
public:
    struct Look {
        float width = 0;  // of a column
        float between = 0;
        float heading = 0;
        float below_group = 0;
    };

    TextColumns(const Rect& inside, const Look& look) : inside_(inside), look_(look) {}

    // The least height at which so many columns hold them all.
    static float least_height(const EntryHeights& groups, const Look& look, std::size_t columns, float step) {
        float height = 0;
        for (const std::vector<float>& entries : groups) height = std::accumulate(entries.begin(), entries.end(), height);
        for (height /= static_cast<float>(columns);; height += step) {
            TextColumns tried({0, 0, 0, height}, look);
            tried.place(
                groups, [](std::size_t, const Rect&) {}, [](std::size_t, std::size_t, const Rect&) {});
            if (tried.column_ < columns && tried.lowest_ <= height) return height;
        }
    }

    // head(group, place) and entry(group, which, place), in order.
    template <typename Head, typename Entry>
    void place(const EntryHeights& groups, Head head, Entry entry) {
        for (std::size_t group = 0; group < groups.size(); ++group) {
            const std::vector<float>& entries = groups[group];
            for (std::size_t i = 0; i < entries.size(); ++i) {
                const float with_head = look_.heading + entries[i];
                if (i == 0 && is_full_for(with_head)) begin_column();
                if (i > 0 && is_full_for(entries[i])) begin_column();
                if (i == 0 || y_ == 0) head(group, take(look_.heading));
                entry(group, i, take(entries[i]));
            }
            y_ += look_.below_group;
        }
    }

private:
    [[nodiscard]] bool is_full_for(float height) const { return y_ > 0 && y_ + height > inside_.height; }
    void begin_column() {
        ++column_;
        y_ = 0;
    }
    Rect take(float height) {
        const Rect place{inside_.x + look_.width * static_cast<float>(column_), inside_.y + y_, look_.width - look_.between,
                         height};
        y_ += height;
        lowest_ = std::max(lowest_, y_);
        return place;
    }

    Rect inside_;
    Look look_;
    std::size_t column_ = 0;
    float y_ = 0;
    float lowest_ = 0;
};

}  // namespace sla::ui
