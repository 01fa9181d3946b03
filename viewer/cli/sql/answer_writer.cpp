#include "viewer/cli/sql/answer_writer.h"

#include "proto/base/terminal_text.h"
#include "proto/base/text.h"
#include "proto/wire/utf8.h"

#include <algorithm>
#include <utility>

namespace sla::cli {

std::string shown_bytes(const sql::AnswerRow& row, std::size_t column) {
    const std::string_view bytes = row.bytes(column);
    if (row.type(column) != sql::AnswerRow::Type::kBlob)
        return wire::is_utf8(bytes) ? std::string(bytes) : wire::to_utf8(bytes);
    return "x'" + hex_of(bytes) + "'";
}

namespace {

// As SQLite calls the second column of a name in a question within a question: "a:1".
std::string name_among(const std::vector<formats::Column>& others, const std::string& name) {
    const auto is_taken = [&](const std::string& wanted) {
        return std::any_of(others.begin(), others.end(), [&](const auto& other) { return other.name == wanted; });
    };
    std::string free = name;
    for (int i = 1; is_taken(free); ++i) free = name + ":" + std::to_string(i);
    return free;
}

}  // namespace

// A reader of JSON takes one value of a name, and loses the others without a word.
Result<void> AnswerWriter::begin(const std::vector<std::string>& columns) {
    const bool are_keys = format_ == formats::Format::kJson || format_ == formats::Format::kJsonl;
    for (const std::string& column : columns) {
        const std::string name = wire::is_utf8(column) ? column : wire::to_utf8(column);
        columns_.push_back({are_keys ? name_among(columns_, name) : name, 0, false});
        columns_.back().width = terminal_columns(columns_.back().name);
    }
    if (format_ != formats::Format::kText) fit();
    return {};
}

Result<bool> AnswerWriter::row(const sql::AnswerRow& row) {
    scratch_.clear();
    for (std::size_t i = 0; i < row.size(); ++i) {
        switch (row.type(i)) {
            case sql::AnswerRow::Type::kNull: scratch_.emplace_back(); break;
            case sql::AnswerRow::Type::kInteger: scratch_.emplace_back(row.integer(i)); break;
            case sql::AnswerRow::Type::kReal: scratch_.emplace_back(row.real(i)); break;
            case sql::AnswerRow::Type::kText:
            case sql::AnswerRow::Type::kBlob: scratch_.emplace_back(shown_bytes(row, i)); break;
        }
    }
    ++rows_;
    if (writer_ == nullptr) {
        for (const Field& field : scratch_) {
            if (const auto* text = std::get_if<std::string>(&field)) kept_bytes_ += text->size();
        }
        kept_.push_back(scratch_);
        if (kept_.size() < kFittedRows && kept_bytes_ < kFittedBytes) return true;
        fit();
    } else {
        put(scratch_);
    }
    if (buffer_.size() < formats::Output::kPiece) return !output_.is_closed();
    if (auto taken = output_.take(buffer_); !taken.ok()) return taken.error();
    return !output_.is_closed();
}

void AnswerWriter::fit() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        bool is_text = false;
        bool is_number = false;
        for (const auto& row : kept_) {
            formats::ByteBuffer field;
            if (const auto* number = std::get_if<std::int64_t>(&row[i])) field.put_signed(*number);
            if (const auto* number = std::get_if<double>(&row[i])) field.put_float(*number);
            if (const auto* text = std::get_if<std::string>(&row[i])) field.put(*text);
            is_text = is_text || std::holds_alternative<std::string>(row[i]);
            is_number = is_number || (row[i].index() != 0 && !std::holds_alternative<std::string>(row[i]));
            columns_[i].width = std::max(columns_[i].width, terminal_columns(field.view()));
        }
        columns_[i].width = std::min(columns_[i].width, kWidest);
        columns_[i].right = is_number && !is_text;
    }
    writer_ = formats::make_row_writer(format_, columns_);
    writer_->begin(buffer_);
    for (const auto& row : std::exchange(kept_, {})) put(row);
}

void AnswerWriter::put(const std::vector<Field>& row) {
    writer_->begin_row(buffer_);
    for (const Field& field : row) {
        if (const auto* number = std::get_if<std::int64_t>(&field)) {
            writer_->number_signed(buffer_, *number);
        } else if (const auto* real = std::get_if<double>(&field)) {
            writer_->value_float(buffer_, *real);
        } else if (const auto* text = std::get_if<std::string>(&field)) {
            writer_->text(buffer_, *text);
        } else {
            writer_->empty(buffer_);
        }
    }
    writer_->end_row(buffer_);
}

Result<void> AnswerWriter::end() {
    if (writer_ == nullptr) fit();
    writer_->end(buffer_);
    auto written = output_.write(buffer_.view());
    buffer_.clear();
    return written;
}

}  // namespace sla::cli
