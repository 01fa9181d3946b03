// The settings, and the box of sources: what is open, what was open before, and where else to connect.
#pragma once

#include "viewer/ui/context.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sla::ui {

class SettingsBox {
public:
    void open() { opening_ = true; }
    void draw(Context& context);

private:
    static void draw_memory(Context& context);

    bool opening_ = false;
};

class SourcesBox {
public:
    void open() { opening_ = true; }
    // Stands in the field when it opens next.
    void suggest(std::string target) { typed_ = std::move(target); }
    void draw(Context& context, const std::vector<std::unique_ptr<Desk>>& desks, std::size_t shown);

private:
    void draw_desks(Context& context, const std::vector<std::unique_ptr<Desk>>& desks, std::size_t shown);
    void draw_recent(Context& context, const std::vector<std::unique_ptr<Desk>>& desks);

    bool opening_ = false;
    std::string typed_;
};

}  // namespace sla::ui
