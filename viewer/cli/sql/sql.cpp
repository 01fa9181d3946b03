// sla sql: questions in SQL over captures.
#include "viewer/sql/engine.h"

#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/local_capture.h"
#include "viewer/cli/sql/answer_writer.h"
#include "viewer/cli/sql/check_sql.h"
#include "viewer/cli/sql/sql_prompt.h"
#include "viewer/fleet/fleet_address.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace sla::cli {

namespace {

struct SqlOptions {
    std::vector<std::string> words;  // captures, and the question last
    std::string question;
    OutputOptions output;
    std::uint64_t memory = std::uint64_t{512} << 20;
    bool is_prompt = false;
};

// The last word is the question, unless a prompt asks for them.
Result<SqlOptions> with_question(SqlOptions options) {
    // SQLite takes 0 for no bound, and counts with a sign.
    constexpr std::uint64_t kLeastMemory = std::uint64_t{1} << 20;
    if (options.memory < kLeastMemory || options.memory > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
        return invalid_input("--memory: a question gets 1MiB at least and less than 8 EiB; write it like 512MiB");
    if (options.is_prompt && !options.output.path.empty() && options.output.path != "-")
        return invalid_input("-o " + options.output.path + " is for one question; the prompt answers on standard output");
    if (options.is_prompt) return options;
    if (options.words.size() > 1 && names_capture(options.words.back()) && !names_capture(options.words.front()))
        return invalid_input("the question comes last: sla sql " + options.words.back() + " '" + options.words.front() +
                             "'");
    if (options.words.empty() || names_capture(options.words.back())) {
        return invalid_input(
            "there is no question: sla sql CAPTURE 'SELECT ...', .schema for what can be asked, or -i for a prompt");
    }
    options.question = options.words.back();
    options.words.pop_back();
    return options;
}

// A file's name without its folder, unless two are alike.
std::vector<std::string> capture_names(const std::vector<std::string>& words) {
    std::vector<std::string> names;
    for (const std::string& word : words) {
        const bool is_file =
            !word.empty() && word != "-" && !wire::looks_like_address(word) && !fleet::is_fleet_address(word);
        names.push_back(is_file ? std::filesystem::path(word).filename().string() : fleet::shown_address(word));
    }
    std::vector<std::string> unique = names;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (std::count(names.begin(), names.end(), names[i]) > 1) unique[i] = fleet::shown_address(words[i]);
    }
    return unique;
}

Result<int> answer_question(sql::Engine& engine, const SqlOptions& options, formats::Format format) {
    auto out = formats::Output::open(options.output.path);
    if (!out.ok()) return out.error();
    AnswerWriter writer(format, *out);
    const auto begin = std::chrono::steady_clock::now();
    if (const auto asked = engine.ask(options.question, writer); !asked.ok()) return asked.error();
    if (const auto ended = writer.end(); !ended.ok()) return ended.error();
    if (const auto finished = out->finish(); !finished.ok()) return finished.error();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    mention(fmt::format("{} rows in {:.1f} ms", writer.rows(), took.count()));
    if (writer.rows() == 0) remark("no row answers that");
    return kDone;
}

// What is missing is in no answer, so it is said beside it.
void report_losses(const std::vector<sql::Capture>& captures) {
    for (const sql::Capture& capture : captures) {
        const std::string name = capture.name.empty() ? "this user's agent" : capture.name;
        const std::string losses = losses_in_words(*capture.session, " of " + name);
        if (!losses.empty()) remark(losses + " (the table gaps says where)");
    }
}

// What is asked: a file or an address, or one capture of an archive.
struct Asked {
    std::string word;
    std::string name;
    std::optional<archive::ArchivedCapture> archived;
};

Result<std::vector<Asked>> captures_asked(const std::vector<std::string>& words) {
    const std::vector<std::string> names = capture_names(words);
    std::vector<Asked> asked;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!archive::is_archive(words[i])) {
            asked.push_back({words[i], names[i], std::nullopt});
            continue;
        }
        auto captures = archive::captures_of(words[i]);
        if (!captures.ok()) return captures.error();
        for (archive::ArchivedCapture& capture : *captures) {
            std::string name = capture.name();
            asked.push_back({words[i], std::move(name), std::move(capture)});
        }
    }
    for (Asked& one : asked) {
        const auto is_same = [&](const Asked& other) { return other.archived && one.archived && other.name == one.name; };
        if (std::count_if(asked.begin(), asked.end(), is_same) > 1) one.name = one.word + ":" + one.archived->name();
    }
    return asked;
}

// The sessions, and who asks them.
struct Loaded {
    std::deque<store::Session> sessions;
    std::vector<sql::Capture> captures;
    std::unique_ptr<sql::Engine> engine;
};

