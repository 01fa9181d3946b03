// What people type behind `sla-viewer`.
#pragma once

#include "proto/base/result.h"
#include "proto/common/command_line.h"
#include "viewer/ui/app/picture.h"

#include <string>
#include <vector>

namespace sla::ui {

struct Arguments {
    std::vector<std::string> targets;
    std::string size = "1280x720";
    std::string theme;
    std::string from;
    std::string to;
    std::string cursor_a;
    std::string cursor_b;
    std::string focus;
    std::vector<std::string> channels;
    std::vector<std::string> lanes;
    std::vector<std::string> columns;
    std::string screenshot;
    std::string export_table;
    std::string format;
    std::string memory;
    std::string spill;
    std::string history;
    float scale = 0;
    int frames = 60;
    double wait = 30;
    bool headless = false;
    bool lanes_only = false;
    bool bench = false;
};

// The options, with their help, filled in when the command is run.
void describe(common::Command& app, Arguments& arguments);

// "": this user's agent.
std::string first_target(const Arguments& arguments);
// What they say of live rows, into settings.
Result<void> set_live_data(const Arguments& arguments, workspace::Settings& settings);
// What they say of the picture, or of the window at its start.
Result<PictureOptions> picture_options(const Arguments& arguments);

}  // namespace sla::ui
