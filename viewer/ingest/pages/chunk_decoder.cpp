#include "viewer/ingest/pages/chunk_decoder.h"

#include "proto/base/heap_pages.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sla::ingest {

namespace {

store::RunStart start_of(const ChunkPart& part) {
    store::RunStart start;
    start.index = part.page.first;
    start.span_id = part.page.first_span;
    start.level = part.page.level_before;
    start.open = part.open;
    start.rows = part.page.rows;
    start.begins = part.page.begins;
    return start;
}

UnreadableRows unreadable_rows(const ChunkPart& part, std::string why) {
    return {part.channel, part.page.rows - part.page.gaps, part.page.first_tick, std::move(why)};
}

// A loss of one for each event; those that told of losses are what they were.
std::shared_ptr<store::Run> unreadable(const ChunkLedger& ledger, const ChunkPart& part) {
    const store::Page& page = part.page;
    auto run = std::make_shared<store::Run>(start_of(part));
    const std::vector<ChunkLedger::LossRow> losses = ledger.losses_of(part);
    auto loss = losses.begin();
    store::Gap event;
    event.tick = page.first_tick;
    event.until_tick = page.last_tick;
    event.lost = 1;
    event.cause = wire::LossCause::kDamaged;
    for (std::uint64_t index = page.first; index < page.end(); ++index) {
        if (loss != losses.end() && loss->gap.index == index) {
            event.tick = loss->gap.tick;
            run->append_gap(loss->gap, loss->thread, nullptr);
            ++loss;
            continue;
        }
        if (index + 1 == page.end()) event.tick = page.last_tick;
        run->append_gap(event, 0, nullptr);
    }
    return run;
}

// What has come of a page's rows, held against what the page promises.
class Arrived {
public:
    explicit Arrived(const store::Page& page) : page_(page), last_tick_(page.first_tick) {}

    // False: this cannot be what comes next.
    bool take(const wire::EventBatch& batch) {
        const bool fits =
            batch.size() <= page_.rows - rows_ && batch.ticks.front() >= last_tick_ && batch.ticks.back() <= page_.last_tick;
        if (!fits) return false;
        rows_ += batch.size();
        last_tick_ = batch.ticks.back();
        for (const std::uint8_t code : batch.codes) {
            gaps_ += code == SLA_CODE_GAP ? 1 : 0;
            begins_ += code == SLA_CODE_BEGIN || code == SLA_CODE_BEGIN_VALUE ? 1 : 0;
        }
        return true;
    }
    [[nodiscard]] std::uint64_t rows() const { return rows_; }
    [[nodiscard]] bool is_whole() const { return rows_ == page_.rows && gaps_ == page_.gaps && begins_ == page_.begins; }

private:
    store::Page page_;
    std::uint64_t rows_ = 0;
    std::uint64_t gaps_ = 0;
    std::uint64_t begins_ = 0;
    std::uint64_t last_tick_;
};

std::vector<Arrived> none_arrived(const std::vector<ChunkPart>& parts) {
    std::vector<Arrived> arrived;
    arrived.reserve(parts.size());
    for (const ChunkPart& part : parts) arrived.emplace_back(part.page);
    return arrived;
}

// The place of a channel's part; none when it has none.
std::optional<std::size_t> part_of(const std::vector<ChunkPart>& parts, ChannelId channel) {
    const auto at = std::lower_bound(parts.begin(), parts.end(), channel,
                                     [](const ChunkPart& part, ChannelId wanted) { return part.channel < wanted; });
    if (at == parts.end() || at->channel != channel) return std::nullopt;
    return static_cast<std::size_t>(at - parts.begin());
}

std::vector<ChunkPart> parts_of(const ChunkLedger& ledger, std::size_t chunk, const std::vector<ChannelId>& only) {
    std::vector<ChunkPart> parts = ledger.parts_of(chunk);
    if (only.empty()) return parts;
    std::erase_if(parts, [&](const ChunkPart& part) { return !std::binary_search(only.begin(), only.end(), part.channel); });
    return parts;
}

class Filler {
public:
    Filler(const ChunkLedger& ledger, std::vector<ChunkPart> parts)
        : ledger_(ledger), parts_(std::move(parts)), arrived_(none_arrived(parts_)), broken_(parts_.size()) {
        for (const ChunkPart& part : parts_) runs_.push_back(std::make_shared<store::Run>(start_of(part)));
    }
    [[nodiscard]] const std::vector<ChunkPart>& parts() const { return parts_; }

