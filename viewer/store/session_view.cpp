#include "viewer/store/session_view.h"

#include "viewer/store/session.h"

#include <algorithm>

namespace sla::store {

struct SessionView::State {
    std::shared_ptr<const SessionFacts> facts;
    std::uint64_t watermark = 0;
    PageSource::Another make_pages;  // empty: there are none
    std::vector<std::shared_ptr<const LaneView>> lanes;

    void open(Session& reader, std::size_t cache_bytes) const;
    static void show(Session& reader, const std::shared_ptr<const LaneView>& lane);
};

SessionView Session::view(const std::vector<const Lane*>& beside) const {
    if (is_clock_stale_) fit_clock();
    if (viewed_facts_ == nullptr || viewed_revision_ != facts_revision_) {
        viewed_facts_ = std::make_shared<const SessionFacts>(facts_);
        viewed_revision_ = facts_revision_;
    }
    auto state = std::make_shared<SessionView::State>();
    state->facts = viewed_facts_;
    state->watermark = watermark_;
    if (page_source_ != nullptr) state->make_pages = page_source_->another();
    state->lanes.reserve(lanes_.size() + beside.size());
    for (const Lane* lane : lanes_) state->lanes.push_back(lane->view());
    for (const Lane* lane : beside) state->lanes.push_back(lane->view());
    return SessionView(std::move(state));
}

void SessionView::State::open(Session& reader, std::size_t cache_bytes) const {
    if (reader.viewed_facts_ != facts) {
        reader.facts_ = *facts;
        reader.viewed_facts_ = facts;
        reader.is_clock_stale_ = false;
        reader.wall_.reset();
    }
    reader.set_watermark(watermark);
    if (reader.page_source_ == nullptr && make_pages) reader.hold(make_pages(reader, cache_bytes));
}

void SessionView::State::show(Session& reader, const std::shared_ptr<const LaneView>& lane) {
    Lane* known = reader.lane(lane->channel->id);
    if (known == nullptr) known = &reader.add_channel(*lane->channel);
    known->show(lane, reader.page_source());
}

void SessionView::open(Session& reader, std::size_t cache_bytes) const {
    state_->open(reader, cache_bytes);
    for (const auto& lane : state_->lanes) State::show(reader, lane);
}

void SessionView::open(Session& reader, std::size_t cache_bytes, const std::vector<ChannelId>& channels) const {
    state_->open(reader, cache_bytes);
    for (const auto& lane : state_->lanes) {
        if (std::binary_search(channels.begin(), channels.end(), lane->channel->id)) State::show(reader, lane);
    }
}

}  // namespace sla::store
