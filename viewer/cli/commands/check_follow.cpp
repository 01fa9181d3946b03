// sla check --follow: limits that are watched while an agent or a fleet runs.
#include "proto/base/control_characters.h"
#include "proto/base/how_many.h"
#include "proto/time/duration.h"
#include "viewer/analysis/limits/limit_follower.h"
#include "viewer/cli/commands/check.h"
#include "viewer/cli/follow.h"
#include "viewer/cli/text/break_log.h"
#include "viewer/cli/text/findings.h"
#include "viewer/cli/text/growing_table.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace sla::cli {

namespace {

using analysis::Finding;
using Clock = BreakLog::Clock;

std::string place_of(const Finding& finding, const store::Session& session) {
    return fmt::format("at {} (tick {})", time::format_duration(session.clock().to_ps(finding.at_tick)), finding.at_tick);
}

// "2026-11-28 02:13:27.123  "; nothing of a host whose wall clock is not known.
std::string wall_time(const Finding& finding, const store::Session& session) {
    if (finding.at_tick == 0 || session.wall().empty()) return "";
    const std::int64_t ms = session.wall().utc_ns(finding.at_tick) / 1'000'000;
    return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:03}  ", fmt::gmtime(static_cast<std::time_t>(ms / 1000)), ms % 1000);
}

// For people: one line.
std::string line_of(const Said& said, const FindingTexts& texts, const store::Session& session) {
    const Finding& finding = said.finding;
    const std::string begin = wall_time(finding, session);
    switch (said.what) {
        case Said::What::kBreak:
            return fmt::format("{}{:<11}  {}: {}; {}\n", begin, "broken", finding.limit, texts.text(finding), finding.why);
        case Said::What::kMore:
            if (finding.limit.empty())
                return fmt::format("{:<11}  {} times more, other limits and channels\n", "broken", said.number);
            return fmt::format("{:<11}  {}: {} times more{}\n", "broken", finding.limit, said.number,
                               finding.channel.empty() ? "" : " on " + finding.channel);
        case Said::What::kLoss:
            return fmt::format("{}{:<11}  {}: {} events {}; {}\n", begin, "lost", finding.channel,
                               said.number == 0 ? "an unknown number of" : std::to_string(said.number),
                               place_of(finding, session), finding.why);
        case Said::What::kMoreLosses: break;
    }
    return fmt::format("{:<11}  {} more in {}\n", "lost", how_many(said.number, "event"),
                       how_many(finding.checked, "place"));
}

const char* row_name(Said::What what) {
    switch (what) {
        case Said::What::kBreak: return "break";
        case Said::What::kMore: return "more";
        default: return "loss";
    }
}

// The columns of verdicts, of which a break has those that say what it is.
std::vector<formats::Field> row_of(const Said& said, const FindingTexts& texts) {
    const Finding& finding = said.finding;
    std::vector<formats::Field> row = texts.row(finding);
    const bool is_loss = said.what == Said::What::kLoss || said.what == Said::What::kMoreLosses;
    if (said.what != Said::What::kBreak) row[3] = row[4] = row[5] = std::monostate();
    if (is_loss) {
        row[2] = std::monostate();
        row[3] = static_cast<double>(said.number);
        row[5] = std::string("events");
    } else {
        row[2] = std::string("fail");
    }
    row[8] = row[10] = std::monostate();
    row[9] = is_loss ? formats::Field() : formats::Field(said.number);
    row.emplace_back(std::string(row_name(said.what)));
    return row;
}

formats::SmallTable rows_table() {
    std::vector<std::string> names = finding_columns();
    names.emplace_back("row");
    return formats::SmallTable(names);
}

// Where it is said: lines for people, or one table.
class Sayings {
public:
    static Result<Sayings> open(const OutputOptions& options) {
        Sayings sayings;
        const auto format = options.chosen();
        if (!format.ok()) return format.error();
        const bool is_for_people = (options.format.empty() && options.path.empty()) || *format == formats::Format::kText;
        if (is_for_people) {
            auto out = formats::Output::open(options.path);
            if (!out.ok()) return out.error();
            sayings.lines_.emplace(std::move(*out));
            return sayings;
        }
        auto table = GrowingTable::open(options);
        if (!table.ok()) return table.error();
        sayings.table_.emplace(std::move(*table));
        return sayings;
    }

