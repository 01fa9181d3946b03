// What another session gets of one that spills: everything but rows, and where those are in the file.
#include "viewer/ingest/spill.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sla::ingest {

struct Spill::Contents {
    struct Lane {
        store::Channel channel;
        store::PageTable pages;
        store::GapTable gaps;
    };
    bool has_origin = false;
    store::Origin origin;
    std::vector<store::Source> sources;
    std::vector<store::Thread> threads;
    std::vector<time::ClockSnapshot> clock;
    store::Health health;
    std::uint64_t watermark = 0;
    bool begins_late = false;
    std::vector<Lane> lanes;
};

std::shared_ptr<const Spill::Contents> Spill::contents() const {
    auto all = std::make_shared<Contents>();
    all->has_origin = session_.has_origin();
    all->origin = session_.origin();
    for (const auto& [id, source] : session_.sources()) all->sources.push_back(source);
    for (const auto& [id, thread] : session_.threads()) all->threads.push_back(thread);
    all->clock = session_.snapshots();
    all->health = session_.health();
    all->watermark = session_.watermark();
    all->begins_late = session_.begins_late();
    for (const store::Lane* lane : session_.lanes()) {
        if (lane->pages() == nullptr) continue;
        Contents::Lane copy{lane->channel(), *lane->pages(), {}};
        for (const store::Gap& gap : lane->gaps()) {
            if (gap.index < copy.pages.rows()) copy.gaps.add(gap);
        }
        all->lanes.push_back(std::move(copy));
    }
    return all;
}

std::function<void(store::Session&)> Spill::loader(std::shared_ptr<const Contents> contents,
                                                   std::size_t wanted_cache) const {
    const std::size_t cache = std::min(wanted_cache, cache_bytes(aim_bytes_));
    return [all = std::move(contents), file = file_, cache](store::Session& session) {
        if (all->has_origin) session.set_origin(all->origin);
        session.set_health(all->health);
        for (const store::Source& source : all->sources) session.add_source(source);
        for (const store::Thread& thread : all->threads) session.add_thread(thread);
        for (const time::ClockSnapshot& snapshot : all->clock) session.add_clock(0, snapshot);
        session.set_watermark(all->watermark);
        if (all->begins_late) session.set_begins_late();
        const auto reader = std::make_shared<PageReader>(file, session, cache);
        for (const Contents::Lane& lane : all->lanes) {
            session.add_channel(lane.channel)
                .set_pages(std::shared_ptr<const store::PageTable>(all, &lane.pages), *reader, lane.gaps);
        }
        session.hold(reader);
    };
}

std::function<void(store::Session&)> Spill::another(std::size_t wanted_cache) const {
    {
        const std::lock_guard lock(mutex_);
        if (forgotten_ == 0 || written_ < forgotten_ + sealed_.size()) return {};
    }
    return loader(contents(), wanted_cache);
}

std::function<void(store::Session&)> Spill::snapshot(std::size_t wanted_cache, std::uint64_t until) {
    if (forgotten_ == 0) return {};
    if (!pending_ || pending_->until < until) {
        for (store::Lane* lane : session_.lanes()) {
            if (!lane->tail().empty() && lane->tail().tick(lane->tail().first_index()) <= until) seal(*lane);
        }
        ask_for_all();
        pending_ = {contents(), forgotten_ + sealed_.size(), until};
    }
    {
        const std::lock_guard lock(mutex_);
        if (written_ < pending_->pages) return {};
    }
    return loader(std::exchange(pending_, std::nullopt)->contents, wanted_cache);
}

}  // namespace sla::ingest
