#include "viewer/store/session_view.h"

#include "viewer/store/session.h"

#include <algorithm>
#include <utility>

namespace sla::store {

struct SessionView::State {
    std::shared_ptr<const SessionFacts> facts;
    std::uint64_t watermark = 0;
    PageSource::Another make_pages;  // empty: there are none
    std::vector<std::shared_ptr<const LaneView>> lanes;

    void open(Session& reader, std::size_t cache_bytes) const;
    static void show(Session& reader, const std::shared_ptr<const LaneView>& lane);
};

std::shared_ptr<SessionView::State> Session::begin_view() const {
    if (is_clock_stale_) fit_clock();
    if (viewed_facts_ == nullptr || viewed_revision_ != facts_revision_) {
        viewed_facts_ = std::make_shared<const SessionFacts>(facts_);
        viewed_revision_ = facts_revision_;
    }
    are_ledgers_shared_ = true;
    auto state = std::make_shared<SessionView::State>();
    state->facts = viewed_facts_;
    state->watermark = watermark_;
    if (page_source_ != nullptr) state->make_pages = page_source_->another();
    return state;
}

SessionView Session::view(const std::vector<const Lane*>& beside) const {
    auto state = begin_view();
    state->lanes.reserve(lanes_.size() + beside.size());
    for (const Lane* lane : lanes_) state->lanes.push_back(lane->view());
    for (const Lane* lane : beside) state->lanes.push_back(lane->view());
    return SessionView(std::move(state));
}

SessionView Session::view_of(const std::vector<ChannelId>& channels, const std::vector<const Lane*>& beside) const {
    auto state = begin_view();
    for (const ChannelId channel : channels) {
        if (const Lane* own = lane(channel); own != nullptr) state->lanes.push_back(own->view());
    }
    for (const Lane* lane : beside) {
        if (std::binary_search(channels.begin(), channels.end(), lane->channel().id)) state->lanes.push_back(lane->view());
    }
    return SessionView(std::move(state));
}

SessionView::Gathering::Gathering(const Session& session) : session_(session) {
    begin();
}

void SessionView::Gathering::begin() {
    state_ = session_.begin_view();
    lanes_.assign(session_.lanes().begin(), session_.lanes().end());
    state_->lanes.reserve(lanes_.size());
    next_ = 0;
}

// What is final of a session that has ended is all of it: then its lanes must be of one moment.
bool SessionView::Gathering::step(std::size_t lanes) {
    if (state_->facts->ended != session_.ended()) begin();
    const bool is_at_once = session_.ended();
    const std::size_t end = is_at_once ? lanes_.size() : std::min(lanes_.size(), next_ + lanes);
    for (; next_ < end; ++next_) state_->lanes.push_back(lanes_[next_]->view());
    return next_ == lanes_.size();
}

SessionView SessionView::Gathering::take() {
    return SessionView(std::exchange(state_, nullptr));
}

void SessionView::State::open(Session& reader, std::size_t cache_bytes) const {
    if (reader.viewed_facts_ != facts) {
        reader.facts_ = *facts;
        reader.are_ledgers_shared_ = true;
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
