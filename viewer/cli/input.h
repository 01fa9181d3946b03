// What a command reads: CAPTURE|ADDRESS, --channel, --from, --to.
#pragma once

#include "proto/base/result.h"
#include "viewer/analysis/selection.h"
#include "viewer/store/session.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace sla::cli {

struct InputOptions {
    std::string target;
    std::vector<std::string> channels;
    std::string from;
    std::string to;

    void add_target(CLI::App& command);
    void add_channels(CLI::App& command);
    void add_range(CLI::App& command);

    // "'x.sla'" or "the agent at unix:...", for messages.
    [[nodiscard]] std::string name() const;
    [[nodiscard]] Result<analysis::TimeRange> range() const;
    // Everything there is now, with progress; damage is remarked on stderr. `globs` may spare an agent work.
    Result<void> load(store::Session& session, const std::vector<std::string>& globs) const;
};

// "program/main" of the command's help: what a target may be.
inline constexpr const char* kTargetHelp =
    "A capture file, or the address of an agent (unix:PATH, tcp:HOST:PORT); nothing: this user's agent";

}  // namespace sla::cli
