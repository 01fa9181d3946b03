// A capture that lives in a fleet's cluster, as a CaptureStore: as it is now, of an agent that still runs too. What comes after
// is FleetTail's.
#pragma once

#include "proto/capture/capture_store.h"
#include "viewer/fleet/fetched_messages.h"
#include "viewer/fleet/fleet_catalog.h"
#include "viewer/fleet/fleet_chunks.h"
#include "viewer/fleet/fleet_reader.h"
#include "viewer/fleet/message_store.h"

#include <memory>
#include <string>
#include <vector>

namespace sla::fleet {

// A capture as it is now, and where it goes on.
struct OpenedCapture {
    std::shared_ptr<const capture::CaptureStore> store;
    TailStart tail;
    std::uint64_t rows = 0;
    std::uint64_t complete_until = 0;  // to follow: nothing at or below this tick comes with the tail; 0: not known
    std::shared_ptr<const FleetPlaces> places;
    Missing missing;
};

// One host's capture of those that an address means.
struct FleetMember {
    RunEntry run;
    OpenedCapture capture;
    std::shared_ptr<FetchedMessages> messages;  // the capture's
};

struct OpenedFleet {
    std::shared_ptr<const FleetReader> reader;
    std::string name;                   // what people call it
    std::vector<FleetMember> members;   // by host; never none
    std::vector<std::string> left_out;  // hosts of which nothing can be read, each with the reason
    std::string remark;                 // on which captures were chosen; empty: nothing people need to know
};

// Of captures that are still being published: all that is there, or what is whole, so that who follows has the rest in order.
enum class Opening { kAllThereIs, kToFollow };

// Of what is typed: connects, finds the captures in the fleet's registry, and reads what is in them, of some hosts at a time.
Result<OpenedFleet> open_fleet(const std::string& address, Opening opening,
                               const capture::CaptureStore::Progress& progress = {});

// Fetches the rows of all of them, some chunks at a time, so that whoever reads them in order afterwards waits for nobody. They
// stay in memory until they are read. What is not there (any more) is left to the reader; an error: the servers do not answer.
Result<void> fetch_rows(const OpenedFleet& fleet, const capture::CaptureStore::Progress& progress);
// In all captures.
std::uint64_t rows_of(const OpenedFleet& fleet);

struct WantedCapture {
    CaptureName name;
    std::string text;     // what people call it
    Published published;  // nothing: nobody knows
};

// Of messages wherever they are kept; `state` is the stream's, of before.
Result<OpenedCapture> open_messages(std::shared_ptr<const MessageStore> messages, const WantedCapture& wanted,
                                    StreamState state, Opening opening,
                                    const capture::CaptureStore::Progress& progress = {});

}  // namespace sla::fleet
