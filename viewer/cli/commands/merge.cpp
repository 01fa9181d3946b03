// sla merge: several captures as one.
#include "proto/base/how_many.h"
#include "viewer/capture_tools/capture_merge.h"
#include "viewer/cli/command.h"
#include "viewer/cli/local_capture.h"
#include "viewer/cli/text/progress.h"
#include "viewer/formats/catalog/import.h"
#include "viewer/formats/endings.h"
#include "viewer/formats/output.h"

#include <fmt/format.h>

namespace sla::cli {

namespace {

// The first that is another tool's file; else the first.
std::string foreign_of(const std::vector<capture_tools::NamedFile>& files) {
    for (const capture_tools::NamedFile& file : files) {
        if (!formats::import_advice({ErrorCode::kDamaged, ""}, file.path).empty()) return file.path;
    }
    return files.front().path;
}

int run_merge(const std::vector<std::string>& files, const std::string& output) {
    if (const auto good = formats::check_capture_name(output); !good.ok()) return complain(good.error());
    std::vector<capture_tools::NamedFile> local;
    for (const std::string& file : files) {
        auto path = local_capture(file);
        if (!path.ok()) return complain(path.error());
        local.push_back({*path, display_name(*path)});
    }
    // Of rotated files each is read.
    if (formats::is_kept_from_outputs(output))
        return complain(invalid_input("'" + output + "' is one of the captures to merge; name another file"));
    Progress progress("merging");
    const auto merged = capture_tools::merge_captures(local, output, [&](double share) { return progress.goes_on(share); });
    if (!merged.ok()) return complain(with_import_advice(merged.error(), foreign_of(local)));
    for (const std::string& text : merged->remarks) remark(text);
    const auto say = merged->missing > 0 ? warn : remark;
    const std::string gone = merged->missing > 0
                                 ? fmt::format("; {} of the inputs {} gone, and gaps stand in their place",
                                               how_many(merged->missing, "row"), merged->missing == 1 ? "is" : "are")
                                 : "";
    say(fmt::format("{} in {}{}", how_many(merged->rows, "row"), output, gone));
    return kDone;
}

}  // namespace

void add_merge(common::Command& app) {
    common::Command& command = app.add_command("merge", "Make one capture file of several");
    auto files = std::make_shared<std::vector<std::string>>();
    auto output = std::make_shared<std::string>();
    command.add_option("captures", *files, "The capture files; - is what is piped in, an address what its agent holds")
        .required()
        .count(2, 1000)
        .value_name("CAPTURE|ADDRESS");
    command.add_option("-o,--output", *output, "The new capture file; it appears when it is whole")
        .required()
        .value_name("FILE.sla");
    command.footer(
        "Captures of one machine since it booted share its time-stamp counter: their times are exact to each other.\n"
        "Those of different machines or boots are aligned by pings between their agents where the captures have\n"
        "some, else by CLOCK_REALTIME and what the kernels say of its error; times between hosts carry that error,\n"
        "in every table. Imported files do not say on which machine they were stamped: only their wall clocks align\n"
        "them, and without these they cannot be merged. Files of one recording become one again, rotated ones and\n"
        "parts that `sla cut` made: its lanes, each row once, also where parts overlap; where no part has the time\n"
        "between them, a gap row 'left out' stands. What only told what held where a part begins is left out where\n"
        "another begins before it: it would count as events. A rotated file that is missing between two is said, and\n"
        "each channel that may have had rows in it has a gap.\n"
        "Of others sources, channels and threads get new numbers. Parts that a version before this one cut do\n"
        "not say of which recording they are: their lanes stand side by side.\n"
        "Times count from the earliest start.");
    command.action([=] { return run_merge(*files, *output); });
}

}  // namespace sla::cli
