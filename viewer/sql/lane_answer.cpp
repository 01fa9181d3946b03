#include "viewer/sql/lane_answer.h"

#include "proto/wire/batch_codec.h"
#include "proto/wire/utf8.h"
#include "viewer/sql/answer_field.h"

#include <sla/ring_abi.h>

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

namespace sla::sql {

namespace {

constexpr std::size_t kRowsOfBatch = 1 << 14;

std::uint8_t code_of_value(AnswerRow::Type type) {
    return type == AnswerRow::Type::kReal ? SLA_CODE_VALUE_FLOAT : SLA_CODE_VALUE_SIGNED;
}

// A span carries whole numbers.
std::uint64_t whole_value(const AnswerRow& row, std::size_t column) {
    return static_cast<std::uint64_t>(row.integer(column));
}

}  // namespace

// One event of the lane. At one tick the ends of earlier spans come first, those of spans without width last.
struct LaneAnswer::Point {
    std::uint64_t tick = 0;
    std::uint8_t turn = 1;
    std::uint32_t row = 0;
    std::uint32_t thread = 0;
    bool is_end = false;
};

Result<void> LaneAnswer::begin(const std::vector<std::string>& columns) {
    const auto first = column_named(columns, {"begin_tick", "begin"});
    const auto last = column_named(columns, {"end_tick", "end"});
    if (first && last) {
        form_ = Form::kSpans;
        tick_column_ = *first;
        end_column_ = *last;
        value_column_ = column_named(columns, {"value"});
        return {};
    }
    const auto tick = column_named(columns, {"tick"});
    if (!tick)
        return invalid_input(
            "a lane needs a column `tick`, with `value`, `level` or `text` beside it, or `begin_tick` and `end_tick`: "
            "SELECT tick, value FROM events WHERE ...");
    tick_column_ = *tick;
    for (const auto& [name, form] :
         {std::pair{"value", Form::kValues}, std::pair{"level", Form::kLevels}, std::pair{"text", Form::kTexts}}) {
        if (value_column_) break;
        value_column_ = column_named(columns, {name});
        if (value_column_) form_ = form;
    }
    return {};
}

std::optional<LaneAnswer::Row> LaneAnswer::row_of(const AnswerRow& row) {
    const auto tick = natural_in(row, tick_column_);
    if (!tick) return std::nullopt;
    Row made{*tick, store::kNever, 0, SLA_CODE_TICK};
    const AnswerRow::Type type = value_column_ ? row.type(*value_column_) : AnswerRow::Type::kNull;
    switch (form_) {
        case Form::kTicks: return made;
        case Form::kValues:
        case Form::kLevels:
            if (!is_number(type)) return std::nullopt;
            made.code = form_ == Form::kLevels ? std::uint8_t{SLA_CODE_LEVEL} : code_of_value(type);
            if (form_ == Form::kLevels) made.value = row.real(*value_column_) != 0 ? 1 : 0;
            if (made.code == SLA_CODE_VALUE_SIGNED) made.value = whole_value(row, *value_column_);
            if (made.code == SLA_CODE_VALUE_FLOAT) made.value = wire::as_bits(row.real(*value_column_));
            return made;
        case Form::kTexts:
            if (type == AnswerRow::Type::kNull) return std::nullopt;
            made.code = SLA_CODE_TEXT;
            made.value = texts_.size();
            texts_.push_back(wire::to_utf8(row.bytes(*value_column_).substr(0, wire::kMaxTextBytes)));
            text_bytes_ += texts_.back().size();
            return made;
        case Form::kSpans: break;
    }
    made.code = is_number(type) ? SLA_CODE_BEGIN_VALUE : SLA_CODE_BEGIN;
    if (is_number(type)) made.value = whole_value(row, *value_column_);
    if (row.type(end_column_) == AnswerRow::Type::kNull) return made;
    const auto end = natural_in(row, end_column_);
    if (!end || *end < *tick) return std::nullopt;
    made.end = *end;
    return made;
}

Result<bool> LaneAnswer::row(const AnswerRow& row) {
    is_cut_ = rows_.size() >= kMaxRows || text_bytes_ >= kMaxTextBytes;
    if (is_cut_) return false;
    if (const auto made = row_of(row)) {
        rows_.push_back(*made);
    } else {
        ++left_out_;
    }
    return true;
}

// A thread for each of the spans that are open at a time, so that every end finds its begin.
Result<std::vector<LaneAnswer::Point>> LaneAnswer::points() const {
    using Free = std::pair<std::uint64_t, std::uint32_t>;  // from which tick on, which thread
    std::priority_queue<Free, std::vector<Free>, std::greater<>> threads;
    std::uint32_t known = 0;
    std::vector<Point> points;
    points.reserve(rows_.size() * (form_ == Form::kSpans ? 2 : 1));
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
        const Row& row = rows_[i];
        Point point{row.tick, 1, i, 0, false};
        if (form_ == Form::kSpans) {
            if (!threads.empty() && threads.top().first <= row.tick) {
                point.thread = threads.top().second;
                threads.pop();
            } else {
                point.thread = ++known;
            }
            if (known > kMaxOverlapping)
                return invalid_input("more than " + std::to_string(kMaxOverlapping) +
                                     " spans of the answer overlap: ask for fewer, or for `tick, value`");
            const bool has_width = row.end > row.tick;
            threads.emplace(row.end == store::kNever || has_width ? row.end : row.end + 1, point.thread);
            if (row.end != store::kNever)
                points.push_back({row.end, static_cast<std::uint8_t>(has_width ? 0 : 2), i, point.thread, true});
        }
        points.push_back(point);
    }
    std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
        return std::tie(a.tick, a.turn, a.row) < std::tie(b.tick, b.turn, b.row);
    });
    return points;
}

Result<void> LaneAnswer::fill(store::Lane& lane) {
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.tick < b.tick; });
    const auto points = this->points();
    if (!points.ok()) return points.error();
    wire::EventBatch batch;
    batch.channel = lane.channel().id;
    for (const Point& point : *points) {
        const Row& row = rows_[point.row];
        if (form_ == Form::kTexts) batch.texts.add(batch.size(), texts_[row.value]);
        const std::uint8_t code = point.is_end ? std::uint8_t{SLA_CODE_END} : row.code;
        batch.add(point.tick, code, wire::has_value(code) ? row.value : 0, point.thread);
        if (batch.size() < kRowsOfBatch) continue;
        lane.append(batch);
        batch.first_index += batch.size();
        batch.clear();
    }
    if (!batch.empty()) lane.append(batch);
    return {};
}

std::string LaneAnswer::words() const {
    std::string words;
    if (is_cut_) words = "the first " + std::to_string(rows_.size()) + " rows";
    if (left_out_ == 0) return words;
    return words + (words.empty() ? "" : ", ") + std::to_string(left_out_) + " left out: without a tick or a value";
}

}  // namespace sla::sql
