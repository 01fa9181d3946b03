#include "viewer/cli/capture_facts.h"

#include "proto/capture/capture_reader.h"
#include "viewer/ingest/frame_item.h"

#include <algorithm>
#include <unordered_set>

namespace sla::cli {

namespace {

void count_batch(const wire::EventBatch& batch, CaptureFacts& facts) {
    facts.events += batch.size();
    for (const wire::Extra& extra : batch.extras) {
        if (batch.codes[extra.position] != SLA_CODE_GAP) continue;
        --facts.events;
        facts.lost += batch.values[extra.position];
    }
}

}  // namespace

Result<CaptureFacts> facts_of(const std::string& path) {
    auto reader = capture::CaptureReader::open(path);
    if (!reader.ok()) return reader.error();
    CaptureFacts facts;
    std::unordered_set<std::uint32_t> channels;
    while (const auto frame = reader->next()) {
        const ingest::FrameItem item = ingest::decode_frame(*frame);
        if (item.what == ingest::FrameItem::What::kBatch) count_batch(item.batch, facts);
        if (item.what == ingest::FrameItem::What::kMessage && item.message.has_channel())
            channels.insert(item.message.channel().id());
    }
    facts.channels = channels.size();
    facts.bytes = reader->file_bytes();
    facts.whole = reader->finished() && reader->damage().empty();
    return facts;
}

}  // namespace sla::cli
