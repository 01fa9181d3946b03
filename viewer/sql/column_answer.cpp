#include "viewer/sql/column_answer.h"

#include "proto/wire/event.h"
#include "proto/wire/utf8.h"
#include "viewer/sql/answer_field.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace sla::sql {

namespace {

constexpr std::size_t kLongestText = 4096;  // a cell of a table shows less

// Of a text the first word, in capitals.
std::string first_word_of(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    std::string word;
    for (const char c : text.substr(begin)) {
        const bool is_small = c >= 'a' && c <= 'z';
        if (!is_small && (c < 'A' || c > 'Z')) break;
        word += static_cast<char>(is_small ? c - 'a' + 'A' : c);
    }
    return word;
}

}  // namespace

std::string column_question(std::string_view text) {
    const std::string word = first_word_of(text);
    if (word == "SELECT" || word == "WITH" || word == "VALUES") return std::string(text);
    // On a line of its own: it may end with a comment.
    return "SELECT channel_id, row, (\n" + std::string(text) + "\n) AS value FROM events";
}

Result<void> ColumnAnswer::begin(const std::vector<std::string>& columns) {
    const auto value = column_named(columns, {"value"});
    const auto tick = column_named(columns, {"tick"});
    const auto row = column_named(columns, {"row"});
    const auto channel_id = column_named(columns, {"channel_id"});
    const auto channel = column_named(columns, {"channel"});
    const bool has_row = row && channel_id;
    if (!value || (!has_row && !tick))
        return invalid_input(
            "a column needs `value`, and `channel_id` and `row`, or `tick`, to know its rows: SELECT channel_id, row, value "
            "* 2 AS value FROM events; or an expression alone: value * 2");
    value_column_ = *value;
    key_ = has_row ? Key::kRow : channel ? Key::kTickOfChannel : Key::kTick;
    place_column_ = has_row ? *row : *tick;
    if (has_row) channel_column_ = *channel_id;
    if (!has_row && channel) channel_column_ = *channel;
    return {};
}

Result<bool> ColumnAnswer::row(const AnswerRow& row) {
    is_cut_ = entries_.size() >= limits_.rows || text_bytes_ >= limits_.text_bytes;
    if (is_cut_) return false;
    const auto place = natural_in(row, place_column_);
    const AnswerRow::Type type = row.type(value_column_);
    if (!place || type == AnswerRow::Type::kNull) return true;
    Entry entry{*place, 0, Type::kInteger, 0};
    if (key_ == Key::kRow) {
        const auto id = natural_in(row, channel_column_);
        if (!id || *id > std::numeric_limits<std::uint32_t>::max()) return true;
        entry.channel = static_cast<std::uint32_t>(*id);
    } else if (key_ == Key::kTickOfChannel) {
        const auto number = static_cast<std::uint32_t>(channels_.size() + 1);
        entry.channel = channels_.try_emplace(std::string(row.bytes(channel_column_)), number).first->second;
    }
    if (type == AnswerRow::Type::kInteger) {
        entry.bits = static_cast<std::uint64_t>(row.integer(value_column_));
    } else if (type == AnswerRow::Type::kReal) {
        entry.type = Type::kReal;
        entry.bits = wire::as_bits(row.real(value_column_));
    } else {
        entry.type = Type::kText;
        entry.bits = texts_.size();
        texts_.push_back(wire::to_utf8(row.bytes(value_column_).substr(0, kLongestText)));
        text_bytes_ += texts_.back().size();
    }
    entries_.push_back(entry);
    return true;
}

void ColumnAnswer::finish() {
    const auto comes_before = [](const Entry& a, const Entry& b) {
        return std::tie(a.channel, a.place) < std::tie(b.channel, b.place);
    };
    std::stable_sort(entries_.begin(), entries_.end(), comes_before);
    entries_.shrink_to_fit();
}

std::optional<ColumnAnswer::Value> ColumnAnswer::find(const Event& event) const {
    Entry wanted{event.tick, 0, Type::kInteger, 0};
    if (key_ == Key::kRow) {
        wanted.place = event.row;
        wanted.channel = event.channel_id;
    } else if (key_ == Key::kTickOfChannel) {
        const auto known = channels_.find(std::string(event.channel));
        if (known == channels_.end()) return std::nullopt;
        wanted.channel = known->second;
    }
    const auto found = std::lower_bound(entries_.begin(), entries_.end(), wanted, [](const Entry& a, const Entry& b) {
        return std::tie(a.channel, a.place) < std::tie(b.channel, b.place);
    });
    if (found == entries_.end() || found->channel != wanted.channel || found->place != wanted.place) return std::nullopt;
    Value value;
    value.type = found->type;
    if (found->type == Type::kInteger) value.integer = static_cast<std::int64_t>(found->bits);
    if (found->type == Type::kReal) value.real = wire::as_double(found->bits);
    if (found->type == Type::kText) value.text = texts_[found->bits];
    return value;
}

}  // namespace sla::sql
