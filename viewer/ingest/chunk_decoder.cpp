#include "viewer/ingest/chunk_decoder.h"

#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sla::ingest {

namespace {

// One part while its batches come in.
struct Filling {
    std::shared_ptr<store::Run> run;
    std::uint64_t gaps = 0;
    bool broken = false;
};

store::RunStart start_of(const ChunkPart& part) {
    store::RunStart start;
    start.index = part.page.first;
    start.span_id = part.page.first_span;
    start.level = part.page.level_before;
    start.open = part.open;
    start.rows = part.page.rows;
    return start;
}

std::shared_ptr<store::Run> unreadable(const ChunkPart& part) {
    const store::Page& page = part.page;
    auto run = std::make_shared<store::Run>(start_of(part));
    store::Gap gap;
    gap.tick = page.first_tick;
    gap.until_tick = page.last_tick;
    gap.lost = 1;
    gap.cause = wire::LossCause::kDamaged;
    for (std::uint64_t i = 0; i < page.rows; ++i) {
        if (i + 1 == page.rows) gap.tick = page.last_tick;
        run->append_gap(gap, 0, nullptr);
    }
    run->settle();
    return run;
}

// Behind so many rows, the last of which is of that tick.
bool fits(std::uint64_t rows, std::uint64_t last_tick, const store::Page& page, const wire::EventBatch& batch) {
    const std::uint64_t begin = rows == 0 ? page.first_tick : last_tick;
    return batch.size() <= page.rows - rows && batch.ticks.front() >= begin && batch.ticks.back() <= page.last_tick;
}

// The place of a channel's part; none when it has none.
std::optional<std::size_t> part_of(const std::vector<ChunkPart>& parts, ChannelId channel) {
    const auto at = std::lower_bound(parts.begin(), parts.end(), channel,
                                     [](const ChunkPart& part, ChannelId wanted) { return part.channel < wanted; });
    if (at == parts.end() || at->channel != channel) return std::nullopt;
    return static_cast<std::size_t>(at - parts.begin());
}

std::vector<ChunkPart> parts_of(const ChunkBook& book, std::size_t chunk, const std::vector<ChannelId>& only) {
    std::vector<ChunkPart> parts = book.parts_of(chunk);
    if (only.empty()) return parts;
    std::erase_if(parts, [&](const ChunkPart& part) { return !std::binary_search(only.begin(), only.end(), part.channel); });
    return parts;
}

class Filler {
public:
    explicit Filler(std::vector<ChunkPart> parts) : parts_(std::move(parts)), filling_(parts_.size()) {
        for (std::size_t i = 0; i < parts_.size(); ++i) filling_[i].run = std::make_shared<store::Run>(start_of(parts_[i]));
    }

    void add(std::string_view frame) {
        if (!wire::parse_message(frame, frame_) || !frame_.has_batch()) return;
        const ChannelId channel{frame_.batch().channel()};
        const auto at = part_of(parts_, channel);
        if (!at) return;
        Filling& filling = filling_[*at];
        if (filling.broken) return;
        filling.broken =
            !wire::decode_batch(frame_.batch(), batch_) ||
            !fits(filling.run->size(), filling.run->empty() ? 0 : filling.run->last_tick(), parts_[*at].page, batch_);
        if (filling.broken) return;
        filling.gaps += static_cast<std::uint64_t>(std::count(batch_.codes.begin(), batch_.codes.end(), SLA_CODE_GAP));
        filling.run->append(batch_, 0, nullptr);
    }

    DecodedChunk finish(const std::string& path, const std::string& why) {
        DecodedChunk out;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            Filling& filling = filling_[i];
            const store::Page& page = parts_[i].page;
            const bool whole = !filling.broken && filling.run->size() == page.rows && filling.gaps == page.gaps &&
                               filling.run->spans().size() == page.begins;
            if (!whole) {
                filling.run = unreadable(parts_[i]);
                out.damage.push_back(path + ": " + std::to_string(page.rows) + " events of channel " +
                                     std::to_string(parts_[i].channel.value) +
                                     " cannot be read: " + (why.empty() ? "they are not what the file's index says" : why));
            }
            filling.run->settle();
            out.bytes += filling.run->memory_bytes();
            out.runs.emplace_back(parts_[i].channel, std::move(filling.run));
        }
        return out;
    }

private:
    std::vector<ChunkPart> parts_;
    std::vector<Filling> filling_;
    wire::Frame frame_;
    wire::EventBatch batch_;
};

}  // namespace

DecodedChunk decode_chunk(const ChunkBook& book, std::size_t chunk, capture::ChunkReader* reader,
                          const std::vector<ChannelId>& only) {
    Filler filler(parts_of(book, chunk, only));
    if (reader == nullptr) return filler.finish(book.path(), "the file cannot be opened");
    if (const Result<void> loaded = reader->load(book.place_of(chunk)); !loaded) {
        return filler.finish(book.path(), loaded.error().message);
    }
    while (const auto frame = reader->next()) filler.add(*frame);
    return filler.finish(book.path(), "");
}

bool scan_chunk(const ChunkBook& book, std::size_t chunk, capture::ChunkReader& reader, const std::vector<ChannelId>& only,
                const store::PageSource::VisitRows& visit) {
    struct Seen {
        std::uint64_t rows = 0;
        std::uint64_t gaps = 0;
        std::uint64_t begins = 0;
        std::uint64_t last_tick = 0;
    };
    const std::vector<ChunkPart> parts = parts_of(book, chunk, only);
    std::vector<Seen> seen(parts.size());
    if (!reader.load(book.place_of(chunk))) return false;
    wire::Frame frame;
    wire::EventBatch batch;
    while (const auto bytes = reader.next()) {
        if (!wire::parse_message(*bytes, frame) || !frame.has_batch()) continue;
        const auto at = part_of(parts, ChannelId{frame.batch().channel()});
        if (!at) continue;
        Seen& of = seen[*at];
        const store::Page& page = parts[*at].page;
        if (!wire::decode_batch(frame.batch(), batch) || !fits(of.rows, of.last_tick, page, batch)) return false;
        visit(parts[*at].channel, page.first + of.rows,
              {batch.size(), batch.ticks.data(), batch.values.data(), batch.threads.data(), batch.codes.data()});
        of.rows += batch.size();
        of.last_tick = batch.ticks.back();
        for (const std::uint8_t code : batch.codes) {
            of.gaps += code == SLA_CODE_GAP ? 1 : 0;
            of.begins += code == SLA_CODE_BEGIN || code == SLA_CODE_BEGIN_VALUE ? 1 : 0;
        }
    }
    const auto is_whole = [](const Seen& of, const store::Page& page) {
        return of.rows == page.rows && of.gaps == page.gaps && of.begins == page.begins;
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!is_whole(seen[i], parts[i].page)) return false;
    }
    return true;
}

}  // namespace sla::ingest
