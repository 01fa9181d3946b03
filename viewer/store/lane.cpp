#include "viewer/store/lane.h"

#include "proto/wire/formatter.h"

#include <algorithm>
#include <utility>

namespace sla::store {

void Lane::join(LaneChanges& changes, std::size_t place) {
    changes_ = &changes;
    change_.lane = this;
    change_.place = place;
    note_change();
}

// Its first tick stands once there is one, and its last never goes back.
void Lane::note_change() {
    view_.reset();
    if (changes_ == nullptr) return;
    LaneTotals totals;
    totals.events = events();
    if (gaps_->count() > 0) {
        totals.gaps = gaps_->all().size();
        totals.lost = lost();
        totals.not_kept = not_kept();
        totals.uncounted = uncounted_losses();
        totals.lost_in_rings = lost(wire::LossCause::kOverrun) + lost(wire::LossCause::kNoRing);
        totals.lost_by_reader = lost(wire::LossCause::kLagged);
        totals.lossy_lanes = totals.lost > 0 || totals.uncounted > 0 ? 1 : 0;
    }
    if (!change_.has_rows && !empty()) changes_->note_first_tick(first_tick());
    change_.has_rows = !empty();
    changes_->note_last_tick(last_tick());
    std::uint32_t shape = 0;  // of a view: an index is not made for it
    if (tail_.has_index()) shape = (has(wire::Kind::kValue) ? 1U << 16 : 0) | spans().rows();
    changes_->note(change_, totals, shape);
}

void Lane::append(const wire::EventBatch& batch, std::size_t skip) {
    const auto first = batch.codes.begin() + static_cast<std::ptrdiff_t>(skip);
    const bool has_gaps = std::find(first, batch.codes.end(), SLA_CODE_GAP) != batch.codes.end();
    tail_.append(batch, skip, has_gaps ? &own_gaps() : nullptr);
    if (pages_ != nullptr) note_ended_spans();
    note_change();
}

const std::shared_ptr<GapTable>& Lane::no_gaps() {
    static const auto kNone = std::make_shared<GapTable>();
    return kNone;
}

GapTable& Lane::own_gaps() {
    if (std::exchange(are_gaps_shared_, false)) gaps_ = std::make_shared<GapTable>(*gaps_);
    return *gaps_;
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
    note_change();
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
    note_change();
    view_ = std::move(view);
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
        const ValueRange all = range_of(sum.first, sum.last, Numbers::kAll);
        const ValueRange finite = all.is_finite() ? all : range_of(sum.first, sum.last, Numbers::kFinite);
        sum.has_value = finite.any;
        sum.min = finite.min;
        sum.max = finite.max;
        sum.has_above = all.has_above();
        sum.has_below = all.has_below();
    }
    return sum;
}

// The sums over a page know no finite range where they have infinite numbers: its rows do.
ValueRange Lane::range_of(std::uint64_t first, std::uint64_t last, Numbers which) const {
    ValueRange total;
    const auto add = [&](const Run& run, std::uint64_t begin, std::uint64_t end) {
        total.absorb(which == Numbers::kAll ? run.range_of(begin, end) : run.finite_range_of(begin, end));
    };
    const std::uint64_t tail = tail_.first_index();
    if (first < tail && first < last) {
        std::size_t begin = pages_->page_of(first);
        std::size_t end = last >= tail ? pages_->pages().size() : pages_->page_of(last);
        const auto part = [&](std::size_t page) {
            const Page& of = pages_->pages()[page];
            add(page_run(page), std::max(first, of.first), std::min(last, of.end()));
        };
        if (begin == end) {
            part(begin);
            return total;
        }
        if (first > pages_->pages()[begin].first) part(begin++);
        if (which == Numbers::kAll) {
            total.absorb(pages_->values(begin, end));
        } else {
            for (std::size_t page = begin; page < end; ++page) {
                const ValueRange values = pages_->values(page, page + 1);
                if (values.is_finite())
                    total.absorb(values);
                else
                    part(page);
            }
        }
        if (last < tail && last > pages_->pages()[end].first) part(end);
    }
    if (last > tail) add(tail_, std::max(first, tail), last);
    return total;
}

void Lane::append_text(std::uint64_t index, std::string& out) const {
    const Run& run = run_of(index);
    if (run[index].code == SLA_CODE_GAP) {
        const Gap* gap = gap_at(index);
        out += wire::loss_cause_name(gap != nullptr ? gap->cause : wire::LossCause::kDamaged);
        return;
    }
    if (const std::string_view text = run.text(index); !text.empty()) {
        out += text;
        return;
    }
    if (channel().format.empty()) return;
    const wire::Details words = run.details(index);
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
