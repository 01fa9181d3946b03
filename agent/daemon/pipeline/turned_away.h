// Programs that mark, and could not be taken in (no memory, address space or descriptor for their segment, another version or
// clock): what they mark is lost, nobody knows how much. Channel sla.turned-away of the agent's own has a loss of an unknown
// number for it, a row a second at most: such programs come again every second. Owned by the stepping thread.
#pragma once

#include "agent/daemon/pipeline/channel_table.h"
#include "agent/daemon/pipeline/notices.h"
#include "agent/drain/run.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sla::daemon {

class TurnedAway {
public:
    TurnedAway(ChannelTable& channels, Notices& notices) : channels_(channels), notices_(notices) {}

    // Why, of each that came since the last step; empty: it was said already. `at_end`: nothing waits for a later row.
    void take(const std::vector<std::string>& reasons, std::uint64_t now, bool at_end);

    // There was some.
    [[nodiscard]] bool any() const { return newest_row_ != 0; }

    static constexpr const char* kChannel = "sla.turned-away";
    static constexpr std::size_t kMaxSaid = 256;

private:
    [[nodiscard]] bool is_news(const std::string& why, std::uint64_t now);
    void add_row(std::uint64_t now);

    ChannelTable& channels_;
    Notices& notices_;
    std::map<std::string, std::uint64_t> said_;  // and when it was last heard: of a program that comes again it is said once
    std::shared_ptr<drain::Run> run_;
    bool is_owed_ = false;
    std::uint64_t newest_row_ = 0;
};

}  // namespace sla::daemon
