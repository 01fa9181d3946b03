// A picture of the window without a window: what `sla draw` and `sla-viewer --headless` make.
#pragma once

#include "proto/base/result.h"
#include "viewer/formats/table/format.h"
#include "viewer/workspace/settings.h"
#include "viewer/workspace/view/kept_question.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sla::ui {

struct PictureOptions {
    std::string target;                           // a capture, an address, "" for this user's agent
    std::string png;                              // where the picture goes; empty: nowhere
    std::string table_file;                       // where the table goes, as `sla table` writes it; empty: nowhere
    std::optional<formats::Format> table_format;  // nothing: the one that the file's ending names
    int width = 1280;
    int height = 720;
    float scale = 1;
    workspace::Settings settings;  // look and memory
    bool inspector = true;
    bool table = true;
    int frames = 60;           // of an agent, one each 1/60 s from its first answer on; captures are read whole first
    double wait_seconds = 30;  // at most, for an agent's first answer, and for lanes of a large capture to be exact
    std::optional<std::int64_t> from_ps;  // since the capture's start; neither: everything, or the newest of an agent
    std::optional<std::int64_t> to_ps;
    std::optional<std::int64_t> cursor_a_ps;
    std::optional<std::int64_t> cursor_b_ps;
    std::vector<workspace::KeptQuestion> questions;  // whose answers are drawn as lanes and columns
    std::vector<std::string> channels;               // names or patterns of the lanes that are drawn; empty: all
    std::string focus;                               // the channel whose statistics are shown; empty: none
};

// --export-table: the rows of the channels and the time that the picture is of; nothing, when none is wanted.
Result<void> write_table_of(const store::Session& session, const PictureOptions& options);

// Fails when the picture is too small for lanes at its scale, when the capture cannot be read, the agent is not there, or the picture cannot be drawn or written; of an agent that
// is not there the picture (which says so) is still written.
Result<void> render_to_png(const PictureOptions& options);

}  // namespace sla::ui
