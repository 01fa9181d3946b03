// The chunk store that is a cluster: ChunkPlace::offset is the frames' sequence in the stream.
#pragma once

#include "proto/capture/chunk_store.h"
#include "viewer/fleet/fleet_catalog.h"
#include "viewer/fleet/message_store.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace sla::fleet {

// What all readers of one capture share; immutable.
struct FleetPlaces {
    std::string text;  // the capture, for messages
    CaptureName name;
    std::vector<ChunkAddress> addresses;  // rising by frames_at
    bool has_lost_names = false;
    std::string head;  // a serialized frame for who reads them in order; empty: none

    // Null: no chunk was listed there.
    [[nodiscard]] const ChunkAddress* find(std::uint64_t frames_at) const;
};

// A message must be what was listed: of this capture, this piece and this chunk.
class FleetChunks final : public capture::ChunkStore {
public:
    FleetChunks(std::shared_ptr<const MessageStore> store, std::shared_ptr<const FleetPlaces> places)
        : store_(std::move(store)), places_(std::move(places)) {}

    Result<capture::ChunkHeader> fetch_frames(const capture::ChunkPlace& place, std::string& stored) override;
    Result<capture::ChunkHeader> fetch_summary(const capture::ChunkPlace& place, std::string& stored) override;
    bool set_timeout(std::chrono::milliseconds timeout) override {
        timeout_ = timeout;
        return true;
    }
    [[nodiscard]] bool is_elsewhere() const override { return true; }
    [[nodiscard]] std::string describe(const capture::ChunkPlace& place) const override;

private:
    Result<capture::ChunkHeader> fetch(const capture::ChunkPlace& place, Kind kind, std::string& stored);

    std::shared_ptr<const MessageStore> store_;
    std::shared_ptr<const FleetPlaces> places_;
    std::chrono::milliseconds timeout_ = kAnswerTime;
};

}  // namespace sla::fleet
