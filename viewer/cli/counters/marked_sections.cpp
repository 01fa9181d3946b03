#include "viewer/cli/counters/marked_sections.h"

#include "proto/wire/glob_list.h"
#include "viewer/counters/marked_section.h"
#include "viewer/ingest/open.h"
#include "viewer/store/session.h"

namespace sla::cli {

using counters::Event;

std::string marker_counters(std::span<const Event> pair) {
    return pair.front().word + "," + pair.back().word;
}

Result<void> add_marked_sections(const std::string& capture, const std::vector<std::string>& channels,
                                 std::span<const Event> pair, counters::SectionTable& table) {
    store::Session session;
    if (auto loaded = ingest::load(capture, session); !loaded.ok()) return loaded;
    for (const store::Lane* lane : session.lanes()) {
        if (!wire::any_glob_matches(channels, lane->channel().name)) continue;
        counters::MarkedSection section({pair.begin(), pair.end()});
        section.take(*lane, table, lane->size());
        section.finish(table);
    }
    return {};
}

}  // namespace sla::cli