    Result<void> say(const std::vector<Said>& all, const store::Session& session) {
        if (all.empty()) return {};
        const FindingTexts texts(session);
        std::string lines;
        formats::SmallTable table = rows_table();
        for (const Said& said : all) {
            if (lines_) {
                lines += line_of(said, texts, session);
            } else {
                table.add(row_of(said, texts));
            }
        }
        return lines_ ? lines_->write(harmless_lines(lines)) : table_->add(table);
    }
    // The verdicts, and the end.
    Result<void> finish(const std::vector<Finding>& findings, const store::Session& session) {
        const FindingTexts texts(session);
        std::string lines;
        formats::SmallTable table = rows_table();
        for (const Finding& finding : findings) {
            lines += texts.line(finding);
            std::vector<formats::Field> row = texts.row(finding);
            row.emplace_back(std::string("verdict"));
            table.add(std::move(row));
        }
        if (lines_) return lines_->finish(harmless_lines(lines));
        if (auto added = table_->add(table); !added.ok()) return added;
        return table_->finish();
    }
    [[nodiscard]] bool is_closed() const { return lines_ ? lines_->is_closed() : table_->is_closed(); }

private:
    std::optional<formats::Output> lines_;
    std::optional<GrowingTable> table_;
};

// What an agent must send; none: all.
std::vector<std::string> channels_of(const std::vector<analysis::Limit>& limits) {
    std::vector<std::string> globs;
    for (const analysis::Limit& limit : limits) {
        if (limit.channel.empty()) return {};
        globs.push_back(limit.channel);
        if (!limit.end.empty()) globs.push_back(limit.end);
    }
    return globs;
}

// Limits that cannot break before the end are said; when all are such, nothing can be the first to break.
Result<void> check_when_judged(const std::vector<analysis::Limit>& limits, bool first) {
    std::string late;
    std::size_t of_them = 0;
    for (const analysis::Limit& limit : limits) {
        if (!analysis::LimitFollower::is_judged_at_end(limit)) continue;
        late += (late.empty() ? "'" : ", '") + limit.text + "'";
        ++of_them;
    }
    if (first && of_them == limits.size())
        return invalid_input("--first ends at a break, and " + late + " can only be judged at the end");
    if (of_them > 0) remark(late + (of_them == 1 ? " is" : " are") + " judged at the end");
    return {};
}

void leave_to_first_break(std::vector<Said>& said) {
    const auto first =
        std::find_if(said.begin(), said.end(), [](const Said& one) { return one.what == Said::What::kBreak; });
    if (first != said.end()) said.erase(first + 1, said.end());
}

Result<std::optional<Clock::time_point>> end_of(const std::string& run_for) {
    if (run_for.empty()) return std::optional<Clock::time_point>();
    const auto ps = time::parse_duration(run_for);
    if (!ps.ok()) return invalid_input("--for: " + ps.error().message);
    return std::optional(Clock::now() + std::chrono::nanoseconds(*ps / 1000));
}

// The exit code of what was watched to `ended`: a limit that broke did so whatever came then.
int code_of(const Judgement& judged, const Result<void>& ended) {
    const bool is_broken = std::any_of(judged.findings.begin(), judged.findings.end(),
                                       [](const Finding& finding) { return finding.verdict == analysis::Verdict::kFail; });
    const int code = ended.ok() ? kDone : complain(ended.error());
    if (is_broken || code == kDone) return judged.passes() ? kDone : kNo;
    return code;
}

}  // namespace

int check_following(const CheckOptions& options, const std::vector<analysis::Limit>& limits) {
    if (const auto good = check_when_judged(limits, options.first); !good.ok()) return complain(good.error());
    const auto ends = end_of(options.run_for);
    if (!ends.ok()) return complain(ends.error());
    auto followed = Followed::open(options.input, {"sla check", channels_of(limits), true});
    if (!followed.ok()) return complain(followed.error());
    auto sayings = Sayings::open(options.output);
    if (!sayings.ok()) return complain(sayings.error());
    analysis::LimitFollower follower(limits);
    BreakLog log;
    const auto say = [&](bool is_end) {
        std::vector<Said> said = log.take(Clock::now(), is_end);
        if (options.first) leave_to_first_break(said);
        return sayings->say(said, followed->session());
    };
    const auto take = [&](const analysis::FinalRows& rows) {
        if (options.first && log.has_broken()) return Result<void>();
        follower.go_on(rows, log);
        return say(false);
    };
    const auto stops = [&] {
        return (options.first && log.has_broken()) || sayings->is_closed() || (*ends && Clock::now() >= **ends);
    };
    const auto ended = followed->run(take, stops);
    if (!ended.ok() && !followed->session().has_origin()) return complain(ended.error());  // it has not even begun
    const bool is_first = options.first && log.has_broken();
    if (const auto said = is_first ? Result<void>() : say(true); !said.ok()) return complain(said.error());
    const Judgement judged{follower.finish(followed->session(), followed->done()), {}};
    if (const auto written = sayings->finish(judged.findings, followed->session()); !written.ok())
        return complain(written.error());
    if (const auto written = report(judged, followed->session(), options); !written.ok()) return complain(written.error());
    followed->remark_end();
    return code_of(judged, ended);
}

}  // namespace sla::cli
