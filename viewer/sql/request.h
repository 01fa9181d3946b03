// Request: what a question says of one table's rows before any is looked at: names, times, kinds. SQLite holds every row
// against the whole condition again, so a table may give too many rows, never too few.
//
//   WHERE channel GLOB 'irq.*' AND time_ns < 5e6   ─► names {kChannel GLOB irq.*}, bounds {kNanoseconds < 5e6}
//                                                  ─► lanes that match, ticks [0, last]
#pragma once

#include "viewer/sql/capture.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::sql {

// What a column means to the one who reads rows.
enum class Role : std::uint8_t {
    kNone,
    kCapture,
    kChannel,
    kSource,
    kThread,
    kKind,
    kFirst,   // of a pair, the channel that starts it
    kSecond,  // and the one that ends it
    kTick,
    kNanoseconds,
    kPicoseconds,
    kUtc,
};
constexpr bool is_time(Role role) {
    return role >= Role::kTick;
}
constexpr bool is_name(Role role) {
    return role != Role::kNone && !is_time(role);
}

enum class Test : std::uint8_t { kEqual, kLess, kLessEqual, kGreater, kGreaterEqual, kGlob, kLike, kOneOf };

struct NameTest {
    Role role = Role::kNone;
    Test test = Test::kEqual;
    std::string text;
    std::vector<std::string> texts = {};  // of kOneOf

    [[nodiscard]] bool matches(const std::string& name) const;
};

struct TimeBound {
    Role role = Role::kTick;
    Test test = Test::kEqual;
    long double number = 0;  // holds every integer and every real of SQLite exactly
};

// What rows come in order of.
struct OrderTerm {
    Role role = Role::kNone;  // a name
    bool is_descending = false;
};
// By the bytes of the names, as SQLite compares them; one name for each term.
bool comes_before(const std::vector<OrderTerm>& terms, const std::vector<std::string_view>& one,
                  const std::vector<std::string_view>& other);

// Both ends included.
struct TickRange {
    std::uint64_t first = 0;
    std::uint64_t last = store::kNever;

    [[nodiscard]] bool empty() const { return first > last; }
};

struct Request {
    std::vector<NameTest> names;
    std::vector<TimeBound> bounds;
    bool counts_only = false;          // no column is looked at
    bool texts_of_lanes_only = false;  // or only those that all rows of a lane share
    bool one_of_each = false;          // of rows alike in what is looked at one is enough
    std::vector<OrderTerm> grouped;    // rows come group by group

    [[nodiscard]] bool matches(Role role, const std::string& name) const;
    [[nodiscard]] bool has(Role role) const;
    // The text that this column has to be equal to, or match; empty: none is said.
    [[nodiscard]] std::string_view text_of(Role role) const;
    // The ticks of one capture that the bounds leave, with some margin.
    [[nodiscard]] TickRange ticks(const NamedCapture& capture) const;
    // Its lanes that match by channel and source.
    [[nodiscard]] std::vector<const LaneTexts*> lanes(const NamedCapture& capture) const;
};

}  // namespace sla::sql
