// sla check --seeds: the same program once a seed, each recorded and held against the limits; the first seed that breaks one.
#include "proto/base/cores.h"
#include "viewer/cli/commands/check.h"
#include "viewer/cli/commands/seed_run.h"
#include "viewer/cli/commands/seeded_program.h"
#include "viewer/cli/text/progress.h"
#include "viewer/formats/endings.h"
#include "viewer/formats/output.h"
#include "viewer/ingest/open.h"
#include "viewer/process/child.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

namespace sla::cli {

namespace {

using analysis::Verdict;
using std::chrono::milliseconds;

// Seeds begin in order, so many at a time. One that does not pass ends the sweep: those below it run to their end, those
// above are stopped, and the lowest that does not pass is the same however many run at a time.
class Sweep {
public:
    Sweep(const CheckOptions& options, const std::vector<analysis::Limit>& limits, Seeds seeds, SeededProgram program)
        : options_(options), limits_(limits), seeds_(seeds), program_(std::move(program)), next_(seeds.first) {}
    ~Sweep() {
        for (SeedRun& run : running_) run.stop();
    }
    Sweep(const Sweep&) = delete;
    Sweep& operator=(const Sweep&) = delete;

    Result<void> run() {
        Progress progress("running seeds");
        while (!is_done()) {
            if (auto started = start_some(); !started.ok()) return started;
            const double all = static_cast<double>(seeds_.last - seeds_.first + 1);
            if (!progress.goes_on(static_cast<double>(reported_.size()) / all))
                return unavailable("stopped; there is no verdict");
            if (auto looked = look(); !looked.ok()) return looked;
        }
        return {};
    }
    // Of each seed up to the first that does not pass: its verdicts.
    [[nodiscard]] const std::map<std::uint64_t, std::vector<Reported>>& reported() const { return reported_; }
    [[nodiscard]] std::optional<std::uint64_t> breaking() const { return breaking_; }
    [[nodiscard]] const SeededProgram& program() const { return program_; }

private:
    [[nodiscard]] bool is_done() const { return running_.empty() && (breaking_ || next_ > seeds_.last); }

    Result<void> start_some() {
        const std::size_t most = options_.jobs == 0 ? usable_cores() : options_.jobs;
        while (!breaking_ && next_ <= seeds_.last && running_.size() < most) {
            auto started = SeedRun::start(program_, next_++, options_.run_for);
            if (!started.ok()) return started.error();
            running_.push_back(std::move(*started));
        }
        return {};
    }

    Result<void> look() {
        for (std::size_t i = 0; i < running_.size(); ++i) {
            const auto ending = running_[i].wait(milliseconds(5));
            if (!ending) continue;
            const SeedRun run = take(i);
            auto reported = verdicts(run, *ending);
            if (!reported.ok()) return reported.error();
            return note(run, std::move(*reported));
        }
        return {};
    }

    SeedRun take(std::size_t at) {
        SeedRun run = std::move(running_[at]);
        std::vector<SeedRun> rest;
        for (std::size_t i = 0; i < running_.size(); ++i) {
            if (i != at) rest.push_back(std::move(running_[i]));
        }
        running_ = std::move(rest);
        return run;
    }

    // A program that says that it failed has; a recording that failed is no verdict over the program.
    Result<std::vector<Reported>> verdicts(const SeedRun& run, const process::Ending& ending) const {
        if (const auto why = ending.signal == 0 ? run.recorder_failure(ending.code) : std::nullopt)
            return Error{ending.code == kWrongUse ? ErrorCode::kInvalidInput : ErrorCode::kUnavailable,
                         fmt::format("seed {} was not recorded, and there is no verdict: {}", run.seed(), *why)};
        if (ending.code != 0 || ending.signal != 0) {
            const std::string said = run.last_words();
            const std::string measured =
                ending.signal == 0 ? fmt::format("code {}", ending.code) : "its sla record " + ending.text();
            return std::vector<Reported>{
                {"the program ends with code 0", "", Verdict::kFail, measured, said.empty() ? "" : "it says: " + said}};
        }
        store::Session session;
        if (auto loaded = ingest::load(run.capture(), session, {}); !loaded.ok()) return loaded.error();
        CheckOptions of_run = options_;
        of_run.input.target = run.capture();
        const auto judged = judge(session, of_run, limits_);
        if (!judged.ok()) return judged.error();
        return judged->reported(session);
    }

