// The command palette: type some letters of anything that can be done or gone to, Enter does it.
// All actions, every lane, marker and bookmark.
#pragma once

#include "viewer/ui/widgets/context.h"

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
    void collect(Context& context);
    void collect_of_focus(Context& context, const store::Lane& focus);
    void add(std::string name, std::string keys, bool enabled, std::function<void(Context&)> run);
    void draw_entries(Context& context, bool entered);

    bool opening_ = false;
    bool stale_ = true;
    std::string typed_;
    std::vector<Entry> entries_;  // the best first
    std::size_t chosen_ = 0;
};

// The menu behind the toolbar's first button: the same table of actions, by group.
void draw_menu(Context& context);

}  // namespace sla::ui
