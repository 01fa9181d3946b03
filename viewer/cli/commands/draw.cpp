// sla draw: the viewer's window as a picture. sla-viewer draws it, off-screen, so that both look the same.
#include "proto/base/new_file.h"
#include "proto/capture/file.h"
#include "proto/capture/pieces/capture_pieces.h"
#include "proto/wire/address.h"
#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/local_capture.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/formats/endings.h"
#include "viewer/formats/output.h"
#include "viewer/ingest/spill.h"
#include "viewer/process/child.h"
#include "viewer/process/own_directory.h"
#include "viewer/process/programs.h"
#include "viewer/process/unnamed_file.h"

#include <cerrno>
#include <csignal>
#include <fstream>
#include <sstream>
#include <string_view>

namespace sla::cli {

namespace {

struct DrawOptions {
    InputOptions input;
    std::string file;
    std::string size = "1280x720";
    std::string theme;
    double scale = 0;
    bool lanes_only = false;
    std::vector<std::string> lanes;
    std::vector<std::string> columns;
};

std::vector<std::string> viewer_words(const DrawOptions& options, const std::string& target, const std::string& picture) {
    std::vector<std::string> words = {
        process::sister_program("sla-viewer"), "--headless", "--screenshot", picture, "--size", options.size};
    const auto add = [&](const char* option, const std::string& value) {
        if (value.empty()) return;
        words.emplace_back(option);
        words.push_back(value);
    };
    add("--from", options.input.from);
    add("--to", options.input.to);
    add("--theme", options.theme);
    if (options.lanes_only) words.emplace_back("--lanes-only");
    for (const std::string& channel : options.input.channels) add("--channel", channel);
    if (options.scale > 0) add("--scale", std::to_string(options.scale));
    for (const std::string& lane : options.lanes) add("--lane", lane);
    for (const std::string& column : options.columns) add("--column", column);
    if (!target.empty()) words.push_back(target);
    return words;
}

// What the window's program said, as ours.
void report_words(const std::string& said) {
    constexpr std::string_view kItsName = "sla-viewer: ";
    std::istringstream in(said);
    for (std::string line; std::getline(in, line);) warn(line.starts_with(kItsName) ? line.substr(kItsName.size()) : line);
}

// sla-viewer writes it; kDone when it is there.
int draw_into(const std::string& picture, const DrawOptions& options, const std::string& target) {
    const process::UnnamedFile log;
    if (!log.is_open()) return complain(system_error("cannot make room for what sla-viewer says", errno));
    process::ChildOptions child;
    child.argv = viewer_words(options, target, picture);
    child.output = log.path();
    auto viewer = process::Child::start(child);
    if (!viewer.ok())
        return complain(unavailable(viewer.error().message + ". Install sla-viewer beside `sla` or put it into PATH"));
    std::optional<process::Ending> ending;
    bool passed_on = false;
    while (!ending) {
        ending = viewer->wait(std::chrono::milliseconds(100));
        if (interrupted() != 0 && !std::exchange(passed_on, true)) viewer->signal(SIGTERM);
    }
    const std::string said = log.text();
    report_words(said);
    if (ending->code == 0) return kDone;
    if (ending->signal == 0 && ending->code <= kOutsideFailed && !said.empty()) return ending->code;  // it has said why
    return complain(unavailable("sla-viewer " + ending->text() + "; there is no picture"));
}

int draw_to_standard_output(const DrawOptions& options, const std::string& target) {
    const auto directory = process::OwnDirectory::make(ingest::default_spill_directory(), "picture");
    if (!directory.ok()) return complain(directory.error());
    const std::string picture = directory->file("picture.png");
    if (const int code = draw_into(picture, options, target); code != kDone) return code;
    std::ifstream in(picture, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    if (!in) return complain(unavailable("the picture that was drawn cannot be read"));
    return write_text("-", bytes.str());
}

// What is no file is said before a window is made for it, and as every command says it.
Result<void> check_capture(const std::string& target) {
    if (target.empty() || wire::looks_like_address(target) || fleet::is_fleet_address(target)) return {};
    const auto pieces = capture::find_pieces(target);
    if (!pieces) return pieces.error();
    if (pieces->size() > 1) return {};  // of a recording that goes on the first may be gone any moment
    const auto file = capture::File::open(pieces->front());
    return file ? Result<void>() : file.error();
}

// The picture is written atomically.
int run_draw(const DrawOptions& options) {
    if (const auto range = options.input.range(); !range.ok()) return complain(range.error());
    if (const auto good = formats::check_ending(options.file, {"png"}, "the picture is a PNG, name it .png"); !good.ok())
        return complain(good.error());
    const bool is_piped = options.file == "-";
    TemporaryName unfinished = is_piped ? TemporaryName() : TemporaryName(options.file, ".png");
    if (const auto good = unfinished.check_place(); !is_piped && !good.ok()) return complain(good.error());
    const auto target = local_input(options.input.target);
    if (!target.ok()) return complain(target.error());
    if (const auto good = check_capture(*target); !good.ok()) return complain(good.error());
    if (is_piped) return draw_to_standard_output(options, *target);
    formats::keep_from_outputs(*target);
    if (formats::is_kept_from_outputs(options.file))
        return complain(invalid_input("-o " + options.file + " is the capture itself; name another file"));
    // It leaves nothing: whether there is a place for the picture is known before it is drawn.
    if (const auto place = formats::Output::open(options.file); !place.ok()) return complain(place.error());
    unfinished.reserve(0666);
    if (const int code = draw_into(unfinished.path(), options, *target); code != kDone) return code;
    if (const auto placed = unfinished.take_its_place(); !placed.ok()) return complain(placed.error());
    return kDone;
}

}  // namespace

void add_draw(common::Command& app) {
    common::Command& command = app.add_command("draw", "Draw the viewer's window into a PNG; needs no display");
    auto options = std::make_shared<DrawOptions>();
    options->input.add_target(command);
    options->input.add_channels(command);
    options->input.add_range(command);
    command.add_flag("--lanes-only", options->lanes_only, "Without the tables below and what is measured beside");
    command.add_option("-o,--output", options->file, "The picture; -: to standard output").required().value_name("F.png");
    command.add_option("--size", options->size, "In pixels").value_name("WxH").show_default();
    command.add_option("--theme", options->theme, "dark or light").one_of({"dark", "light"}).value_name("THEME");
    command.add_option("--scale", options->scale, "Of text and controls").range(0.5, 4.0).value_name("FACTOR");
    command.add_option("--lane", options->lanes, "The answer to a question in SQL, drawn as a lane (repeatable)")
        .value_name("NAME=SQL")
        .one_each();
    command.add_option("--column", options->columns, "An expression in SQL, as a column of the table (repeatable)")
        .value_name("NAME=SQL")
        .one_each();
    command.footer(
        "A lane is made of an answer's columns: tick with value, level or text beside it, tick alone, or begin_tick and "
        "end_tick.\nA column is an expression over the columns of `events`, or a question with channel_id, row and value, "
        "or "
        "tick and value.\n"
        "  sla draw c.sla -o c.png --channel 'irq.*' --lanes-only\n"
        "  sla draw c.sla -o c.png --lane \"slow=SELECT begin_tick, end_tick FROM spans WHERE width_ns > ns('50us')\"\n"
        "  sla draw c.sla -o c.png --column 'period=time_ns - lag(time_ns) OVER (PARTITION BY channel_id ORDER BY row)'");
    command.action([=] { return run_draw(*options); });
}

}  // namespace sla::cli