// Of archives the row groups that may have rows of these ticks, one range a capture.
Result<void> load_all(const std::vector<Asked>& asked, const std::vector<sql::TickRange>& ticks, std::uint64_t memory,
                      Loaded& loaded) {
    for (std::size_t i = 0; i < asked.size(); ++i) {
        InputOptions input;
        input.target = asked[i].word;
        std::vector<std::string> missing;
        if (asked[i].archived) {
            auto kept = kept_archive(*asked[i].archived, {ticks[i].first, ticks[i].last}, missing);
            if (!kept.ok()) return kept.error();
            input.target = *kept;
        }
        if (auto done = input.load(loaded.sessions.emplace_back(), {}); !done.ok()) return done;
        for (std::string& one : missing) loaded.sessions.back().add_note({0, std::move(one), true});
        loaded.captures.push_back({asked[i].name, &loaded.sessions.back()});
    }
    sql::EngineOptions options;
    options.memory_bytes = memory;
    options.go_on = [] { return interrupted() == 0; };
    auto engine = sql::Engine::open(loaded.captures, options);
    if (!engine.ok()) return engine.error();
    loaded.engine = std::move(*engine);
    return {};
}

// Rows of archives are read by row groups; a question that says when leaves most of them out. It is asked beforehand of the
// same captures without any row.
Result<std::vector<sql::TickRange>> ticks_needed(const std::vector<Asked>& asked, const SqlOptions& options) {
    std::vector<sql::TickRange> all(asked.size());
    const bool are_archived =
        std::all_of(asked.begin(), asked.end(), [](const Asked& one) { return one.archived.has_value(); });
    if (!are_archived || options.is_prompt) return all;
    Loaded empty;
    const std::vector<sql::TickRange> none(asked.size(), sql::TickRange{1, 0});
    if (auto done = load_all(asked, none, options.memory, empty); !done.ok()) return done.error();
    return empty.engine->ticks_needed(options.question);
}

int run_sql(const SqlOptions& typed) {
    const auto options = with_question(typed);
    if (!options.ok()) return complain(options.error());
    const auto format = options->output.chosen();
    if (!format.ok()) return complain(format.error());
    if (is_dot_command(options->question)) return run_dot_command(options->question, options->output.path);

    std::vector<std::string> words = options->words;
    if (words.empty()) words.emplace_back();  // this user's agent
    const auto asked = captures_asked(words);
    if (!asked.ok()) return complain(asked.error());
    const auto ticks = ticks_needed(*asked, *options);
    if (!ticks.ok()) return complain(ticks.error());
    Loaded loaded;
    if (const auto done = load_all(*asked, *ticks, options->memory, loaded); !done.ok()) return complain(done.error());
    loaded.engine->limit_to(*ticks);
    report_losses(loaded.captures);
    if (options->is_prompt) return run_sql_prompt(*loaded.engine, *format);
    const auto done = answer_question(*loaded.engine, *options, *format);
    return done.ok() ? *done : complain(done.error());
}

}  // namespace

void add_sql(common::Command& app) {
    common::Command& command = app.add_command("sql", "Ask captures questions in SQL");
    auto options = std::make_shared<SqlOptions>();
    command
        .add_option(
            "question", options->words,
            "Captures (files, -, addresses, folders of `sla archive`; none: this user's agent), and the question last")
        .value_name("CAPTURE... QUESTION");
    command.add_flag("-i,--interactive", options->is_prompt, "A prompt with history, for many questions");
    options->output.add_to(command);
    command.add_option("--memory", options->memory, "Most that a question may need in memory, as in 2GiB (512MiB)")
        .value_name("SIZE")
        .as_size();
    command.footer(
        "Tables: events spans pairs('A','B') gaps channels sources threads clocks shots captures; `sla sql .schema` lists\n"
        "their columns. Nothing is imported: rows are read from the file when a question comes to them, and only those of\n"
        "the channels and times it asks for. Times are ns from the capture's start; ns('1.5ms') and duration(ns) turn them\n"
        "from and into words, percentile(x, 99) is by nearest rank. A question only reads. Ctrl+C stops it.\n"
        "Of a part (sla cut) events also has the rows that say what held where it begins: their held is 1.\n"
        "  sla sql c.sla \"SELECT channel, percentile(width_ns, 99) FROM spans GROUP BY channel\"\n"
        "  sla sql c.sla \"SELECT * FROM events WHERE channel GLOB 'irq.*' AND time_ns < ns('5ms')\"\n"
        "  sla sql a.sla b.sla \"SELECT capture, sum(lost) FROM gaps GROUP BY capture\"\n"
        "An archive is all captures in it; FOLDER/manifest/HOST.CAPTURE.json is one. Of its files the row groups of the "
        "time\n"
        "that the question names are read; all, when it looks at more than events, or at deltas.\n"
        "  sla sql /data/lake \"SELECT capture, count(*) FROM events WHERE utc_ns > 1764000000000000000 GROUP BY capture\"\n"
        "At the prompt: .schema [TABLE]  .tables  .format FORMAT  .help  .quit; a question ends with ;");
    command.action([=] { return run_sql(*options); });
}

}  // namespace sla::cli
