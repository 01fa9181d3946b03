#include "viewer/capture_tools/capture_facts.h"

#include "proto/base/how_many.h"
#include "proto/capture/capture_index.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

namespace sla::capture_tools {

Result<CaptureFacts> facts_of(const std::string& path) {
    const auto index = capture::CaptureIndex::open(path);
    if (!index.ok()) return index.error();
    CaptureFacts facts;
    for (const capture::CaptureIndex::Lane& lane : index->lanes()) {
        for (const capture::LaneSummary& summary : lane.summaries) {
            facts.events += summary.rows - summary.gap_rows;
            add_up(facts.lost, summary.lost);
        }
        for (const capture::GapRow& gap : lane.gaps) {
            const bool is_of_before = gap.cause == wire::LossCause::kNotKept;
            if (is_of_before) add_up(facts.not_kept, gap.lost);
            if (gap.lost == 0 && !is_of_before && gap.cause != wire::LossCause::kLeftOut) facts.uncounted++;
        }
    }
    std::unordered_set<std::uint32_t> channels;
    std::map<std::uint32_t, MarkedProgram> going_on;
    for (const std::string& bytes : index->lasting()) {
        wire::Frame frame;
        if (!wire::parse_message(bytes, frame)) continue;
        const bool is_channel = frame.has_channel();
        if (is_channel && channels.insert(frame.channel().id()).second) facts.channels.push_back(frame.channel().name());
        if (!frame.has_source()) continue;
        const wire::Source& source = frame.source();
        const bool is_marked = source.kind() == wire::SOURCE_PROGRAM || source.kind() == wire::SOURCE_PC;
        going_on.erase(source.id());
        if (is_marked && !source.ended()) going_on[source.id()] = {source.name(), source.pid()};
    }
    for (auto& [id, program] : going_on) facts.going_on.push_back(std::move(program));
    facts.lost -= std::min(facts.lost, facts.not_kept);
    facts.bytes = index->file_bytes();
    facts.whole = index->finished() && !index->made_anew();
    return facts;
}

std::string CaptureFacts::lost_text() const {
    if (uncounted == 0) return std::to_string(lost);
    const std::string unknown = "an unknown number in " + how_many(uncounted, "place");
    return lost == 0 ? unknown : std::to_string(lost) + " and " + unknown;
}

}  // namespace sla::capture_tools
