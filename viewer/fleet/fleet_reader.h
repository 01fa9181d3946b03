// FleetReader: a connection to a fleet's servers, and which captures an address means there.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/capture_store.h"
#include "proto/fleet/connection.h"
#include "proto/fleet/registry.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/fleet/fleet_catalog.h"
#include "viewer/fleet/message_store.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace sla::fleet {

// The runs that the address means: of each host that fits its newest that fits; by host. `runs` are sorted by host, then begin.
// An error says which hosts or captures there are when none fits.
Result<std::vector<RunEntry>> choose_runs(const FleetAddress& address, const std::vector<RunEntry>& runs);
// Where the address's pattern means older captures of the chosen runs' hosts too: which ones these are, for people; and which
// hosts' names two agents have. Else empty.
std::string remark_on_choice(const FleetAddress& address, const std::vector<RunEntry>& runs,
                             const std::vector<RunEntry>& chosen);

// Any thread.
class FleetReader {
public:
    // Waits for an election of the servers; `progress` (may be empty) stops that.
    static Result<std::shared_ptr<const FleetReader>> open(const FleetAddress& address,
                                                           const capture::CaptureStore::Progress& progress);

    [[nodiscard]] const FleetAddress& address() const { return address_; }
    // As they are now in the registry: those that the address means, and those of everybody.
    [[nodiscard]] Result<std::vector<RunEntry>> runs(const capture::CaptureStore::Progress& progress) const;
    [[nodiscard]] Result<std::vector<RunEntry>> all_runs(const capture::CaptureStore::Progress& progress) const;
    [[nodiscard]] std::shared_ptr<const MessageStore> messages(const RunEntry& run, std::chrono::milliseconds timeout) const;
    [[nodiscard]] CaptureName name_of(const RunEntry& run) const;
    // What people call one of its captures.
    [[nodiscard]] std::string text_of(const RunEntry& run) const;

private:
    FleetReader(FleetAddress address, std::shared_ptr<const Connection> connection)
        : address_(std::move(address)), connection_(std::move(connection)) {}

    FleetAddress address_;
    std::shared_ptr<const Connection> connection_;
};

}  // namespace sla::fleet
