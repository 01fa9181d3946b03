// EventFilter: a condition on single events, as people type it.
//
//   value > 100 and (channel ~ 'net.*' or kind == text)        not thread == worker        value in 3..9
//
//   net.rx > 100    net.* in 3..9    net.rx begins    'odd name' != 0    net.rx        one channel's, as triggers say it
//
//   fields      kind value text thread channel source tick; another word is a channel, or a pattern of channels, in quotes
//               none; a field's name in quotes is a channel
//   operators   == (or =) != < <= > >= in A..B (both included) ~ (a glob, of text, thread, channel and source)
//   joined by   and (&&) or (||) not (!) and parentheses, 256 conditions at most; words with blanks or signs stand in quotes, '...' or "..."
//
// An event without a value fulfils no condition on values, not even !=. Integers are compared as integers, exactly.
// Value type, no I/O. Names and texts are compared each time, so conditions on numbers and kinds are the cheap ones.
#pragma once

#include "proto/base/result.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::analysis {

class EventFilter {
public:
    enum class Field : std::uint8_t { kKind, kValue, kText, kThread, kChannel, kSource, kTick };
    enum class Compare : std::uint8_t { kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual, kInside, kGlob };
    // A number as it was typed: an integer when it is one, so that 64 bits stay exact.
    struct Number {
        bool is_integer = true;
        __int128 integer = 0;
        double real = 0;
    };
    struct Node {
        enum class What : std::uint8_t { kAnd, kOr, kNot, kCondition } what = What::kCondition;
        std::size_t left = 0;  // of and, or, not: positions in nodes_
        std::size_t right = 0;
        Field field = Field::kKind;
        Compare compare = Compare::kEqual;
        Number low;
        Number high;
        std::string word;
        wire::Kind kind = wire::Kind::kTick;
        bool is_short = false;  // of kChannel: it was typed without 'channel'
    };

    // kInvalidInput: says what it stumbled over, and where.
    static Result<EventFilter> parse(std::string_view text);

    [[nodiscard]] bool matches(const store::Session& session, const store::RowRef& place) const;

    // Channels and patterns that were typed as `net.rx > 5` has them: that nothing is called so is a slip.
    [[nodiscard]] std::vector<std::string> channels() const;
    // It says nothing but such names: "net.rx", which may be a text to look for as well.
    [[nodiscard]] bool is_of_names_alone() const;
    // It says something of losses by their kind: they are what is looked for, or what is not.
    [[nodiscard]] bool speaks_of_losses() const;
    // The same, and losses, which may hide what is looked for, of whatever lane.
    [[nodiscard]] EventFilter with_losses() const;
    // As far as names show: false, no event of that lane can match.
    [[nodiscard]] bool may_match(const store::Session& session, const store::Lane& lane) const;
    // The same of what the loss at that place hides: events of its lane, and of its thread where that is known.
    [[nodiscard]] bool may_hide(const store::Session& session, const store::RowRef& loss) const;

    // The last one is the whole.
    [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
    // One of them alone.
    bool node_matches(const Node& node, const store::Session& session, const store::RowRef& place,
                      const store::Event& event) const;

private:
    std::vector<Node> nodes_;
};

}  // namespace sla::analysis
