// A lane's pages: how they come to be, and what of them is in memory.
#include "viewer/store/lane.h"

#include <algorithm>
#include <utility>

namespace sla::store {

void Lane::set_pages(std::shared_ptr<const PageTable> pages, PageSource& source, GapTable gaps) {
    SLA_CHECK(empty() && !pages->pages().empty());
    pages_ = std::move(pages);
    source_ = &source;
    own_gaps() = std::move(gaps);
    std::vector<NumberedSpan> open;
    for (const NumberedSpan& one : pages_->crossing()) {
        if (one.span.state == SpanState::kOpen) open.push_back(one);
    }
    begin_tail(std::move(open));
}

void Lane::go_on(std::vector<NumberedSpan> open) {
    SLA_CHECK(pages_ != nullptr && growing_ == nullptr && tail_.empty());
    growing_ = std::make_shared<PageTable>(*pages_);  // others look at the one of the file
    pages_ = growing_;
    are_pages_shared_ = false;
    for (const NumberedSpan& one : open) {
        if (growing_->crossing_span(one.id) == nullptr) growing_->add_open(one);
    }
    begin_tail(std::move(open));
}

void Lane::find_ends_of_pages() {
    paged_until_ = pages_->last_tick();
    high_before_tail_ = pages_->level_at_end().high;
}

void Lane::begin_tail(std::vector<NumberedSpan> open) {
    find_ends_of_pages();
    RunStart start;
    start.index = pages_->rows();
    start.span_id = pages_->spans();
    start.level = pages_->level_at_end().level;
    start.open = std::move(open);
    tail_ = Run(start);
    note_change();
}

std::shared_ptr<const Run> Lane::seal(PageSource& source, std::uint32_t chunk) {
    SLA_CHECK(!tail_.empty() && (growing_ != nullptr || pages_ == nullptr));
    if (growing_ == nullptr) pages_ = growing_ = std::make_shared<PageTable>();
    PageTable& pages = own_pages();
    source_ = &source;
    auto run = std::make_shared<const Run>(std::move(tail_));
    const GapTable::Sum gaps = gaps_->sum(run->first_index(), run->end_index());
    Page page = page_of(*run);
    page.gaps = gaps.gaps;
    page.lost = gaps.lost;
    page.chunk = chunk;
    pages.add(page);
    const SpanTable& spans = run->spans();
    pages.add_extras(run->has_values(), run->has_texts(), spans.unmatched_ends(), spans.rows());
    std::vector<NumberedSpan> open = spans.still_open();
    for (const NumberedSpan& one : open) {
        if (one.id >= spans.first_id()) pages.add_open(one);
    }
    kept_bytes_ += run->memory_bytes();
    kept_.push_back(run);
    begin_tail(std::move(open));
    return run;
}

void Lane::forget_page() {
    SLA_CHECK(!kept_.empty());
    if (hot_ == kept_.front()) {
        hot_.reset();
        hot_rows_ = 0;
    }
    kept_bytes_ -= kept_.front()->memory_bytes();
    kept_.pop_front();
}

void Lane::forget_gaps(std::uint64_t tick) {
    if (gaps_->all().empty()) return;
    own_gaps().forget(kept_.empty() ? tail_.first_index() : kept_.front()->first_index(), tick);
    note_change();
}

void Lane::merge_forgotten() {
    if (growing_ == nullptr || growing_->pages().size() < kept_.size() + 2) return;
    pages_ = growing_ = std::make_shared<PageTable>(growing_->merged(growing_->pages().size() - kept_.size()));
    are_pages_shared_ = false;
    note_change();
}

PageTable& Lane::own_pages() {
    if (std::exchange(are_pages_shared_, false)) pages_ = growing_ = std::make_shared<PageTable>(*growing_);
    return *growing_;
}

void Lane::note_ended_spans() {
    for (const std::uint64_t id : tail_.take_ended_before()) {
        if (growing_ != nullptr) own_pages().close(id, tail_.spans()[id]);
    }
}

void Lane::let_go_page() const {
    if (hot_ != nullptr) source_->let_go(std::move(hot_));
    hot_ = nullptr;
    hot_rows_ = 0;
}

const Run& Lane::page_run(std::size_t page) const {
    if (hot_ == nullptr || hot_->first_index() != pages_->pages()[page].first) {
        if (hot_ != nullptr) source_->let_go(std::move(hot_));
        const std::size_t in_file = pages_->pages().size() - kept_.size();
        hot_ = page >= in_file ? kept_[page - in_file] : source_->load(channel().id, *pages_, page);
        hot_first_ = hot_->first_index();
        hot_rows_ = hot_->size();
    }
    return *hot_;
}

std::shared_ptr<const Run> Lane::find_page(std::size_t page) const {
    const std::size_t in_file = pages_->pages().size() - kept_.size();
    if (page >= in_file) return kept_[page - in_file];
    // Also of the page asked for last: another one may be asked for before it is needed again.
    return source_->find(channel().id, *pages_, page);
}

std::optional<Gap> Lane::unreadable_page(std::size_t page, PageSource::Look look) const {
    const Page of = pages_->pages()[page];
    const bool is_in_memory = page >= pages_->pages().size() - kept_.size();
    if (is_in_memory || of.gaps == of.rows || !source_->is_unreadable(channel().id, of.chunk, look)) return std::nullopt;
    Gap gap;
    gap.index = of.first;
    gap.tick = of.first_tick;
    for (const Gap* before = gap_at(gap.index); before != nullptr; before = gap_at(++gap.index)) gap.tick = before->tick;
    gap.until_tick = of.last_tick;
    gap.lost = of.rows - of.gaps;
    gap.cause = wire::LossCause::kDamaged;
    return gap;
}

bool Lane::is_here(std::uint64_t from, std::uint64_t until, std::size_t most_pages) const {
    if (pages_ == nullptr) return true;
    // Behind all pages: the row before may be the last page's, and its spans may go on.
    if (from > paged_until_)
        return (!tail_.empty() && !has(wire::Kind::kBegin)) || find_page(pages_->pages().size() - 1) != nullptr;
    std::size_t first = pages_->page_at(from);
    if (first > 0 && pages_->pages()[first].first_tick >= from) --first;
    const std::size_t end =
        std::min(pages_->page_at(until == kNever ? kNever : until + 1) + 1, pages_->pages().size() - kept_.size());
    if (first + most_pages < end) return false;
    bool all = true;
    for (std::size_t page = first; page < end; ++page) all = find_page(page) != nullptr && all;
    return all;
}

bool Lane::are_rows_here(std::uint64_t first, std::uint64_t last) const {
    bool all = true;
    for (std::uint64_t at = first; at < std::min(last, tail_.first_index());) {
        const std::size_t page = pages_->page_of(at);
        all = find_page(page) != nullptr && all;
        at = pages_->pages()[page].end();
    }
    return all;
}

}  // namespace sla::store
