// A trigger made ready to run: levels of branches over a tree of primitives. Private to the room; engine.h runs it.
//
// An expression is a sequencer too: stage k is level k, which goes on to level k + 1 or triggers, and falls back to the
// first when its `within` runs out.
#pragma once

#include "proto/common/trigger/ast.h"
#include "proto/common/trigger/primitive.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::trigger {

struct Node {
    enum class Kind : std::uint8_t { kLeaf, kAnd, kOr };
    Kind kind = Kind::kLeaf;
    std::uint16_t leaf = 0;
    std::vector<Node> parts;
};

// One primitive and what the engine must know of it.
struct Leaf {
    std::unique_ptr<Primitive> primitive;
    RowTest test;             // when it is memoryless
    bool memoryless = false;  // sees rows of its own level only
    std::uint16_t level = 0;
    Name a;
    Name b;                                // delta only
    std::vector<std::uint32_t> listens{};  // channels that it looks at, of each clock
    std::uint32_t clock = 0;               // its deadline's
};

struct Step {
    Action::Kind kind = Action::Kind::kStay;
    std::size_t target = 0;  // level, counter or timer
    std::int64_t amount = 0;
};

struct ReadyBranch {
    bool has_test = false;
    Node test;
    std::uint64_t count = 1;
    std::optional<std::int64_t> sliding_ps;  // all of them within this time
    std::vector<Step> steps;

    // As it runs.
    std::uint64_t window = 0;  // ticks
    std::uint64_t seen = 0;    // since the level was entered
    std::vector<std::uint64_t> ticks;
};

struct ReadyLevel {
    std::string text;  // for people
    std::vector<ReadyBranch> branches;
    std::optional<std::int64_t> timeout_ps;  // then back to the first level
    bool every_row = false;                  // has tests that any row may fulfil: else, counter, timer
    std::vector<std::uint16_t> leaves;       // that remember: they may have to know when it is entered

    std::uint64_t timeout = 0;  // ticks
};

struct Program {
    std::vector<ReadyLevel> levels;
    std::vector<Leaf> leaves;
    std::unique_ptr<Registers> registers;  // stays where it is: primitives look at it
    bool sees_all = false;                 // some level looks at every row
};

Program compile(const Trigger& trigger);
void retime(Program& program, double ticks_per_second);

}  // namespace sla::trigger
