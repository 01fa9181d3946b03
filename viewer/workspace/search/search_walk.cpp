#include "viewer/workspace/search/search_walk.h"

#include "viewer/analysis/event_walk.h"
#include "viewer/analysis/filter/hit_search.h"
#include "viewer/workspace/table/row_order.h"

#include <algorithm>
#include <unordered_map>

namespace sla::workspace {

namespace {

class TriggerWalk final : public SearchWalk {
public:
    TriggerWalk(const store::Session& session, const trigger::Trigger& trigger)
        : session_(session), search_(session, trigger) {}

    bool step(std::vector<Hit>& hits) override {
        const bool more = search_.step();
        for (; given_ < search_.hits().size(); ++given_) {
            const analysis::FoundHit& found = search_.hits()[given_];
            if (!details_ || details_->what != found.what)
                details_ = std::make_shared<const HitDetails>(HitDetails{found.what, {}});
            const bool is_one_more = given_ > 0 && search_.hits()[given_ - 1].tick == found.tick;
            number_at_tick_ = is_one_more ? number_at_tick_ + 1 : 0;
            hits.push_back({found.tick, nullptr, number_at_tick_, details_, 0, found.certain});
        }
        return more;
    }

    [[nodiscard]] double progress() const override {
        const std::uint64_t first = session_.first_tick();
        const std::uint64_t last = session_.last_tick();
        if (search_.looked_until() >= last) return 1;
        return search_.looked_until() <= first
                   ? 0
                   : static_cast<double>(search_.looked_until() - first) / static_cast<double>(last - first);
    }

private:
    const store::Session& session_;
    analysis::HitSearch search_;
    std::size_t given_ = 0;
    std::shared_ptr<const HitDetails> details_;  // of the last one: there are few stages
    std::uint64_t number_at_tick_ = 0;           // of the last hit, among those at one tick
};

// Rows on their way to another order.
class OrderedWalk {
public:
    explicit OrderedWalk(const ColumnOrder& order)
        : column_(order.column), rows_(SearchWalk::kMaxOrdered, RowBefore{order.descending}) {}

    void take(const store::RowRef& place) {
        const auto [last, is_first] = last_of_lane_.try_emplace(place.lane, 0);
        RowToOrder row{place, rows_.added(), std::nullopt, std::nullopt};
        Row kept{place, last_, std::nullopt};
        if (last_) row.before_tick = last_->tick;
        if (!is_first) row.before_in_lane_tick = kept.in_lane_tick = last->second;
        rows_.add(key_of(column_, row), kept);
        last->second = place.tick;
        last_ = place;
    }
    void give(std::vector<Hit>& hits) {
        if (rows_.added() == given_rows_) return;
        given_rows_ = rows_.added();
        hits.clear();
        for (const Row& row : rows_.in_order()) {
            hits.push_back({row.place.tick, row.place.lane, row.place.index,
                            std::make_shared<const HitDetails>(HitDetails{{}, {row.before, row.in_lane_tick}})});
        }
    }

private:
    struct Row {
        store::RowRef place;
        std::optional<store::RowRef> before;
        std::optional<std::uint64_t> in_lane_tick;
    };

    std::size_t column_;
    OrderedRows<Row> rows_;
    std::optional<store::RowRef> last_;
    std::unordered_map<const store::Lane*, std::uint64_t> last_of_lane_;  // its tick
    std::uint64_t given_rows_ = 0;
};

// What is final now is walked over in one go, what became so meanwhile in the next one.
class EventsWalk final : public SearchWalk {
public:
    EventsWalk(const store::Session& session, const SearchPlan& plan) : session_(session), plan_(plan) {
        selection_.filter = plan.asks_losses ? plan.condition->with_losses() : plan.condition;
        if (plan.order) ordered_.emplace(*plan.order);
    }

    bool step(std::vector<Hit>& hits) override {
        const bool more = walk_on(hits);
        if (!more && ordered_) ordered_->give(hits);
        return more;
    }

    [[nodiscard]] double progress() const override { return rows_ ? rows_->progress() : 1; }

private:
    bool walk_on(std::vector<Hit>& hits) {
        if (!rows_ && !set_out()) return false;
        if (!rows_->look_on()) {
            rows_.reset();
            return set_out();
        }
        while (const auto place = rows_->next_ready()) take(*place, hits);
        return true;
    }

    bool set_out() {
        const std::uint64_t last = std::min(session_.final_tick(), std::max(session_.last_tick(), session_.watermark()));
        if (session_.lanes().empty() || (walked_until_ && last <= *walked_until_)) return false;
        selection_.lanes.clear();
        selection_.from = walked_until_ ? *walked_until_ + 1 : 0;
        selection_.until = last == store::kNever ? last : last + 1;
        is_named_.clear();
        for (const store::Lane* lane : session_.lanes()) {
            if (plan_.match && !plan_.match->may_match(*lane)) continue;
            selection_.lanes.push_back(lane);
            is_named_.push_back(plan_.match && plan_.match->matches_name(*lane));
        }
        walked_until_ = last;
        rows_ = std::make_unique<analysis::EventWalk>(session_, selection_, no_progress_);
        return true;
    }

    void take(const store::RowRef& place, std::vector<Hit>& hits) {
        if (plan_.match && !is_named_[rows_->lane()] && !plan_.match->matches(*place.lane, place.index, rows_->event())) {
            return;
        }
        const bool is_hidden = plan_.asks_losses && rows_->event().kind() == wire::Kind::kGap;
        if (is_hidden && !plan_.condition->may_hide(session_, place)) return;
        if (ordered_) return ordered_->take(place);
        const bool repeats = plan_.collapse && last_ && repeats_last(place);
        last_ = {place, rows_->event()};
        if (repeats) {
            hits.back().repeats++;
        } else {
            hits.push_back({place.tick, place.lane, place.index, nullptr, 0, !is_hidden});
        }
    }

    [[nodiscard]] bool repeats_last(const store::RowRef& place) const {
        const store::Event& one = last_->event;
        const store::Event other = rows_->event();
        return last_->place.lane == place.lane && last_->place.index + 1 == place.index && one.code == other.code &&
               one.value == other.value && one.thread == other.thread && one.kind() != wire::Kind::kGap &&
               place.lane->text(last_->place.index) == place.lane->text(place.index);
    }

    struct Row {
        store::RowRef place;
        store::Event event;
    };

    const store::Session& session_;
    const SearchPlan plan_;
    const analysis::Progress no_progress_;
    analysis::Selection selection_;  // what rows_ walks over
    std::unique_ptr<analysis::EventWalk> rows_;
    std::vector<bool> is_named_;  // by lane of the walk: every row is a hit
    std::optional<std::uint64_t> walked_until_;
    std::optional<Row> last_;  // hit
    std::optional<OrderedWalk> ordered_;
};

}  // namespace

std::unique_ptr<SearchWalk> make_search_walk(const store::Session& session, const SearchPlan& plan) {
    switch (plan.mode) {
        case SearchMode::kTrigger: return std::make_unique<TriggerWalk>(session, *plan.trigger);
        case SearchMode::kEverything:
        case SearchMode::kCondition:
        case SearchMode::kText: return std::make_unique<EventsWalk>(session, plan);
        case SearchMode::kNothing:
        case SearchMode::kWrong: return nullptr;
    }
    return nullptr;
}

}  // namespace sla::workspace
