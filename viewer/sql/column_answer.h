// ColumnAnswer: the answer of a question as one more column of the event table: a value for rows of it. Which row each is for
// is said by the names of the answer's columns, the most exact that there is counts:
//
//   channel_id, row, value     the row of that channel (columns of `events`)
//   tick, channel, value       what that channel has at that tick
//   tick, value                whatever is at that tick
//
// Of several for one row the first counts. Bounded: so many rows and bytes of texts; what comes behind is not there, and said.
#pragma once

#include "viewer/sql/engine.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sla::sql {

// A question for each row: an expression over the columns of `events` ("value * 2", "time_ns - lag(time_ns) OVER (PARTITION BY
// channel ORDER BY tick)"). What begins with SELECT, WITH or VALUES stays as it is.
std::string column_question(std::string_view text);

class ColumnAnswer final : public Answer {
public:
    struct Limits {
        std::size_t rows = 2'000'000;
        std::size_t text_bytes = std::size_t{32} << 20;
    };

    // A row of the table.
    struct Event {
        std::uint32_t channel_id = 0;
        std::string_view channel;
        std::uint64_t row = 0;
        std::uint64_t tick = 0;
    };
    enum class Type : std::uint8_t { kInteger, kReal, kText };
    struct Value {
        Type type = Type::kInteger;
        std::int64_t integer = 0;
        double real = 0;
        std::string_view text;  // stands as long as this does
    };

    ColumnAnswer() = default;
    explicit ColumnAnswer(Limits limits) : limits_(limits) {}

    Result<void> begin(const std::vector<std::string>& columns) override;
    Result<bool> row(const AnswerRow& row) override;
    // Once, when all rows have come.
    void finish();

    [[nodiscard]] std::optional<Value> find(const Event& event) const;
    [[nodiscard]] std::size_t rows() const { return entries_.size(); }
    [[nodiscard]] bool is_cut() const { return is_cut_; }

private:
    enum class Key : std::uint8_t { kRow, kTickOfChannel, kTick };
    struct Entry {
        std::uint64_t place = 0;    // row or tick
        std::uint32_t channel = 0;  // its id, the number of its name, or 0
        Type type = Type::kInteger;
        std::uint64_t bits = 0;  // of texts their number
    };

    Limits limits_;
    Key key_ = Key::kTick;
    std::size_t place_column_ = 0;
    std::size_t channel_column_ = 0;
    std::size_t value_column_ = 0;
    std::vector<Entry> entries_;
    std::vector<std::string> texts_;
    std::size_t text_bytes_ = 0;
    std::unordered_map<std::string, std::uint32_t> channels_;  // by name
    bool is_cut_ = false;
};

}  // namespace sla::sql
