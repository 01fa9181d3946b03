// The command palette: type some letters of anything that can be done or gone to, Enter does it.
// All actions, every lane, marker and bookmark. Of very many lanes some are looked at in each frame; Enter waits for all.
#pragma once

#include "viewer/ui/widgets/context.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sla::ui {

class Palette {
public:
    void open() { opening_ = true; }
    void draw(Context& context);

private:
    struct Entry {
        std::string name;
        std::string keys;
        bool enabled = true;
        std::function<void(Context&)> run;
        int score = 0;
    };
    // What of lanes is looked at in turn: ways from the focused one to each, then each itself.
    enum class Turn { kFromFocus, kLanes, kDone };
    void begin(Context& context);
    void collect(Context& context, std::size_t most_lanes);
    void collect_from(Context& context, const store::Lane& focus, const store::Lane& other);
    void collect_lane(Context& context, const store::Lane& lane);
    void keep_best();
    void add(std::string name, std::string keys, bool enabled, std::function<void(Context&)> run);
    void draw_entries(Context& context, bool entered);

    bool opening_ = false;
    bool stale_ = true;
    std::string typed_;
    std::vector<Entry> entries_;  // the best first
    std::size_t chosen_ = 0;
    Turn turn_ = Turn::kDone;
    std::size_t next_lane_ = 0;    // of the tree's
    std::uint64_t seen_tree_ = 0;  // its revision
    const store::Lane* focus_ = nullptr;
};

// The menu behind the toolbar's first button: the same table of actions, by group.
void draw_menu(Context& context);

}  // namespace sla::ui
