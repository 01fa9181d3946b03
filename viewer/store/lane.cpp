#include "viewer/store/lane.h"

#include "proto/wire/formatter.h"

#include <algorithm>
#include <utility>

namespace sla::store {

void Lane::append(const wire::EventBatch& batch, std::size_t skip) {
    view_.reset();
    const auto first = batch.codes.begin() + static_cast<std::ptrdiff_t>(skip);
    const bool has_gaps = std::find(first, batch.codes.end(), SLA_CODE_GAP) != batch.codes.end();
    tail_.append(batch, skip, has_gaps ? &own_gaps() : nullptr);
    if (pages_ != nullptr) note_ended_spans();
}

GapTable& Lane::own_gaps() {
    view_.reset();
    if (std::exchange(are_gaps_shared_, false)) gaps_ = std::make_shared<GapTable>(*gaps_);
    return *gaps_;
}

PageTable& Lane::own_pages() {
    view_.reset();
    if (std::exchange(are_pages_shared_, false)) pages_ = growing_ = std::make_shared<PageTable>(*growing_);
    return *growing_;
}

void Lane::append_gap(std::uint64_t tick, std::uint64_t until_tick, std::uint64_t lost, std::uint32_t thread,
                      wire::LossCause cause) {
    Gap gap;
    gap.tick = tick;
    gap.until_tick = until_tick;
    gap.lost = lost;
    gap.cause = cause;
    tail_.append_gap(gap, thread, &own_gaps());
    if (pages_ != nullptr) note_ended_spans();
}

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
    view_.reset();
    find_ends_of_pages();
    RunStart start;
    start.index = pages_->rows();
    start.span_id = pages_->spans();
    start.level = pages_->level_at_end().level;
    start.open = std::move(open);
    tail_ = Run(start);
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

void Lane::merge_forgotten() {
    if (growing_ == nullptr || growing_->pages().size() < kept_.size() + 2) return;
    pages_ = growing_ = std::make_shared<PageTable>(growing_->merged(growing_->pages().size() - kept_.size()));
    are_pages_shared_ = false;
    view_.reset();
}

std::shared_ptr<const LaneView> Lane::view() const {
    if (view_ != nullptr) return view_;
    are_gaps_shared_ = true;
    are_pages_shared_ = growing_ != nullptr;
    return view_ = std::make_shared<const LaneView>(
               LaneView{channel_, pages_, gaps_, tail_.start(), tail_.rows().shared(), begins_late_});
}

void Lane::show(std::shared_ptr<const LaneView> view, PageSource* source) {
    SLA_CHECK(kept_.empty() && view->rows.end_index() >= size());
    if (view_ == view) return;
    hot_.reset();
    hot_rows_ = 0;
    channel_ = view->channel;
    gaps_ = std::const_pointer_cast<GapTable>(view->gaps);
    are_gaps_shared_ = true;
    pages_ = view->pages;
    source_ = source;
    begins_late_ = view->begins_late;
    if (pages_ != nullptr) find_ends_of_pages();
    tail_ = Run(view->start, view->rows.shared());
    view_ = std::move(view);
}

void Lane::note_ended_spans() {
    for (const std::uint64_t id : tail_.take_ended_before()) {
        if (growing_ != nullptr) own_pages().close(id, tail_.spans()[id]);
    }
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

std::uint64_t Lane::first_tick() const {
    if (pages_ != nullptr) return pages_->pages().front().first_tick;
    return empty() ? 0 : tail_.tick(0);
}

std::uint64_t Lane::lower_bound(std::uint64_t wanted, std::uint64_t from) const {
    if (wanted > paged_until_ || from >= tail_.first_index()) {
        return tail_.lower_bound(wanted, std::max(from, tail_.first_index()));
    }
    if (pages_ == nullptr) return tail_.lower_bound(wanted, from);
    if (from - hot_first_ < hot_rows_ && hot_->last_tick() >= wanted) return hot_->lower_bound(wanted, from);
    const std::size_t at = pages_->page_at(wanted);
    const Page& page = pages_->pages()[at];
    if (page.end() <= from) return from;
    if (page.first_tick >= wanted) return std::max(from, page.first);
    return page_run(at).lower_bound(wanted, std::max(from, page.first));
}

std::uint64_t Lane::least_before(std::uint64_t wanted) const {
    if (pages_ == nullptr || wanted > paged_until_) return tail_.lower_bound(wanted, tail_.first_index());
    return pages_->pages()[pages_->page_at(wanted)].first;
}

std::uint64_t Lane::most_before(std::uint64_t wanted) const {
    if (pages_ == nullptr || wanted > paged_until_) return tail_.lower_bound(wanted, tail_.first_index());
    const Page& page = pages_->pages()[pages_->page_at(wanted)];
    return page.first_tick >= wanted ? page.first : page.end();
}

bool Lane::are_rows_known_at(std::uint64_t wanted) const {
    return pages_ == nullptr || wanted > paged_until_ || pages_->pages()[pages_->page_at(wanted)].first_tick > wanted;
}

Summary Lane::summarize(std::uint64_t from, std::uint64_t until) const {
    const std::uint64_t first = lower_bound(from);
    return summarize_indices(first, until <= from ? first : lower_bound(until, first));
}

Summary Lane::summarize_indices(std::uint64_t first, std::uint64_t last) const {
    Summary sum;
    sum.last = std::min(last, size());
    sum.first = std::min(first, sum.last);
    const GapTable::Sum gaps = gaps_->sum(sum.first, sum.last);
    sum.gaps = gaps.gaps;
    sum.lost = gaps.lost;
    sum.events = sum.last - sum.first - sum.gaps;
    if (has_values() || has_levels()) {
        const ValueRange range = range_of(sum.first, sum.last);
        sum.has_value = range.any;
        sum.min = range.min;
        sum.max = range.max;
    }
    return sum;
}

ValueRange Lane::range_of(std::uint64_t first, std::uint64_t last) const {
    ValueRange total;
    const std::uint64_t tail = tail_.first_index();
    if (first < tail && first < last) {
        std::size_t begin = pages_->page_of(first);
        std::size_t end = last >= tail ? pages_->pages().size() : pages_->page_of(last);
        const auto part = [&](std::size_t page) {
            const Page& of = pages_->pages()[page];
            total.absorb(page_run(page).range_of(std::max(first, of.first), std::min(last, of.end())));
        };
        if (begin == end) {
            part(begin);
            return total;
        }
        if (first > pages_->pages()[begin].first) part(begin++);
        total.absorb(pages_->values(begin, end));
        if (last < tail && last > pages_->pages()[end].first) part(end);
    }
    if (last > tail) total.absorb(tail_.range_of(std::max(first, tail), last));
    return total;
}

void Lane::append_text(std::uint64_t index, std::string& out) const {
    const Run& run = run_of(index);
    if (run[index].code == SLA_CODE_GAP) {
        const Gap* gap = gap_at(index);
        if (gap != nullptr) out += wire::loss_cause_name(gap->cause);
        return;
    }
    if (const std::string* text = run.text(index)) {
        out += *text;
        return;
    }
    if (channel().format.empty()) return;
    const auto words = run.details(index);
    wire::format_details(channel().format, words.data(), out);
}

std::string Lane::text(std::uint64_t index) const {
    std::string out;
    append_text(index, out);
    return out;
}

std::uint64_t Lane::memory_bytes() const {
    return tail_.memory_bytes() + kept_bytes_ + gaps_->all().size() * (sizeof(Gap) + 8) +
           (growing_ == nullptr ? 0 : growing_->memory_bytes());
}

}  // namespace sla::store
