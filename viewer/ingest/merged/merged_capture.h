// Several captures as one CaptureStore, side by side on one axis: opened by their indices, their chunks fetched and moved one
// by one when they are asked for, so that opening costs what opening each costs, and nothing is copied.
#pragma once

#include "proto/capture/capture_store.h"
#include "viewer/ingest/merged/merged_parts.h"

#include <memory>

namespace sla::ingest {

std::shared_ptr<const capture::CaptureStore> merged_capture(std::shared_ptr<const MergedParts> parts);
// It is one of those: its hosts' streams reach differently far.
bool is_merged(const capture::CaptureStore& store);

}  // namespace sla::ingest
