// Messages of a hostile cluster: summaries and indices (FleetIndex) of a capture, the chunks they list, and what comes
// behind. Their checksums are right, so that what is inside is read. Each message of the input is kind, piece,
// sequence, place of its frames, flags, length (two bytes) and contents.
#include "proto/base/check.h"
#include "proto/capture/chunk.h"
#include "proto/fleet/fleet.pb.h"
#include "viewer/fleet/fleet_capture.h"
#include "viewer/fleet/fleet_tail.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace sla::fleet;
using sla::capture::ChunkKind;

class Stream final : public MessageStore {
public:
    explicit Stream(std::string_view input) {
        constexpr std::size_t kHead = 7;
        while (input.size() >= kHead) {
            const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(input[at]); };
            const std::size_t length = std::min<std::size_t>(byte(5) | byte(6) << 8, input.size() - kHead);
            add(byte(0), byte(1), byte(2), byte(3), byte(4), std::string(input.substr(kHead, length)));
            input.remove_prefix(kHead + length);
        }
    }
    [[nodiscard]] sla::Result<StoredMessage> get(std::uint64_t sequence,
                                                 std::chrono::milliseconds /*timeout*/) const override {
        const auto at = messages_.find(sequence);
        if (at == messages_.end()) return sla::not_found("none");
        return at->second;
    }
    [[nodiscard]] sla::Result<StoredMessage> next(const std::string& subject, std::uint64_t from) const override {
        for (auto at = messages_.lower_bound(from); at != messages_.end(); ++at) {
            if (subject.ends_with(word_of(at->second.headers->id.kind))) return at->second;
        }
        return sla::not_found("none");
    }
    [[nodiscard]] sla::Result<std::uint64_t> newest(const std::string& subject) const override {
        for (auto at = messages_.rbegin(); at != messages_.rend(); ++at) {
            if (subject.ends_with(word_of(at->second.headers->id.kind))) return at->first;
        }
        return sla::not_found("none");
    }
    [[nodiscard]] sla::Result<StreamState> state() const override {
        StreamState state;
        state.deleted = deleted_;
        return state;
    }

    [[nodiscard]] std::size_t size() const { return messages_.size(); }

private:
    void add(unsigned kind, unsigned piece, unsigned sequence, unsigned frames_at, unsigned flags, const std::string& raw) {
        constexpr ChunkKind kKinds[] = {ChunkKind::kFrames, ChunkKind::kSummary, ChunkKind::kIndex};
        const unsigned which = kind % 3;
        StoredMessage message;
        message.sequence = ++newest_;
        message.headers.emplace();
        message.headers->id = {"h", "b", "c", piece, sequence, static_cast<Kind>(which)};
        message.headers->frames_at = frames_at;
        message.headers->is_end = (flags & 1) != 0;
        message.body = raw;
        FleetIndex index;
        if (which != 2) {
            message.body = packer_.pack(kKinds[which], raw, 1, sequence);
        } else if (index.ParseFromString(raw) && !index.chunk().empty()) {
            index.set_chunk(std::string(packer_.pack(kKinds[which], std::string(index.chunk()), 0, sequence)));
            message.body = index.SerializeAsString();
        }
        if ((flags & 2) != 0) return deleted_.push_back(newest_);
        messages_[message.sequence] = std::move(message);
    }

    sla::capture::ChunkPacker packer_;
    std::map<std::uint64_t, StoredMessage> messages_;
    std::vector<std::uint64_t> deleted_;
    std::uint64_t newest_ = 0;
};

void read_all(const sla::capture::CaptureStore& store) {
    const auto index = store.index({});
    SLA_CHECK(index.ok());
    auto chunks = store.open_chunks();
    SLA_CHECK(chunks.ok());
    for (const sla::capture::ChunkPlace& place : index->chunks()) {
        (void)chunks->detail(place);
        if (!chunks->load(place)) continue;
        while (chunks->next()) {
        }
    }
    for (const auto& lane : index->lanes()) SLA_CHECK(lane.summaries.size() == lane.chunk_numbers.size());
    auto frames = store.open_frames();
    SLA_CHECK(frames.ok());
    while (frames->next()) {
    }
}

// What comes behind it: each chunk is later than the one before.
void follow(const std::shared_ptr<const Stream>& stream, const CaptureName& name, const TailStart& start) {
    FleetTail tail(stream, name, start);
    ChunkKey last = start.last;
    const std::size_t calls = stream->size() / 256 + 3;  // each looks at so many messages of which none is new
    for (std::size_t call = 0; call < calls; ++call) {
        for (;;) {
            const auto chunk = tail.next(FleetTail::Time(FleetTail::kTimeout * call));
            SLA_CHECK(chunk.ok());
            if (!*chunk) break;
            SLA_CHECK((*chunk)->key > last);
            last = (*chunk)->key;
        }
    }
    SLA_CHECK(tail.held() == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto stream = std::make_shared<const Stream>(std::string_view(reinterpret_cast<const char*>(data), size));
    const CaptureName name{"f", 0, "h", "c"};
    const Published published{size, size, size % 2};
    follow(stream, name, {});
    for (const Opening opening : {Opening::kAllThereIs, Opening::kToFollow}) {
        const auto opened = open_messages(stream, {name, "the fleet", published}, *stream->state(), opening);
        if (!opened) continue;
        read_all(*opened->store);
        if (opening == Opening::kToFollow) follow(stream, name, opened->tail);
    }
    return 0;
}
