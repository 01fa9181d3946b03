#include "tests/support/fleet_reading.h"

#include "proto/capture/chunk.h"
#include "proto/fleet/connection.h"
#include "proto/fleet/fleet.pb.h"
#include "proto/fleet/streams.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <fmt/format.h>

#include <optional>

namespace sla::support {
namespace {

using fleet::Kind;

struct Chunk {
    const FleetMessage* message = nullptr;
    capture::ChunkHeader header;
    std::string raw;
};

class Reading {
public:
    Reading(const NatsCluster& cluster, std::string fleet) : fleet_(std::move(fleet)) {
        auto connection = fleet::Connection::open(cluster.connect_options());
        if (!connection) {
            problem(connection.error().message);
            return;
        }
        connection_ = std::move(*connection);
        const auto settings = fleet::settings_of(*connection_, fleet_);
        if (!settings) {
            problem(settings.error().message);
            return;
        }
        for (std::uint32_t shard = 0; shard < settings->shards; ++shard) fetch(shard);
        check();
    }
    FleetContents take() { return std::move(contents_); }

private:
    void problem(const std::string& text) { contents_.problems.push_back(text); }

    void fetch(std::uint32_t shard) {
        const std::string stream = fleet::stream_name(fleet_, shard);
        Result<fleet::ShardState> state = fleet::state_of(*connection_, fleet_, shard);
        const auto has_leader = [&] { return state.ok() || (state = fleet::state_of(*connection_, fleet_, shard)).ok(); };
        if (!eventually(has_leader, std::chrono::seconds(90))) return problem(state.error().message);
        for (std::uint64_t at = state->first_sequence; at != 0 && at <= state->last_sequence; ++at) {
            fleet::Message message;
            jsErrCode code{};
            natsStatus status = NATS_ERR;
            for (int i = 0; i < 40 && status != NATS_OK; ++i)  // while a leader is chosen
                status = js_GetMsg(message.out(), connection_->jetstream(), stream.c_str(), at, nullptr, &code);
            if (status != NATS_OK) {
                problem(fmt::format("message {} of {}: {}", at, stream, natsStatus_GetText(status)));
                continue;
            }
            const auto headers = fleet::parse_headers([&](const char* name) {
                const char* value = nullptr;
                return natsMsgHeader_Get(message.get(), name, &value) == NATS_OK ? value : nullptr;
            });
            if (!headers) {
                problem(fmt::format("message {} of {} has headers that make no sense", at, stream));
                continue;
            }
            contents_.messages.push_back(
                {*headers,
                 {natsMsg_GetData(message.get()), static_cast<std::size_t>(natsMsg_GetDataLength(message.get()))},
                 at,
                 shard,
                 natsMsg_GetSubject(message.get())});
        }
    }

    void check() {
        std::map<std::string, std::map<std::uint64_t, std::map<std::uint64_t, const FleetMessage*>>> sorted;
        for (const FleetMessage& message : contents_.messages) {
            const fleet::MessageId& id = message.headers.id;
            const fleet::Subject subject{fleet_, message.shard, id.host, id.capture, id.kind};
            if (subject.text() != message.subject)
                problem("the subject " + message.subject + " is not that of " + id.text());
            const auto [at, is_new] = sorted[id.capture][id.piece].try_emplace(id.sequence, &message);
            if (!is_new) problem("twice in the stream: " + id.text());
        }
        for (const auto& [capture, pieces] : sorted) {
            CaptureInFleet& sum = contents_.captures[capture];
            std::uint64_t expected = 1;
            next_index_.clear();
            for (const auto& [piece, messages] : pieces) {
                if (piece != expected) problem(fmt::format("piece {} of {} is missing", expected, capture));
                expected = piece + 1;
                check_piece(fmt::format("{} piece {}", capture, piece), messages, sum);
            }
        }
    }

