#include "viewer/cli/sql/question_columns.h"

#include "proto/base/terminal_text.h"
#include "viewer/cli/interrupt.h"
#include "viewer/formats/table/table.h"
#include "viewer/sql/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace sla::cli {

namespace {

constexpr sql::ColumnAnswer::Limits kLimits{.rows = 20'000'000, .text_bytes = std::size_t{512} << 20};
constexpr std::size_t kWidth = 12;  // of the text forms, at least

void write_value(const std::optional<sql::ColumnAnswer::Value>& value, formats::RowWriter& writer,
                 formats::ByteBuffer& out) {
    if (!value) return writer.empty(out);
    switch (value->type) {
        case sql::ColumnAnswer::Type::kInteger: return writer.number_signed(out, value->integer);
        case sql::ColumnAnswer::Type::kReal: return writer.value_float(out, value->real);
        case sql::ColumnAnswer::Type::kText: return writer.text(out, value->text);
    }
}

}  // namespace

Result<std::vector<sql::NamedQuestion>> QuestionColumns::parse(const std::vector<std::string>& words) {
    std::vector<std::string> taken = formats::table_column_names();
    std::vector<sql::NamedQuestion> all;
    for (const std::string& word : words) {
        auto one = sql::parse_named_question(word, "--column", "double=value * 2");
        if (!one.ok()) return one.error();
        if (std::find(taken.begin(), taken.end(), one->name) != taken.end())
            return invalid_input("--column: the table has a column '" + one->name + "' already");
        taken.push_back(one->name);
        all.push_back(std::move(*one));
    }
    return all;
}

Result<std::unique_ptr<QuestionColumns>> QuestionColumns::ask(const store::Session& session, const std::string& capture,
                                                              const std::vector<sql::NamedQuestion>& questions) {
    sql::EngineOptions options;
    options.go_on = [] { return interrupted() == 0; };
    const auto engine = sql::Engine::open({{capture, &session}}, options);
    if (!engine.ok()) return engine.error();
    auto columns = std::make_unique<QuestionColumns>();
    for (const sql::NamedQuestion& one : questions) {
        sql::ColumnAnswer answer(kLimits);
        if (auto asked = (*engine)->ask(sql::column_question(one.question), answer); !asked.ok())
            return Error{asked.error().code, "--column " + one.name + ": " + asked.error().message};
        if (answer.is_cut())
            return invalid_input(
                fmt::format("--column {}: the answer has more than {} rows, or {} MiB of texts; a WHERE in "
                            "the question makes it smaller",
                            one.name, kLimits.rows, kLimits.text_bytes >> 20));
        answer.finish();
        columns->columns_.push_back({one.name, std::max(kWidth, terminal_columns(one.name)), true});
        columns->answers_.push_back(std::move(answer));
    }
    return columns;
}

void QuestionColumns::write(const store::RowRef& row, formats::RowWriter& writer, formats::ByteBuffer& out) const {
    const store::Channel& channel = row.lane->channel();
    for (const sql::ColumnAnswer& answer : answers_)
        write_value(answer.find({channel.id.value, channel.name, row.index, row.tick}), writer, out);
}

}  // namespace sla::cli