    Result<void> note(const SeedRun& run, std::vector<Reported> reported) {
        const bool passes =
            std::all_of(reported.begin(), reported.end(), [](const Reported& one) { return one.verdict == Verdict::kPass; });
        reported_[run.seed()] = std::move(reported);
        if (passes || (breaking_ && *breaking_ < run.seed())) return {};
        breaking_ = run.seed();
        std::vector<SeedRun> lower;
        for (SeedRun& other : running_) {
            if (other.seed() < run.seed()) {
                lower.push_back(std::move(other));
            } else {
                other.stop();
            }
        }
        running_ = std::move(lower);
        reported_.erase(reported_.upper_bound(run.seed()), reported_.end());
        return keep(run);
    }

    [[nodiscard]] Result<void> keep(const SeedRun& run) const {
        std::error_code failed;
        if (options_.keep.empty() || !std::filesystem::exists(run.capture(), failed)) return {};
        std::ifstream recorded(run.capture(), std::ios::binary);
        auto out = formats::Output::open(options_.keep);
        if (!out.ok()) return out.error();
        std::string piece(formats::Output::kPiece, 0);
        while (recorded.read(piece.data(), static_cast<std::streamsize>(piece.size())) || recorded.gcount() > 0) {
            const auto size = static_cast<std::size_t>(recorded.gcount());
            if (auto written = out->write(std::string_view(piece).substr(0, size)); !written.ok()) return written;
        }
        if (recorded.bad()) return system_error("cannot read '" + run.capture() + "'", errno);
        return out->finish();
    }

    const CheckOptions& options_;
    const std::vector<analysis::Limit>& limits_;
    Seeds seeds_;
    SeededProgram program_;
    std::uint64_t next_;
    std::vector<SeedRun> running_;
    std::map<std::uint64_t, std::vector<Reported>> reported_;
    std::optional<std::uint64_t> breaking_;
};

std::string counted(std::uint64_t seeds) {
    return seeds == 1 ? "1 seed" : fmt::format("{} seeds", seeds);
}

Result<void> report(const Sweep& sweep, const CheckOptions& options) {
    formats::SmallTable table({"seed", "limit", "channel", "verdict", "measured", "why"});
    std::vector<formats::JunitCase> cases;
    std::string lines;
    for (const auto& [seed, all] : sweep.reported()) {
        for (const Reported& one : all) {
            table.add(
                {seed, one.limit, one.channel, std::string(analysis::verdict_name(one.verdict)), one.measured, one.why});
            cases.push_back(case_of(one));
            cases.back().name = fmt::format("seed {} {}", seed, cases.back().name);
            if (sweep.breaking() == seed) lines += line_of(one);
        }
    }
    if (const auto seed = sweep.breaking()) {
        lines = fmt::format("seed {} does not pass; {} below it passed\n{}again: {}\n", *seed,
                            counted(sweep.reported().size() - 1), lines, sweep.program().line(*seed));
    } else {
        lines = fmt::format("{} passed\n", counted(sweep.reported().size()));
    }
    if (auto written = write_verdicts(lines, table, options.output); !written.ok()) return written;
    return write_report("sla check " + sweep.program().name(), cases, options.junit);
}

}  // namespace

int check_seeds(const CheckOptions& options, const std::vector<analysis::Limit>& limits) {
    const auto seeds = parse_seeds(options.seeds);
    if (!seeds.ok()) return complain(seeds.error());
    if (const auto good = formats::check_capture_name(options.keep); !good.ok()) return complain(good.error());
    std::vector<std::string> words = options.program;
    if (!options.input.target.empty()) words.insert(words.begin(), options.input.target);
    auto program = SeededProgram::of(std::move(words));
    if (!program.ok()) return complain(program.error());
    Sweep sweep(options, limits, *seeds, std::move(*program));
    if (const auto ran = sweep.run(); !ran.ok()) return complain(ran.error());
    if (const auto reported = report(sweep, options); !reported.ok()) return complain(reported.error());
    return sweep.breaking() ? kNo : kDone;
}

}  // namespace sla::cli
