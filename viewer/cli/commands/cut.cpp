// sla cut: a part of a capture as a capture of its own.
#include "proto/base/how_many.h"
#include "viewer/capture_tools/capture_cut.h"
#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/cli/local_capture.h"
#include "viewer/cli/text/progress.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/formats/endings.h"
#include "viewer/formats/output.h"

#include <fmt/format.h>

namespace sla::cli {

namespace {

int run_cut(const InputOptions& input, const std::string& output) {
    if (const auto good = formats::check_capture_name(output); !good.ok()) return complain(good.error());
    const auto range = input.range();
    if (!range.ok()) return complain(range.error());
    const auto file = local_capture(input.target);
    if (!file.ok()) return complain(file.error());
    if (formats::is_kept_from_outputs(output)) {
        return complain(invalid_input("-o " + output + " is the capture itself; name another file"));
    }
    Progress progress("cutting " + fleet::shown_address(input.target));
    const auto cut = capture_tools::cut_capture({*file, output, input.channels, *range},
                                                [&](double share) { return progress.goes_on(share); });
    if (!cut.ok()) return complain(with_import_advice(cut.error(), *file));
    for (const std::string& damage : cut->damage) warn("damage: " + damage);
    remark(fmt::format("{} on {} in {}{}", how_many(cut->rows, "row"), how_many(cut->channels, "channel"), output,
                       cut->states > 0 ? fmt::format(", {} of them from before: what held there", cut->states) : ""));
    return kDone;
}

}  // namespace

void add_cut(common::Command& app) {
    common::Command& command = app.add_command("cut", "Make a capture file of a part of another");
    auto input = std::make_shared<InputOptions>();
    auto output = std::make_shared<std::string>();
    command.add_option("capture", input->target, "The capture file, - (what is piped in), or an agent's address")
        .required()
        .value_name("CAPTURE|ADDRESS");
    command.add_option("-o,--output", *output, "The new capture file; it appears when it is whole")
        .required()
        .value_name("FILE.sla");
    input->add_channels(command);
    input->add_range(command);
    command.footer(
        "Times stay what they were. What holds where the part begins is kept by the rows that say so, with their own,\n"
        "earlier times: the begins of open spans, the newest level, value and text of each channel, losses that last\n"
        "into it. They are shown, and counted nowhere; but a span that was open there has its begin in the part, and\n"
        "counts as it is. A level that is not known there begins no pulse.\n"
        "Names, clocks, notices and shots are kept; the agent's ledger is not. Only the chunks of that part are read. "
        "Exit code 1: nothing is there.\n"
        "`sla merge` makes the recording of its parts again.");
    command.action([=] { return run_cut(*input, *output); });
}

}  // namespace sla::cli
