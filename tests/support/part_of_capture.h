// A capture as a part that was cut out of another: rows before its begin only say what held there.
#pragma once

#include "proto/wire/capture.pb.h"
#include "tests/support/capture_builder.h"
#include "viewer/ingest/frame_applier.h"

#include <cstdint>
#include <string>

namespace sla::support {

inline void fill_part(const CaptureBuilder& capture, std::uint64_t begin_tick, store::Session& session) {
    ingest::FrameApplier applier(session);
    for (std::string message : capture.frames()) {
        wire::Frame frame;
        if (frame.ParseFromString(message) && frame.has_hello()) {
            frame.mutable_hello()->set_begin_tick(begin_tick);
            message = frame.SerializeAsString();
        }
        applier.apply(std::string_view(message));
    }
}

}  // namespace sla::support
