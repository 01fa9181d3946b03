// What a command reads: CAPTURE|ADDRESS, --channel, --from, --to, --filter.
#pragma once

#include "proto/base/result.h"
#include "viewer/analysis/selection.h"
#include "viewer/store/session.h"

#include "proto/common/command_line.h"

#include <string>
#include <vector>

namespace sla::cli {

struct InputOptions {
    std::string target;
    std::vector<std::string> channels;
    std::string from;
    std::string to;
    std::string filter;

    void add_target(common::Command& command);
    void add_channels(common::Command& command);
    // Where --to means a format, only --until ends the range.
    enum class To { kEndsRange, kMeansFormat };
    void add_range(common::Command& command, To to = To::kEndsRange);
    void add_filter(common::Command& command);

    // "'x.sla'" or "the agent at unix:...", for messages.
    [[nodiscard]] std::string name() const;
    [[nodiscard]] Result<analysis::TimeRange> range() const;
    // Whether range and filter can be read, before anything is loaded.
    [[nodiscard]] Result<void> check() const;
    // Channels, range and filter together, in a session that is loaded.
    [[nodiscard]] Result<analysis::Selection> select(const store::Session& session) const;
    // Everything there is now, with progress; damage is remarked on stderr. `globs` may spare an agent work.
    Result<void> load(store::Session& session, const std::vector<std::string>& globs) const;
};

// "program/main" of the command's help: what a target may be.
inline constexpr const char* kTargetHelp =
    "A capture file, - (what is piped in), or the address of an agent (unix:PATH, tcp:HOST:PORT); nothing: this user's agent";

}  // namespace sla::cli