    void check_piece(const std::string& name, const std::map<std::uint64_t, const FleetMessage*>& messages,
                     CaptureInFleet& sum) {
        std::uint64_t expected = 0;
        bool is_complete = false;
        const FleetMessage* frames = nullptr;
        std::vector<std::pair<std::uint64_t, std::uint64_t>> listed;  // frames and summary, since the last index
        for (const auto& [sequence, message] : messages) {
            if (sequence != expected) problem(fmt::format("{}: chunk {} is missing before {}", name, expected, sequence));
            expected = sequence + 1;
            std::string body = message->body;
            if (message->headers.id.kind == Kind::kIndex) body = check_index(name, *message, listed);
            const std::string raw = unpack(name, body, *message);
            if (message->headers.id.kind == Kind::kFrames) {
                frames = message;
                listed.emplace_back(message->sequence, 0);
                count_frames(name, raw, message->headers.rows, sum);
            }
            if (message->headers.id.kind == Kind::kSummary) {
                if (frames == nullptr || message->headers.frames_at != frames->sequence)
                    problem(fmt::format("{}: summary {} does not name its frames", name, sequence));
                if (!listed.empty()) listed.back().second = message->sequence;
            }
            is_complete = is_complete || message->headers.is_end;
        }
        (is_complete ? sum.pieces : sum.pieces_cut)++;
    }

    std::string check_index(const std::string& name, const FleetMessage& message,
                            std::vector<std::pair<std::uint64_t, std::uint64_t>>& listed) {
        fleet::FleetIndex index;
        if (!wire::parse_message(message.body, index)) {
            problem(name + ": an index cannot be read");
            return "";
        }
        std::vector<std::pair<std::uint64_t, std::uint64_t>> said;
        for (int i = 0; i < index.frames_at_size() && i < index.summaries_at_size(); ++i)
            said.emplace_back(index.frames_at(i), index.summaries_at(i));
        if (said != listed) problem(name + ": an index does not say where its chunks are");
        listed.clear();
        return index.chunk();
    }

    std::string unpack(const std::string& name, const std::string& body, const FleetMessage& message) {
        std::string raw;
        const auto header = capture::decode_chunk_header(body);
        const bool is_good = header && header->sequence == message.headers.id.sequence &&
                             unpacker_.unpack(*header, std::string_view(body).substr(capture::kChunkHeaderBytes), raw).ok();
        if (!is_good) problem(name + ": a chunk cannot be read: " + message.headers.id.text());
        return raw;
    }

    void count_frames(const std::string& name, std::string_view raw, std::uint64_t rows_said, CaptureInFleet& sum) {
        std::uint64_t rows = 0;
        while (const auto message = capture::take_frame(raw)) {
            wire::Frame frame;
            if (!wire::parse_message(*message, frame)) problem(name + ": a frame cannot be read");
            if (frame.has_end()) sum.has_end = frame.end().reason().find("goes on in piece") == std::string::npos;
            if (!frame.has_batch()) continue;
            wire::EventBatch events;
            if (!wire::decode_batch(frame.batch(), events)) {
                problem(name + ": a batch cannot be read");
                continue;
            }
            rows += events.size();
            count_batch(name, frame.batch(), events, sum);
        }
        if (rows != rows_said) problem(fmt::format("{}: Sla-N says {}, {} rows are there", name, rows_said, rows));
    }

    void count_batch(const std::string& name, const wire::Batch& batch, const wire::EventBatch& events,
                     CaptureInFleet& sum) {
        const auto [at, is_new] = next_index_.try_emplace(batch.channel(), batch.first_index());
        if (batch.first_index() < at->second)
            problem(fmt::format("{}: rows of channel {} come twice", name, batch.channel()));
        at->second = batch.first_index() + events.size();
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (events.codes[i] != SLA_CODE_GAP) {
                sum.events[batch.channel()]++;
                sum.event_sum++;
                sum.values += events.values[i];
                continue;
            }
            sum.lost += events.values[i];
            for (const wire::Extra& extra : events.extras) {
                const bool is_of_reader =
                    extra.cause == wire::LossCause::kLagged || extra.cause == wire::LossCause::kNotKept;
                if (extra.position == i && is_of_reader) sum.missed += events.values[i];
            }
        }
    }

    std::string fleet_;
    std::unique_ptr<fleet::Connection> connection_;
    capture::ChunkUnpacker unpacker_;
    std::map<std::uint32_t, std::uint64_t> next_index_;
    FleetContents contents_;
};

}  // namespace

FleetContents read_fleet(const NatsCluster& cluster, const std::string& fleet) {
    return Reading(cluster, fleet).take();
}

}  // namespace sla::support
