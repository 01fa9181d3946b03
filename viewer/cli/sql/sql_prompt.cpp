#include "viewer/cli/sql/sql_prompt.h"

#include "proto/base/text.h"
#include "proto/common/prompt/line_reader.h"
#include "viewer/cli/command.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/sql/answer_writer.h"

#include <algorithm>
#include <utility>

namespace sla::cli {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// A command and what follows it.
struct Words {
    std::string_view command;
    std::string_view rest;
};
Words words_of(std::string_view line) {
    line = trimmed(line, kBlanks);
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    return {line.substr(0, end), trimmed(line.substr(end), kBlanks)};
}

constexpr const char* kPromptHelp =
    "A question ends with ;  as in  SELECT channel, count(*) FROM events GROUP BY channel;\n"
    ".schema [TABLE]   tables and their columns\n"
    ".tables           their names\n"
    ".format FORMAT    csv, tsv, json, jsonl or text\n"
    ".quit             or Ctrl+D\n"
    "Ctrl+C stops a question, or throws away what is typed.\n";

// The prompt's state between lines.
class Prompt {
public:
    Prompt(sql::Engine& engine, formats::Format format)
        : engine_(engine), format_(format), lines_(prompt::make_line_reader("sql_history")) {}

    int run() {
        while (!is_over_) {
            const auto line = lines_->read(pending_.empty() ? "sla> " : "...> ");
            if (!line) break;
            if (lines_->was_cancelled()) {
                pending_.clear();
            } else {
                take(*line);
            }
        }
        if (!trimmed(pending_, kBlanks).empty()) ask();
        return lines_->is_for_people() ? kDone : code_;
    }

private:
    void take(const std::string& line) {
        if (pending_.empty() && is_dot_command(line)) {
            lines_->remember(line);
            return note(dot(line));
        }
        if (pending_.empty() && trimmed(line, kBlanks).empty()) return;
        pending_ += (pending_.empty() ? "" : "\n") + line;
        if (sql::is_whole_question(pending_)) ask();
    }
    int dot(const std::string& line) {
        const auto [command, rest] = words_of(line);
        if (command == ".quit" || command == ".exit") {
            is_over_ = true;
            return kDone;
        }
        if (command != ".format") return run_dot_command(line, "-");
        const auto format = formats::parse_format(rest);
        if (!format.ok()) return complain(format.error());
        format_ = *format;
        return kDone;
    }
    void ask() {
        const std::string question = std::exchange(pending_, {});
        lines_->remember(question);
        forget_interrupts();
        note(answer(question));
        forget_interrupts();
    }
    int answer(const std::string& question) {
        auto out = formats::Output::open("-");
        if (!out.ok()) return complain(out.error());
        AnswerWriter writer(format_, *out);
        const auto asked = engine_.ask(question, writer);
        if (!asked.ok()) return complain(asked.error());
        if (const auto ended = writer.end(); !ended.ok()) return complain(ended.error());
        if (const auto finished = out->finish(); !finished.ok()) return complain(finished.error());
        if (lines_->is_for_people()) remark(std::to_string(writer.rows()) + (writer.rows() == 1 ? " row" : " rows"));
        return kDone;
    }
    void note(int code) { code_ = code == kDone ? code_ : code; }

    sql::Engine& engine_;
    formats::Format format_;
    std::unique_ptr<prompt::LineReader> lines_;
    std::string pending_;  // of a question that is not whole
    bool is_over_ = false;
    int code_ = kDone;
};

}  // namespace

bool is_dot_command(std::string_view line) {
    return trimmed(line, kBlanks).starts_with('.');
}

int run_dot_command(std::string_view line, const std::string& path) {
    const auto [command, rest] = words_of(line);
    if (command == ".schema") {
        const auto text = sql::schema(rest);
        return text.ok() ? write_text(path, *text) : complain(text.error());
    }
    if (command == ".tables") return write_text(path, sql::table_names("\n") + "\n");
    if (command == ".help") return write_text(path, kPromptHelp);
    return complain(invalid_input("'" + std::string(command) +
                                  "' is no command; there are .schema .tables .help, at the prompt .format .quit too"));
}

int run_sql_prompt(sql::Engine& engine, formats::Format format) {
    Prompt prompt(engine, format);
    return prompt.run();
}

}  // namespace sla::cli
