#include "viewer/fleet/fleet_tail.h"

#include "proto/capture/chunk.h"
#include "proto/capture/pieces/repeated_names.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "viewer/fleet/message_chunk.h"

#include <fmt/format.h>

#include <utility>

namespace sla::fleet {
namespace {

// Agents say so at the end of every piece but the last.
bool goes_on(std::string_view end_frame) {
    wire::Frame frame;
    return wire::parse_message(end_frame, frame) && capture::says_goes_on(frame.end().reason());
}

}  // namespace

FleetTail::FleetTail(std::shared_ptr<const MessageStore> messages, CaptureName name, const TailStart& start)
    : messages_(std::move(messages)),
      name_(std::move(name)),
      subject_(Subject{name_.fleet, name_.shard, name_.host, name_.capture, Kind::kFrames}.text()),
      at_(start) {}

void FleetTail::take(StoredMessage message, Time now) {
    if (!is_of(name_, message, Kind::kFrames)) return;
    const ChunkKey key{message.headers->id.piece, message.headers->id.sequence};
    if (key <= at_.last) return;
    held_.try_emplace(key, Held{std::move(message.body), now});
}

bool FleetTail::is_due(Time now) const {
    if (held_.empty()) return false;
    const auto& [key, first] = *held_.begin();
    return follows(at_.last, at_.ends_piece, key) || held_.size() >= kMaxHeld || now - first.since >= kTimeout;
}

FleetTail::Chunk FleetTail::give_first() {
    auto first = held_.extract(held_.begin());
    Chunk chunk;
    chunk.key = first.key();
    if (!follows(at_.last, at_.ends_piece, chunk.key)) {
        chunk.damage = fmt::format("between chunk {} of piece {} and chunk {} of piece {} something never came",
                                   at_.last.sequence, at_.last.piece, chunk.key.sequence, chunk.key.piece);
    }
    at_.last = chunk.key;
    at_.ends_piece = false;
    std::string raw;
    std::string_view rest;
    if (unpack_chunk(first.mapped().body, capture::ChunkKind::kFrames, chunk.key.sequence, raw)) {
        rest = raw;
    } else {
        if (!chunk.damage.empty()) chunk.damage += "; ";
        chunk.damage += fmt::format("chunk {} of piece {} cannot be read", chunk.key.sequence, chunk.key.piece);
    }
    while (const auto frame = capture::take_frame(rest)) {
        if (!capture::is_end_frame(*frame)) {
            chunk.frames.emplace_back(*frame);
        } else if (goes_on(*frame)) {
            at_.ends_piece = true;
        } else {
            chunk.ends_capture = true;
        }
    }
    return chunk;
}

std::optional<FleetTail::Chunk> FleetTail::take_due(Time now) {
    return is_due(now) ? std::optional(give_first()) : std::nullopt;
}

std::optional<MessageQuestion> FleetTail::question(Time now) const {
    if (is_due(now)) return std::nullopt;
    return MessageQuestion{MessageQuestion::What::kNext, subject_, at_.from_sequence, {}};
}

Result<bool> FleetTail::take(Result<StoredMessage> answer, Time now) {
    if (!answer && answer.error().code == ErrorCode::kNotFound) return false;
    if (!answer) return answer.error();
    if (answer->sequence < at_.from_sequence)
        return damaged("the cluster answers with another message than it was asked for");
    at_.from_sequence = answer->sequence + 1;
    take(std::move(*answer), now);
    return true;
}

Result<std::optional<FleetTail::Chunk>> FleetTail::next(Time now) {
    for (int i = 0; i < kMaxAtOnce && !is_due(now); ++i) {
        const Result<bool> taken = take(messages_->next(subject_, at_.from_sequence), now);
        if (!taken) return taken.error();
        if (!*taken) break;
    }
    return take_due(now);
}

}  // namespace sla::fleet
