#include "viewer/cli/history_check.h"

#include "viewer/cli/agent_status.h"
#include "viewer/cli/channel_state.h"
#include "viewer/store/session.h"

#include <fmt/format.h>

namespace sla::cli {

namespace {

Check judge(const store::Session& session) {
    const store::Health& health = session.health();
    std::string shortest;
    std::size_t capped = 0;
    for (const store::Lane* lane : session.lanes()) {
        const store::Ledger* ledger = session.ledger(lane->channel().id);
        if (ledger == nullptr || !ledger->capped) continue;
        if (capped++ == 0) {
            shortest = lane->channel().name + ": " + channel_state(*ledger, health.tick, health.ticks_per_second);
        }
    }
    Check check{"history in the agent", CheckState::kAvailable, "", "", false};
    check.detail = fmt::format("{:.1f} MB of {:.1f} MB held", static_cast<double>(health.retained_bytes) / 1e6,
                               static_cast<double>(health.retained_limit) / 1e6);
    if (capped == 0) return check;
    check.state = CheckState::kNotPresent;
    check.detail += fmt::format("; {} channels are kept for less time than asked ({})", capped, shortest);
    check.fix = "sla set --memory SIZE, sla set GLOB --bytes SIZE, or a shorter sla set --keep TIME";
    return check;
}

}  // namespace

std::optional<Check> history_check(const wire::Address& agent) {
    store::Session session;
    static_cast<void>(ask_for_status(agent, "sla doctor", std::chrono::seconds(3), session).ok());  // what it told counts
    if (!session.health().known) return std::nullopt;
    return judge(session);
}

}  // namespace sla::cli
