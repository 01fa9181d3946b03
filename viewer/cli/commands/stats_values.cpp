#include "viewer/cli/commands/stats_values.h"

#include "viewer/analysis/value_statistics.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/text/progress.h"
#include "viewer/formats/table/value_table.h"

#include <algorithm>

namespace sla::cli {

int run_value_stats(const InputOptions& input, const OutputOptions& output) {
    const auto format = output.chosen();
    if (!format.ok()) return complain(format.error());
    store::Session session;
    const auto loaded = input.load(session, input.channels, InputOptions::Rows::kRange);
    if (!loaded.ok()) return complain(loaded.error());
    const auto selection = input.select(session);
    if (!selection.ok()) return complain(selection.error());
    const auto rows = [&] {
        Progress progress("counting the values of " + input.name());
        return analysis::value_statistics(session, *selection, [&](double share) { return progress.goes_on(share); });
    }();
    if (interrupted() != 0) return complain(unavailable("stopped; nothing was written"));
    auto out = formats::Output::open(output.path);
    if (!out.ok()) return complain(out.error());
    const auto written = output.is_for_people(*format) ? formats::people_values(session, rows).write(*out)
                                                       : formats::write_values(session, rows, *format, *out);
    if (!written.ok()) return complain(written.error());
    remark_uncounted_losses(session, input.channels, input.name());
    if (const auto range = input.range(); range.ok()) remark_losses_into(session, input.channels, *range, input.name());
    if (std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.numbers.count > 0; })) return kDone;
    remark("no event there in " + input.name() + " carries a number; `sla channels` lists what it has");
    return kNo;
}

}  // namespace sla::cli