    // Null: the part's next batch cannot be read.
    void add(std::size_t part, const wire::EventBatch* batch) {
        broken_[part] = broken_[part] || batch == nullptr || !arrived_[part].take(*batch);
        if (!broken_[part]) runs_[part]->append(*batch, 0, nullptr);
    }

    DecodedChunk finish(const std::string& why) {
        DecodedChunk out;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            if (broken_[i] || !arrived_[i].is_whole()) {
                runs_[i] = unreadable(ledger_, parts_[i]);
                out.damage.push_back(unreadable_rows(
                    parts_[i], why.empty() ? "they are not what the index of " + ledger_.path() + " says" : why));
            }
            out.bytes += runs_[i]->memory_bytes();
            out.runs.emplace_back(parts_[i].channel, std::move(runs_[i]));
        }
        return out;
    }

private:
    const ChunkLedger& ledger_;
    std::vector<ChunkPart> parts_;
    std::vector<Arrived> arrived_;
    std::vector<std::shared_ptr<store::Run>> runs_;
    std::vector<bool> broken_;
};

// take(part, batch) -> bool for every batch of these parts in the loaded chunk, null for one that cannot be read, until it
// says false.
template <typename Take>
void each_batch(capture::ChunkReader& reader, const std::vector<ChunkPart>& parts, Take take) {
    wire::Frame frame;
    wire::EventBatch batch;
    while (const auto bytes = reader.next()) {
        if (!wire::parse_message(*bytes, frame) || !frame.has_batch()) continue;
        const auto at = part_of(parts, ChannelId{frame.batch().channel()});
        if (at && !take(*at, wire::decode_batch(frame.batch(), batch) ? &batch : nullptr)) return;
    }
}

}  // namespace

std::string in_words(std::uint64_t events, const std::string& why) {
    return std::to_string(events) + " events cannot be read: " + why;
}

std::vector<UnreadableRows> unreadable_parts(const ChunkLedger& ledger, std::size_t chunk, const std::string& why) {
    std::vector<UnreadableRows> all;
    for (const ChunkPart& part : ledger.parts_of(chunk)) all.push_back(unreadable_rows(part, why));
    return all;
}

DecodedChunk decode_chunk(const ChunkLedger& ledger, std::size_t chunk, capture::ChunkReader* reader,
                          const std::vector<ChannelId>& only) {
    return decode_loaded(ledger, chunk, load_chunk(ledger, chunk, reader), reader, only);
}

Result<void> load_chunk(const ChunkLedger& ledger, std::size_t chunk, capture::ChunkReader* reader) {
    spread_huge_pages();
    return reader == nullptr ? damaged("the file cannot be opened") : reader->load(ledger.place_of(chunk));
}

DecodedChunk decode_loaded(const ChunkLedger& ledger, std::size_t chunk, const Result<void>& loaded,
                           capture::ChunkReader* reader, const std::vector<ChannelId>& only) {
    Filler filler(ledger, parts_of(ledger, chunk, only));
    if (!loaded) return filler.finish(loaded.error().message);
    each_batch(*reader, filler.parts(), [&filler](std::size_t part, const wire::EventBatch* batch) {
        filler.add(part, batch);
        return true;
    });
    return filler.finish("");
}

bool scan_chunk(const ChunkLedger& ledger, std::size_t chunk, capture::ChunkReader& reader,
                const std::vector<ChannelId>& only, const store::PageSource::VisitRows& visit) {
    const std::vector<ChunkPart> parts = parts_of(ledger, chunk, only);
    std::vector<Arrived> arrived = none_arrived(parts);
    if (!reader.load(ledger.place_of(chunk))) return false;
    bool is_right = true;
    each_batch(reader, parts, [&](std::size_t part, const wire::EventBatch* batch) {
        const std::uint64_t first = parts[part].page.first + arrived[part].rows();
        is_right = batch != nullptr && arrived[part].take(*batch);
        if (is_right) {
            visit(parts[part].channel, first,
                  {batch->size(), batch->ticks.data(), batch->values.data(), batch->threads.data(), batch->codes.data()});
        }
        return is_right;
    });
    return is_right && std::all_of(arrived.begin(), arrived.end(), [](const Arrived& of) { return of.is_whole(); });
}

}  // namespace sla::ingest
