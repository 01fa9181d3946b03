#include "viewer/analysis/filter/lane_filter.h"

#include <algorithm>

namespace sla::analysis {

namespace {

using Node = EventFilter::Node;
using Field = EventFilter::Field;

// No value in the range fulfils the condition. Numbers round to double in order, so equal ones may differ, others may not.
bool lies_outside(const Node& node, const store::ValueRange& values) {
    if (node.compare == EventFilter::Compare::kNotEqual || node.compare == EventFilter::Compare::kGlob) return false;
    if (!values.any) return true;
    const auto real = [](const EventFilter::Number& number) {
        return number.is_integer ? static_cast<double>(number.integer) : number.real;
    };
    const double low = real(node.low);
    const bool is_below = values.max < low;
    const bool is_above = values.min > (node.compare == EventFilter::Compare::kInside ? real(node.high) : low);
    switch (node.compare) {
        case EventFilter::Compare::kLess:
        case EventFilter::Compare::kLessEqual: return is_above;
        case EventFilter::Compare::kGreater:
        case EventFilter::Compare::kGreaterEqual: return is_below;
        default: return is_below || is_above;
    }
}

}  // namespace

LaneFilter::LaneFilter(const EventFilter& filter, const store::Session& session, const store::Lane& lane)
    : filter_(filter),
      session_(session),
      lane_(lane),
      answer_(fold(filter.nodes().size() - 1, nullptr)),
      columns_(filter, session, lane) {}

// Rows that cannot be read are losses, which no sum of the lane or its pages knows of.
bool LaneFilter::may_have(wire::Kind kind, const store::Page* page) const {
    const bool is_known = page == nullptr ? lane_.has(kind) : (page->kinds & store::kind_bit(kind)) != 0;
    if (is_known || kind != wire::Kind::kGap || lane_.pages() == nullptr) return is_known;
    return page == nullptr || is_unreadable(*page, store::PageSource::Look::kCheck);
}

bool LaneFilter::is_unreadable(const store::Page& page, store::PageSource::Look look) const {
    return lane_.unreadable_page(lane_.pages()->page_of(page.first), look).has_value();
}

LaneFilter::Answer LaneFilter::fold(std::size_t at, const store::Page* page) const {
    const Node& node = filter_.nodes()[at];
    switch (node.what) {
        case Node::What::kAnd:
        case Node::What::kOr: {
            const Answer stops = node.what == Node::What::kAnd ? Answer::kNever : Answer::kAlways;
            const Answer left = fold(node.left, page);
            const Answer right = fold(node.right, page);
            if (left == stops || right == stops) return stops;
            return left == right ? left : Answer::kAskEach;
        }
        case Node::What::kNot: {
            const Answer inside = fold(node.left, page);
            if (inside == Answer::kAskEach) return inside;
            return inside == Answer::kNever ? Answer::kAlways : Answer::kNever;
        }
        case Node::What::kCondition: break;
    }
    // Names are the same for every row of the lane.
    if (node.field == Field::kChannel || node.field == Field::kSource) {
        return filter_.node_matches(node, session_, {&lane_, 0, 0}, {}) ? Answer::kAlways : Answer::kNever;
    }
    if (node.field == Field::kKind && !may_have(node.kind, page)) {
        return node.compare == EventFilter::Compare::kEqual ? Answer::kNever : Answer::kAlways;
    }
    if (page == nullptr) return Answer::kAskEach;
    const store::ValueRange ticks{static_cast<double>(page->first_tick), static_cast<double>(page->last_tick), true};
    const bool is_outside = (node.field == Field::kValue && page->gaps == 0 && lies_outside(node, page->values) &&
                             !is_unreadable(*page, store::PageSource::Look::kKnown)) ||
                            (node.field == Field::kTick && lies_outside(node, ticks));
    return is_outside ? Answer::kNever : Answer::kAskEach;
}

LaneFilter::Answer LaneFilter::answer_for(const store::Page& page) const {
    return answer_ == Answer::kAskEach ? fold(filter_.nodes().size() - 1, &page) : answer_;
}

void LaneFilter::look_at_page(std::uint64_t index) {
    page_answer_ = answer_;
    page_first_ = index;
    page_end_ = store::kNever;
    is_far_ = false;
    if (index >= lane_.tail().first_index()) return;
    const std::size_t number = lane_.pages()->page_of(index);
    const store::Page& page = lane_.pages()->pages()[number];
    is_far_ = number + lane_.pages_in_memory() < lane_.pages()->pages().size();
    page_answer_ = answer_for(page);
    page_first_ = page.first;
    page_end_ = page.end();
    page_tick_ = page.first_tick;
    page_chunk_ = page.chunk;
}

PageHits::Answer LaneFilter::known() const {
    if (hits_ == nullptr || !is_far_) return {PageHits::Answer::What::kCannotTell};
    return hits_->hits(number_, page_chunk_);
}

std::uint64_t LaneFilter::next_of(const std::vector<std::uint32_t>& rows, std::uint64_t from) const {
    const auto at = std::lower_bound(rows.begin(), rows.end(), from - page_first_);
    return at == rows.end() ? page_end_ : page_first_ + *at;
}

std::uint64_t LaneFilter::next_of_columns(std::uint64_t from, std::uint64_t until) {
    while (from < until) {
        if (from < block_first_ || from >= block_end_) {
            store::Columns rows = lane_.columns_from(from);
            rows.rows = std::min(rows.rows, ColumnFilter::kBlock);
            columns_.match(rows, from, block_);
            block_first_ = from;
            block_end_ = from + rows.rows;
        }
        const std::uint64_t end = std::min(until, block_end_);
        const auto hit = std::find(block_.begin() + (from - block_first_), block_.begin() + (end - block_first_), 1);
        from = block_first_ + static_cast<std::uint64_t>(hit - block_.begin());
        if (from < end) return from;
    }
    return until;
}

store::MergedRows::Chosen::Candidate LaneFilter::next_possible(std::uint64_t from, std::uint64_t until) {
    using What = PageHits::Answer::What;
    if (answer_ == Answer::kNever) return {until};
    while (from < until) {
        if (from < page_first_ || from >= page_end_) look_at_page(from);
        if (page_answer_ == Answer::kAlways) return {from};
        if (page_answer_ == Answer::kAskEach) {
            const PageHits::Answer answer = known();
            if (answer.what == What::kCannotTell) return {from};
            if (answer.what == What::kNotLooked) return {from, false, page_tick_};
            from = next_of(*answer.rows, from);
            if (from < page_end_) return {std::min(from, until)};
        }
        from = std::min(until, page_end_);
    }
    return {until};
}

std::uint64_t LaneFilter::next(std::uint64_t from, std::uint64_t until) {
    if (answer_ == Answer::kNever) return until;
    while (from < until) {
        if (from < page_first_ || from >= page_end_) look_at_page(from);
        if (page_answer_ == Answer::kAlways) return from;
        const std::uint64_t end = std::min(until, page_end_);
        if (page_answer_ == Answer::kAskEach) {
            const PageHits::Answer answer = known();
            const bool is_known = answer.what == PageHits::Answer::What::kKnown;
            from = is_known ? std::min(end, next_of(*answer.rows, from)) : next_of_columns(from, end);
            if (from < end) return from;
        }
        from = end;
    }
    return until;
}

}  // namespace sla::analysis
