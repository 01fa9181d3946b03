// What stands in the fields of the trigger editor, as the command line's words; and what can be said of it.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::store {
class Session;
}
namespace sla::wire {
class SetTrigger;
}

namespace sla::workspace {

class AgentLink;

struct TriggerDraft {
    std::string name;
    std::string text;  // an expression, or the levels of a trigger file
    std::string window = "20ms";
    double pre_percent = 50;
    std::uint64_t shots = 0;
    std::uint32_t keep = 0;  // snapshots; 0: all
    std::string hold_off;
    std::string actions;  // parted by semicolons

    // As a trigger of the agent was asked for.
    static TriggerDraft of(const wire::SetTrigger& asked);

    [[nodiscard]] bool is_empty() const { return text.find_first_not_of(" \n\t") == std::string::npos; }
    [[nodiscard]] bool is_sequencer() const;
    // kInvalidInput names the column in the text and points at it.
    [[nodiscard]] Result<void> check() const;
    // Why it may never fire, of a draft that is good; sentences.
    [[nodiscard]] std::vector<std::string> doubts(const store::Session& session) const;
    // What the agent is asked for; the draft must be good.
    void order_from(AgentLink& agent) const;

    bool operator==(const TriggerDraft&) const = default;
};

// The lines of an error that show the text and point at its column, cut so that each has at most so many characters; the
// column stays in sight. Without such lines: nothing.
std::string pointed_part(const std::string& error, std::size_t most);

}  // namespace sla::workspace
