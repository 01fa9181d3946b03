// What a trigger's text says, as a tree. Made by parser.h, written back by format.h, run by engine.h.
//
//   Expression   stage then stage then stage            one line
//   Sequencer    named levels with if / else if / else  a trigger file
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sla::trigger {

enum class Compare : std::uint8_t { kLess, kLessEqual, kGreater, kGreaterEqual, kEqual, kNotEqual };

// Which channels: one name, or a pattern (proto/wire/glob.h).
struct Name {
    std::string text;
    bool is_glob = false;
    bool operator==(const Name&) const = default;
};

struct Condition {
    enum class Kind : std::uint8_t {
        kAnd,
        kOr,
        kAny,
        kRises,
        kFalls,
        kChanges,
        kBegins,
        kEnds,
        kCompare,  // a CMP low
        kInside,   // a in low .. high
        kDelta,    // a -> b CMP time
        kWidth,    // of a, CMP time
        kGap,      // of a, > time
        kRate,     // of a, CMP low per second, over `time`
        kCounter,  // a CMP low; levels only, as the next
        kTimer,    // a CMP time
    };
    Kind kind = Kind::kAny;
    std::vector<Condition> parts;  // kAnd, kOr: two or more
    Name a;
    Name b;
    Compare compare = Compare::kGreater;
    long double low = 0;  // holds every 64-bit integer and every double exactly
    long double high = 0;
    std::int64_t time_ps = 0;
    bool operator==(const Condition&) const = default;
};

// N times a condition, in a limited time.
struct Stage {
    std::uint64_t count = 1;
    Condition condition;
    std::optional<std::int64_t> within_ps;
    bool operator==(const Stage&) const = default;
};

struct Expression {
    std::vector<Stage> stages;
    bool operator==(const Expression&) const = default;
};

struct Action {
    enum class Kind : std::uint8_t { kGoto, kTrigger, kAdd, kClear, kStart, kStop, kStay };
    Kind kind = Kind::kStay;
    std::string name;         // a level, counter or timer
    std::int64_t amount = 1;  // kAdd
    bool operator==(const Action&) const = default;
};

struct Branch {
    std::optional<Stage> test;  // nothing: else
    std::vector<Action> actions;
    bool operator==(const Branch&) const = default;
};

struct Level {
    std::string name;
    std::vector<Branch> branches;
    bool operator==(const Level&) const = default;
};

struct Sequencer {
    std::vector<Level> levels;
    bool operator==(const Sequencer&) const = default;
};

using Trigger = std::variant<Expression, Sequencer>;

// What people and frames may ask for at most.
inline constexpr std::size_t kMaxTextBytes = 32 * 1024;
inline constexpr std::size_t kMaxLevels = 64;
inline constexpr std::size_t kMaxConditions = 256;  // in all of one trigger
inline constexpr std::size_t kMaxDepth = 32;        // of parentheses
inline constexpr std::uint64_t kMaxCount = 1'000'000'000;
inline constexpr std::uint64_t kMaxRemembered = 1'000'000;  // events a sliding window or a rate must remember

}  // namespace sla::trigger
