// What a session knows beside its rows, as the frames that a capture says it with.
#pragma once

#include "proto/wire/capture.pb.h"
#include "viewer/store/session.h"

namespace sla::formats {

wire::Frame frame_of(const store::Origin& origin);  // the capture's first
wire::Frame frame_of(const store::Host& host);
wire::Frame frame_of(const store::PeerClock& peer);
wire::Frame frame_of(const store::Source& source);
wire::Frame frame_of(const store::Channel& channel);
wire::Frame frame_of(const store::Thread& thread);
wire::Frame frame_of(const store::Health& health);
wire::Frame frame_of(const store::Shot& shot);
wire::Frame frame_of(const store::Note& note);

}  // namespace sla::formats
