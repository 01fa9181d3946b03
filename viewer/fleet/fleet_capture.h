// A capture that lives in a fleet's cluster, as a CaptureStore: read as it is now, of an agent that still runs too.
#pragma once

#include "proto/capture/capture_store.h"
#include "proto/fleet/connection.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/fleet/fleet_chunks.h"
#include "viewer/fleet/message_store.h"

#include <memory>
#include <string>
#include <string_view>

namespace sla::fleet {

// Of what is typed: connects, finds the capture in the fleet's registry, and reads what is in it. An error tells which hosts or
// captures there are when none is named that is there.
Result<std::shared_ptr<const capture::CaptureStore>> open_fleet(const std::string& address,
                                                                const capture::CaptureStore::Progress& progress = {});

// Of messages wherever they are kept; `text` is what people call it.
Result<std::shared_ptr<const capture::CaptureStore>> open_messages(std::shared_ptr<const MessageStore> messages,
                                                                   const CaptureName& name, const std::string& text,
                                                                   const capture::CaptureStore::Progress& progress = {});

}  // namespace sla::fleet
