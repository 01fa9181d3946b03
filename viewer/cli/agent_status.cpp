#include "viewer/cli/agent_status.h"

#include "viewer/cli/interrupt.h"
#include "viewer/ingest/open.h"

namespace sla::cli {

Result<void> ask_for_status(const wire::Address& address, const std::string& client, std::chrono::milliseconds patience,
                            store::Session& session) {
    const auto until = std::chrono::steady_clock::now() + patience;
    bool late = false;
    ingest::LoadOptions options;
    options.client = client;
    options.status_only = true;
    options.progress = [&](double) {
        late = std::chrono::steady_clock::now() >= until;
        return !late && interrupted() == 0;
    };
    const auto loaded = ingest::load(address.text(), session, options);
    if (!loaded.ok() && !late) return loaded;
    if (!session.health().known) return unavailable("the agent at " + address.text() + " did not tell how it is in time");
    return {};
}

}  // namespace sla::cli
