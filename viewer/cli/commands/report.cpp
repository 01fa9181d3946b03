// sla report: one page about a capture.
#include "viewer/report/report.h"

#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/formats/endings.h"

#include <memory>

namespace sla::cli {

namespace {

int run_report(const InputOptions& input, const std::string& path) {
    if (const auto good = input.check(); !good.ok()) return complain(good.error());
    if (const auto good = formats::check_ending(path, {"html", "htm"}, "the report is a page, name it .html"); !good.ok())
        return complain(good.error());
    auto out = formats::Output::open(path);
    if (!out.ok()) return complain(out.error());
    store::Session session;
    if (const auto loaded = input.load(session, input.channels); !loaded.ok()) return complain(loaded.error());
    const auto selection = input.select(session);
    if (!selection.ok()) return complain(selection.error());
    const auto written = report::write_report(session, *selection, {"Capture " + input.name()}, *out);
    return written.ok() ? kDone : complain(written.error());
}

}  // namespace

void add_report(common::Command& app) {
    common::Command& command = app.add_command("report", "Write one self-contained HTML page about a capture");
    auto input = std::make_shared<InputOptions>();
    auto path = std::make_shared<std::string>();
    input->add_target(command);
    input->rows_in_memory = kEventsLookedAt;  // its percentiles are of every interval
    input->add_channels(command);
    input->add_range(command);
    command.add_option("-o,--output", *path, "The page, `-` for standard output").required().value_name("F.html");
    command.action([=] { return run_report(*input, *path); });
}

}  // namespace sla::cli
