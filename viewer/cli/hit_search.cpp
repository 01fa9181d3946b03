#include "viewer/cli/hit_search.h"

#include <algorithm>
#include <utility>

namespace sla::cli {

namespace {

constexpr std::uint64_t kStepRows = 65536;

// One lane on its way into the engine; numbered in order of channel id, because ids of a file may be anything.
struct Feed {
    const store::Lane* lane;
    std::uint64_t next = 0;
    wire::EventBatch rows = {};
};

void copy_rows(Feed& feed, std::uint64_t until) {
    feed.rows.clear();
    const std::uint64_t end = feed.lane->upper_bound(until);
    for (; feed.next < end; ++feed.next) {
        const store::Event event = (*feed.lane)[feed.next];
        feed.rows.add(event.tick, event.code, event.value, event.thread);
        if (event.code != SLA_CODE_GAP) continue;
        const store::Gap* gap = feed.lane->gap_at(feed.next);
        wire::Extra extra;
        extra.position = static_cast<std::uint32_t>(feed.rows.size() - 1);
        extra.until_tick = gap != nullptr && gap->until_tick > gap->tick ? gap->until_tick : 0;
        feed.rows.extras.push_back(std::move(extra));
    }
}

// How far every lane can be fed with at most a step's rows each.
std::uint64_t step_end(const std::vector<Feed>& feeds, std::uint64_t end) {
    for (const Feed& feed : feeds) {
        if (feed.next + kStepRows < feed.lane->size()) end = std::min(end, feed.lane->tick(feed.next + kStepRows));
    }
    return end;
}

}  // namespace

std::vector<FoundHit> find_hits(const store::Session& session, const trigger::Trigger& trigger) {
    std::vector<trigger::Hit> hits;
    trigger::Engine engine(trigger, session.clock().ticks_per_second(), [&](const trigger::Hit& hit) {
        hits.push_back(hit);
        return std::uint64_t{0};
    });
    std::vector<Feed> feeds;
    for (std::uint32_t i = 0; i < session.lanes().size(); ++i) {
        const store::Lane* lane = session.lanes()[i];
        if (!engine.add_channel(ChannelId{i}, lane->channel().name)) continue;
        feeds.push_back({lane});
        feeds.back().rows.channel = ChannelId{i};
    }
    const std::uint64_t end = std::max(session.last_tick(), session.watermark());
    for (std::uint64_t until = 0; until != end || feeds.empty();) {
        until = step_end(feeds, end);
        std::vector<trigger::Rows> rows;
        for (Feed& feed : feeds) {
            copy_rows(feed, until);
            rows.push_back(trigger::Rows::of(feed.rows));
        }
        engine.feed(rows, until);
        if (until == end) break;
    }
    std::vector<FoundHit> found;
    found.reserve(hits.size());
    for (const trigger::Hit& hit : hits) found.push_back({hit.tick, hit.certain, engine.level_text(hit.level)});
    return found;
}

}  // namespace sla::cli
