// Triggers as people write them, on a command line of `sla-agent`, `sla record` and `sla trigger set` or in the agent's
// configuration, made into what the agent is asked for.
#pragma once

#include "proto/base/result.h"
#include "proto/common/trigger/ast.h"
#include "proto/wire/control.pb.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::trigger {

struct TriggerFile {
    std::string name;  // for errors; empty: what it holds was typed
    std::string text;
};

// The words behind each option; empty: not said.
struct TriggerWords {
    std::vector<std::string> expressions;  // --trigger
    std::vector<TriggerFile> files;        // --trigger-file
    std::string name;                      // --name, when there is one trigger
    std::string window;                    // --window, 20ms
    std::string pre;                       // --pre, 50%
    std::string pre_time;                  // --pre-time and --post-time instead of the two
    std::string post_time;
    std::string hold_off;
    std::uint64_t shots = 0;
    std::uint32_t keep = 0;
    std::vector<std::string> actions;

    [[nodiscard]] bool any() const { return !expressions.empty() || !files.empty(); }
};

// What errors call the words: options, or keys of an object of a configuration, with its path.
struct WordNames {
    std::string expression = "--trigger";
    std::string path;  // of the object; empty: options
};

inline constexpr std::uint64_t kMaxShots = 1'000'000'000;
inline constexpr std::int64_t kWindowNs = 20'000'000;                            // when nothing is said
inline constexpr std::int64_t kMaxNs = std::int64_t{24} * 3600 * 1'000'000'000;  // of any time of a trigger

// Help of all programs that take such words.
inline constexpr const char* kTriggerFooter =
    "Triggers: STAGE then STAGE ...; STAGE is [N x] CONDITION [within T]. Conditions, joined by and / or / ( ):\n"
    "  CHANNEL [rises|falls|changes|begins|ends]   CHANNEL > 5   CHANNEL in 1 .. 9   gap CHANNEL > T\n"
    "  delta CHANNEL -> CHANNEL > T   width CHANNEL < T   rate CHANNEL > N/s [over T]\n"
    "CHANNEL may be a pattern (irq.*), or \"in quotes\"; as in filters: channel ~ 'irq.*' and value > 5, and kind == begin.";

// Every expression and file is parsed: an error names the column.
Result<std::vector<wire::SetTrigger>> to_requests(const TriggerWords& words, const WordNames& names = {});
// The way back: to_requests() of it asks for the same.
TriggerWords words_of(const wire::SetTrigger& request);
// What it watches for.
Result<Trigger> parse(const wire::SetTrigger& request);
// A file read for --trigger-file; kUnavailable names it.
Result<TriggerFile> read_trigger_file(const std::string& path);

}  // namespace sla::trigger
