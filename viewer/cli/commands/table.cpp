// sla table: every event, in order of time.
#include "viewer/formats/table/table.h"

#include "viewer/cli/command.h"
#include "viewer/cli/commands/table_follow.h"
#include "viewer/cli/input.h"
#include "viewer/cli/sql/question_columns.h"
#include "viewer/cli/text/progress.h"
#include "viewer/formats/table/people_table.h"

namespace sla::cli {

namespace {

int run_table(const InputOptions& input, const OutputOptions& output, const std::vector<std::string>& columns,
              bool follows) {
    const auto format = output.chosen();
    if (!format.ok()) return complain(format.error());
    if (const auto good = input.check(); !good.ok()) return complain(good.error());
    if (follows && !columns.empty())
        return complain(invalid_input("--column looks at rows of any time, --follow keeps none: use one of them"));
    if (follows) return follow_table(input, output, *format);
    const auto questions = QuestionColumns::parse(columns);
    if (!questions.ok()) return complain(questions.error());
    auto out = formats::Output::open(output.path);
    if (!out.ok()) return complain(out.error());
    store::Session session;
    // A question may look at any row, whatever the table shows.
    const auto loaded =
        columns.empty() ? input.load(session, input.channels, InputOptions::Rows::kRange) : input.load(session, {});
    if (!loaded.ok()) return complain(loaded.error());
    const auto selection = input.select(session);
    if (!selection.ok()) return complain(selection.error());
    std::unique_ptr<QuestionColumns> extra;
    if (!columns.empty()) {
        auto asked = QuestionColumns::ask(session, input.name(), *questions);
        if (!asked.ok()) return complain(asked.error());
        extra = std::move(*asked);
    }
    Progress progress("writing the table");
    const auto go_on = [&](std::uint64_t done, std::uint64_t all) { return progress.rows_go_on(done, all); };
    const auto rows = output.is_for_people(*format)
                          ? formats::write_people_table(session, *selection, *out, go_on, extra.get())
                          : formats::write_table(session, *selection, *format, *out, go_on, extra.get());
    if (!rows.ok()) return complain(rows.error());
    if (*rows == 0) remark("no events there in " + input.name() + "; `sla channels` lists what it has");
    return kDone;
}

}  // namespace

void add_table(common::Command& app) {
    common::Command& command = app.add_command("table", "Write the events as a table, in order of time");
    auto input = std::make_shared<InputOptions>();
    auto output = std::make_shared<OutputOptions>();
    input->add_target(command);
    input->add_channels(command);
    input->add_range(command);
    input->add_filter(command);
    auto columns = std::make_shared<std::vector<std::string>>();
    command
        .add_option(
            "--column", *columns,
            "One more column: an expression over the columns of `events` (`sla sql .schema events`), or a SELECT whose "
            "`value` belongs to a `channel_id` and `row`, or to a `tick` (repeatable)")
        .value_name("NAME=SQL")
        .one_each();
    auto follows = std::make_shared<bool>(false);
    command.add_flag(
        "-f,--follow", *follows,
        "Of an agent or a fleet: write rows as they come, from now on, or from --from on, until Ctrl-C, --to, or "
        "the end of what is followed (> F grows with them, -o F appears at the end)");
    output->add_to(command);
    output->add_raw(command);
    command.footer(
        "On a terminal: eight columns for people, times with units. Else, and with --raw,\n"
        "columns: index,tick,time_ns,source,thread,channel,kind,value,text,delta_any_ns,delta_channel_ns,error_ns\n"
        "Times count from the capture's start. A loss is a row of kind `gap`; its value is the number of events lost, its "
        "text the cause, and until which tick it may have lasted where it says so.\n"
        "Deltas go to the row before, and to the row before of the same channel; error_ns (±) is that of the longer one.\n"
        "  sla table c.sla --channel 'irq.*' --column \"period=time_ns - lag(time_ns) OVER (PARTITION BY channel_id, value "
        "ORDER BY row)\"");
    command.action([=] { return run_table(*input, *output, *columns, *follows); });
}

}  // namespace sla::cli
