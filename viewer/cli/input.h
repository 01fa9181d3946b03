// What a command reads: CAPTURE|ADDRESS, --channel, --from, --to, --filter.
#pragma once

#include "proto/base/result.h"
#include "proto/wire/address.h"
#include "viewer/analysis/selection.h"
#include "viewer/store/session.h"

#include "proto/common/command_line.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::cli {

// The agent that a command speaks to: --address on every command, this user's when nothing is said. `word` as well where the
// address may stand behind the command's name alone.
void add_agent(common::Command& command, std::string& typed, const char* word = nullptr);
Result<wire::Address> agent_address(const std::string& typed);

// Captures of so few events are looked at whole: every interval of theirs, and every chunk, whether it can be read. Of larger
// ones their index is believed, and their sums.
inline constexpr std::uint64_t kEventsLookedAt = 4'000'000;
inline bool is_looked_at(const store::Session& session) {
    return session.events() <= kEventsLookedAt;
}

struct InputOptions {
    std::string target;
    std::vector<std::string> channels;
    std::string from;
    std::string to;
    std::string filter;
    // Files of more rows stay on the disk. A command looks at its rows once or never: to unpack them as they are asked for is
    // quicker than to have all ready, down to some hundred thousand, below which neither takes a tenth of a second.
    std::uint64_t rows_in_memory = 500'000;

    void add_target(common::Command& command);
    void add_channels(common::Command& command);
    void add_range(common::Command& command);
    void add_filter(common::Command& command);

    // "'x.sla'" or "the agent at unix:...", for messages.
    [[nodiscard]] std::string name() const;
    [[nodiscard]] Result<analysis::TimeRange> range() const;
    // Whether range and filter can be read, before anything is loaded.
    [[nodiscard]] Result<void> check() const;
    // Channels, range and filter together, in a session that is loaded.
    [[nodiscard]] Result<analysis::Selection> select(const store::Session& session) const;
    // Everything there is now, with progress; damage is remarked on stderr. `globs` may spare an agent work; so does kRange,
    // for whoever looks at no row outside of it.
    enum class Rows { kAll, kRange };
    Result<void> load(store::Session& session, const std::vector<std::string>& globs, Rows rows = Rows::kAll) const;
};

// Which channels have lost what nobody counted: a table's column `lost` is a number, and does not say it.
void remark_uncounted_losses(const store::Session& session, const std::vector<std::string>& globs, const std::string& name);
// Nor does it count losses that began before the range and last into it, of which nobody knows how many lie there.
void remark_losses_into(const store::Session& session, const std::vector<std::string>& globs,
                        const analysis::TimeRange& range, const std::string& name);

// Help of the positional CAPTURE|ADDRESS of every command.
inline constexpr const char* kTargetHelp =
    "A capture file, the name, folder or 'pattern' of a rotated one's files, a capture of an archive "
    "(FOLDER/manifest/HOST.CAPTURE.json), - (what is piped in), what a fleet's hosts "
    "published (fleet:nats://SERVER/FLEET[/HOST[/CAPTURE]], patterns too; without HOST all hosts; of each its newest "
    "CAPTURE), or "
    "the address of an agent (unix:PATH, ssh:[USER@]HOST[:PATH], "
    "tls:HOST:PORT, tcp:HOST:PORT); nothing: this user's agent";

}  // namespace sla::cli
