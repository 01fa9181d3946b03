// sla check: a capture held against limits, for tests and CI.
#include "viewer/cli/commands/check.h"
#include "viewer/cli/follow.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/text/findings.h"
#include "viewer/cli/text/progress.h"

#include <algorithm>

namespace sla::cli {

namespace {

using analysis::Finding;
using analysis::Verdict;

Result<void> write_findings(const std::vector<Finding>& findings, const std::vector<SqlVerdict>& answers,
                            const store::Session& session, const OutputOptions& options) {
    formats::SmallTable table(finding_columns());
    const FindingTexts texts(session);
    std::string lines;
    for (const Finding& finding : findings) {
        lines += texts.line(finding);
        table.add(texts.row(finding));
    }
    for (const SqlVerdict& answer : answers) {
        const Reported& reported = answer.reported;
        lines += line_of(reported);
        table.add({reported.limit, std::monostate(), std::string(analysis::verdict_name(reported.verdict)), answer.measured,
                   std::monostate(), std::monostate(), std::monostate(), std::monostate(), std::monostate(),
                   std::monostate(), std::monostate(), reported.why, std::monostate()});
    }
    return write_verdicts(lines, table, options);
}

}  // namespace

Result<void> report(const Judgement& judged, const store::Session& session, const CheckOptions& options) {
    std::vector<formats::JunitCase> cases;
    for (const Reported& reported : judged.reported(session)) cases.push_back(case_of(reported));
    return write_report("sla check " + options.input.name(), cases, options.junit);
}

namespace {

Result<std::vector<analysis::Limit>> parse_limits(const std::vector<std::string>& texts) {
    std::vector<analysis::Limit> limits;
    for (const std::string& text : texts) {
        auto limit = analysis::parse_limit(text);
        if (!limit.ok()) return limit.error();
        limits.push_back(std::move(limit).value());
    }
    return limits;
}

// What goes with --follow, and what only with it.
Result<void> check_watching(const CheckOptions& options) {
    const bool has_runs = !options.seeds.empty();
    if (options.first && !options.follows) return invalid_input("--first is for --follow: a capture is checked as a whole");
    if (!options.run_for.empty() && !options.follows && !has_runs)
        return invalid_input("--for is for --follow and --seeds: what is there already takes no time");
    if (has_runs && options.input.target.ends_with(".sla"))  // else it is the program
        return invalid_input("a capture is there already, --seeds makes them: use one of them");
    if (!options.follows) return {};
    if (has_runs || !options.program.empty())
        return invalid_input("--follow watches what runs already, --seeds runs programs: use one of them");
    if (!options.questions.empty())
        return invalid_input("--sql looks at rows of any time, --follow keeps none: use --limit");
    return check_followed(options.input);
}

Result<void> check_words(const CheckOptions& options) {
    if (const auto good = check_outputs(options.output, options.junit); !good.ok()) return good;
    if (options.limits.empty() && options.questions.empty()) return invalid_input("say what must hold: --limit or --sql");
    if (const auto good = check_watching(options); !good.ok()) return good;
    const bool has_range = !options.input.from.empty() || !options.input.to.empty();
    if (!has_range || options.questions.empty()) return {};
    return invalid_input("--from and --to are for limits: a question in SQL says its range itself");
}

int run_check(const CheckOptions& options) {
    if (const auto good = check_words(options); !good.ok()) return complain(good.error());
    const auto limits = parse_limits(options.limits);
    if (!limits.ok()) return complain(limits.error());
    if (const auto range = options.input.range(); !range.ok()) return complain(range.error());
    if (!options.seeds.empty()) return check_seeds(options, *limits);
    if (options.follows) return check_following(options, *limits);
    if (!options.program.empty())
        return complain(invalid_input("a program is run with --seeds; without, say which one CAPTURE is checked"));
    store::Session session;
    if (const auto loaded = options.input.load(session, {}); !loaded.ok()) return complain(loaded.error());
    const auto judged = judge(session, options, *limits);
    if (!judged.ok()) return complain(judged.error());
    if (const auto written = write_findings(judged->findings, judged->answers, session, options.output); !written.ok())
        return complain(written.error());
    if (const auto written = report(*judged, session, options); !written.ok()) return complain(written.error());
    return judged->passes() ? kDone : kNo;
}

void add_watching(common::Command& command, CheckOptions& options) {
    command.add_flag("-f,--follow", options.follows,
                     "Of an agent or a fleet: watch rows as they come, from now on, or from --from on, and say at once what "
                     "breaks a limit; the verdicts follow at Ctrl-C, --for, --to or the end of what is followed");
    command.add_flag("--first", options.first, "With --follow: end at the first break, with exit code 1");
}

void add_seeds(common::Command& command, CheckOptions& options) {
    const common::Option seeds =
        command
            .add_option("--seeds", options.seeds,
                        "Run the program behind -- once for each of these seeds, record it and check that: the first seed "
                        "that does not pass, and the command that shows it again")
            .value_name("FIRST..LAST");
    command.add_option("--jobs", options.jobs, "So many runs at a time; default: one a core")
        .value_name("N")
        .range(1, 1024)
        .needs(seeds);
    command.add_option("--for", options.run_for, "End each run, or with --follow the watch, after this time, as in 10s")
        .value_name("TIME");
    command.add_option("--keep", options.keep, "Keep the recording of the seed that does not pass in this file")
        .value_name("F.sla")
        .needs(seeds);
    command.add_option("program", options.program, "The program of --seeds; write it behind --").value_name("PROGRAM ARGS");
}

}  // namespace

bool Judgement::passes() const {
    return std::all_of(findings.begin(), findings.end(),
                       [](const Finding& finding) { return finding.verdict == Verdict::kPass; }) &&
           std::all_of(answers.begin(), answers.end(),
                       [](const SqlVerdict& answer) { return answer.reported.verdict == Verdict::kPass; });
}

std::vector<Reported> Judgement::reported(const store::Session& session) const {
    const FindingTexts texts(session);
    std::vector<Reported> all;
    for (const Finding& finding : findings)
        all.push_back(
            {finding.limit, texts.channel(finding), finding.verdict, measured_text(finding, session), finding.why});
    for (const SqlVerdict& answer : answers) all.push_back(answer.reported);
    return all;
}

Result<Judgement> judge(const store::Session& session, const CheckOptions& options,
                        const std::vector<analysis::Limit>& limits) {
    const auto range = options.input.range();
    if (!range.ok()) return range.error();
    analysis::Selection within;
    analysis::set_range(within, session, *range);
    Progress progress("checking " + options.input.name());
    auto findings = analysis::check_limits(session, limits, within, [&](double share) { return progress.goes_on(share); });
    if (interrupted() != 0) return unavailable("stopped; there is no verdict");
    auto answers = judge_questions(session, options.input.name(), options.questions);
    if (!answers.ok()) return answers.error();
    return Judgement{std::move(findings), std::move(*answers)};
}

namespace {

constexpr const char* kLimitsInWords =
    "LIMIT is one of these, with < <= > >= == or != and a bound:\n"
    "  'irq.0->isr < 50us'       time from each start of irq.0 to the next start of isr, of its own program where that\n"
    "                            has one, else of any (one that another start follows before isr, or nothing more,\n"
    "                            has none of its own: it breaks < when it lasted too long already, until the end or\n"
    "                            the newest event of isr's program when that has ended, else it is not\n"
    "                            counted); p50 p90 p95 p99 p999 min max mean as of widths\n"
    "  'width net.rx p99 < 2ms'  of spans, and of levels while they are high; p50 p90 p95 p99 p999\n"
    "                            min max mean; without one, every span must hold to it;\n"
    "                            one that is open has lasted until the capture's end, or its program's newest event\n"
    "  'gap beat < 5ms'          from each event to the next, and from the last one to the end, or to its program's\n"
    "                            newest event when that has ended: what is gone is not silent (the end is, here and\n"
    "                            elsewhere, of a guest by the virtual clock its newest event); min max mean p50 and so on\n"
    "                            as of widths: max counts the silence at the end too, when it decides; mean and\n"
    "                            percentiles are of what is over, as in `sla stats`, and a verdict says so when that\n"
    "                            silence breaks the bound\n"
    "  'rate rx > 100/s'   'count rx == 100'   'lost == 0'   'lost rx == 0'\n"
    "  'count net.rx > 5 == 0'   of events that a filter lets through (`sla table --help`); so does rate. The last\n"
    "                            comparison is the bound. A rate is that of all the time looked at, silence too.\n"
    "                            Without a filter they go by a large file's index; for what is lost every chunk's\n"
    "                            checksum is looked at, and what cannot be read is lost too\n"
    "Names may be patterns (irq.*): each channel is judged on its own (of widths, each that has spans or levels), but\n"
    "for counts and rates with a filter: those of all channels and programs that it lets through together.\n"
    "Quote odd ones: 'width \"my span\" < 1ms'.\n"
    "Of more than 4 M events in a file that keeps sums over its intervals, a percentile is known within 0.8 %, which\n"
    "counts as error; where that straddles the bound, every event is read.\n"
    "--sql: the first row's first column is the verdict (0 fails, null cannot tell), a second one what was measured.\n"
    "When events were lost, left out or not kept it is \"cannot tell\", unless the question reads the table gaps (or\n"
    "captures) itself.\n"
    "--seeds 1..1000 -- PROGRAM: {seed} among PROGRAM's words becomes each seed; `sla-emu run` is given `--jitter "
    "SEED`\n"
    "where it has no {seed}. Each run is recorded by an agent of its own. A run that ends with another code than 0 "
    "does\n"
    "not pass; where the recording itself fails, as on a full disk, there is no verdict (exit code 3; 2 where it is used "
    "wrongly). Seeds begin in "
    "order; the one that is told is the lowest that does not pass, however many --jobs.\n"
    "--follow: a line for each break: when, which limit, what was measured; also for what has lasted too long and has "
    "no end\n"
    "yet (a span, a pair, a silence), as soon as the source's time is past the bound. At most 5 a second of each limit "
    "and\n"
    "channel, 40 in all; of the others the number. Losses are told. Means, percentiles, rates, and counts that must "
    "be\n"
    "reached are judged at the end. In a table: rows of verdicts with a last column `row`: break, more, loss, verdict.\n"
    "--to waits until each source with a clock of its own has got there, or ended. Pairs of two clocks whose rows come out "
    "of\n"
    "order cannot tell while they are followed: how far a clock of its own has come only its next event says, and rows\n"
    "are not kept to wait for that (the recording has them); a pattern stands for 1,000 pairs at most.\n"
    "Verdicts: pass, fail, cannot tell (the error bar straddles the bound, lost events lie inside, before the first\n"
    "event or behind the last, or reach into the range; the capture is damaged or was cut off and no --until leaves\n"
    "that out; or there is nothing to measure). Of a loss over --from or --to the range has none to all. A span that may "
    "have "
    "begun\n"
    "in a loss and has no end may last to the end of what is known.\n"
    "Exit codes: 0 all pass, 1 some do not, 2 wrong use, 3 the outside world failed.\n"
    "Without --format and -o: lines for people, on a pipe too.";

}  // namespace

void add_check(common::Command& app) {
    common::Command& command = app.add_command("check", "Hold a capture against limits; for tests and CI");
    auto options = std::make_shared<CheckOptions>();
    options->input.add_target(command);
    options->input.rows_in_memory = kEventsLookedAt;  // of each percentile its place is told
    command.add_option("--limit", options->limits, "What must hold (repeatable)").value_name("LIMIT").one_each();
    command
        .add_option("--sql", options->questions,
                    "A question in SQL whose first answer must not be 0, as in 'SELECT count(*) = 0 FROM spans WHERE ...' "
                    "(repeatable; see `sla sql`)")
        .value_name("QUESTION")
        .one_each();
    options->input.add_range(command);
    options->output.add_to(command);
    command.add_option("--junit", options->junit, "Write the verdicts to this file as JUnit XML").value_name("FILE");
    add_watching(command, *options);
    add_seeds(command, *options);
    command.footer(kLimitsInWords);
    command.action([=] { return run_check(*options); });
}

}  // namespace sla::cli
