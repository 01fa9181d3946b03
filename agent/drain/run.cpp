#include "agent/drain/run.h"

#include "proto/base/check.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sla::drain {
namespace {

// With zeros.
void extend(Column<std::uint64_t>& column, std::size_t size) {
    const std::size_t before = column.size();
    if (before >= size) return;
    column.resize(size);
    std::fill(column.begin() + static_cast<std::ptrdiff_t>(before), column.end(), 0);
}

void erase_front(Column<std::uint64_t>& column, std::size_t count) {
    column.erase(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(std::min(count, column.size())));
}

}  // namespace

Run::Columns Run::grow(std::size_t count, bool with_details) {
    reclaim();
    std::size_t old = ticks_.size();
    ticks_.resize(old + count);
    codes_.resize(old + count);
    values_.resize(old + count);
    Columns columns{ticks_.data() + old, codes_.data() + old, values_.data() + old, {}};
    if (!with_details) return columns;
    for (std::size_t word = 0; word < details_.size(); word++) {
        extend(details_[word], old);
        details_[word].resize(old + count);
        columns.details[word] = details_[word].data() + old;
    }
    return columns;
}

void Run::shrink(std::size_t count) {
    SLA_CHECK(count <= size());
    ticks_.resize(ticks_.size() - count);
    codes_.resize(ticks_.size());
    values_.resize(ticks_.size());
    for (auto& column : details_) column.resize(std::min(column.size(), ticks_.size()));
    texts_.drop_from(first_ordinal_ + ticks_.size());
}

void Run::drop_details(std::size_t word, std::size_t count) {
    SLA_CHECK(count <= size());
    details_[word].resize(std::min(details_[word].size(), ticks_.size() - count));
}

void Run::set_details(const wire::Details& words) {
    for (std::size_t word = 0; word < words.size(); word++) {
        if (words[word] == 0) continue;
        extend(details_[word], ticks_.size());
        details_[word].back() = words[word];
    }
}

wire::Details Run::details_at(std::size_t at) const {
    wire::Details words{};
    for (std::size_t word = 0; word < words.size(); word++) {
        if (at < details_[word].size()) words[word] = details_[word][at];
    }
    return words;
}

Run::Rows Run::rows() const {
    Rows rows{ticks_.data() + begin_, codes_.data() + begin_, values_.data() + begin_, size(), {}, {}};
    for (std::size_t word = 0; word < details_.size(); word++) {
        if (details_[word].size() <= begin_) continue;
        rows.detail_count[word] = details_[word].size() - begin_;
        rows.details[word] = details_[word].data() + begin_;
    }
    return rows;
}

wire::Extra& Run::next_extra(std::size_t from_end) {
    SLA_CHECK(from_end >= 1 && from_end <= ticks_.size());
    if (end_extra_ == extras_.size()) extras_.emplace_back();
    Attached& next = extras_[end_extra_++];
    next.ordinal = first_ordinal_ + ticks_.size() - from_end;
    next.extra = {};
    return next.extra;
}

std::uint64_t Run::open_gap(std::uint64_t tick) {
    add(tick, SLA_CODE_GAP, 0);
    attach(1, {});
    return first_ordinal_ + ticks_.size() - 1;
}

void Run::settle_gap(std::uint64_t row, wire::LossCause cause, std::uint64_t count, std::uint64_t until_tick) {
    const std::size_t at = row - first_ordinal_;
    SLA_CHECK(row >= first_ordinal_ && at < ticks_.size() && codes_[at] == SLA_CODE_GAP);
    values_[at] = count;
    wire::Extra& extra = *find_extra(row);
    extra.cause = cause;
    // A single moment is marked by the tick behind it: readers take an end at the row's own tick for an unknown one.
    extra.until_tick = until_tick < ticks_[at] ? 0 : std::max(until_tick, ticks_[at] + 1);
}

wire::Extra* Run::find_extra(std::uint64_t ordinal) {
    const auto end = extras_.begin() + static_cast<std::ptrdiff_t>(end_extra_);
    const auto found = std::lower_bound(extras_.begin() + static_cast<std::ptrdiff_t>(first_extra_), end, ordinal,
                                        [](const Attached& at, std::uint64_t wanted) { return at.ordinal < wanted; });
    return found != end && found->ordinal == ordinal ? &found->extra : nullptr;
}

void Run::sort() {
    if (std::is_sorted(ticks_.begin() + static_cast<std::ptrdiff_t>(begin_), ticks_.end())) return;
    std::size_t count = size();
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), begin_);
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return ticks_[a] < ticks_[b]; });
    Run sorted(thread_);
    sorted.first_ordinal_ = first_ordinal_ + begin_;
    for (std::size_t from : order) {
        sorted.add(ticks_[from], codes_[from], values_[from]);
        sorted.set_details(details_at(from));
        const std::uint64_t ordinal = first_ordinal_ + from;
        wire::Extra* const extra = find_extra(ordinal);
        if (extra != nullptr) sorted.attach(1, *extra);
        sorted.attach_text(1, texts_.of(ordinal));
    }
    *this = std::move(sorted);
}

std::size_t Run::count_up_to(std::uint64_t tick) const {
    if (empty()) return 0;
    if (ticks_.back() <= tick) return size();
    // Where few of many are meant: a piece of a merge. The last event is beyond them, so none is looked for behind it.
    std::size_t reach = 1;
    while (begin_ + reach < ticks_.size() && ticks_[begin_ + reach] <= tick) reach *= 2;
    const auto from = ticks_.begin() + static_cast<std::ptrdiff_t>(begin_);
    const auto last = from + static_cast<std::ptrdiff_t>(std::min(reach, size()));
    return static_cast<std::size_t>(std::upper_bound(from + static_cast<std::ptrdiff_t>(reach / 2), last, tick) - from);
}

void Run::skip(std::size_t count) {
    SLA_CHECK(count <= size() && !has_extra_within(count) && !has_text_within(count));
    reclaim_extras();
    texts_.reclaim();
    begin_ += count;
}

void Run::give(std::size_t count, wire::EventBatch& out) {
    SLA_CHECK(count <= size());
    auto at = static_cast<std::ptrdiff_t>(begin_);
    auto n = static_cast<std::ptrdiff_t>(count);
    std::uint64_t ordinal = first_ordinal_ + begin_;
    for (; first_extra_ < end_extra_ && extras_[first_extra_].ordinal < ordinal + count; first_extra_++) {
        Attached& next = extras_[first_extra_];
        out.extras.push_back(next.extra);
        out.extras.back().position = static_cast<std::uint32_t>(out.size() + (next.ordinal - ordinal));
    }
    reclaim_extras();
    for (; texts_.has_before(ordinal + count); texts_.drop_oldest())
        out.texts.add(out.size() + (texts_.ordinal() - ordinal), texts_.text());
    texts_.reclaim();
    out.ticks.insert(out.ticks.end(), ticks_.begin() + at, ticks_.begin() + at + n);
    out.codes.insert(out.codes.end(), codes_.begin() + at, codes_.begin() + at + n);
    out.values.insert(out.values.end(), values_.begin() + at, values_.begin() + at + n);
    const std::size_t before = out.threads.size();
    for (std::size_t word = 0; word < details_.size(); word++) {
        if (details_[word].size() <= begin_) continue;
        const auto from = details_[word].begin() + at;
        out.details[word].resize(before);
        out.details[word].insert(out.details[word].end(), from,
                                 from + std::min(n, static_cast<std::ptrdiff_t>(details_[word].size() - begin_)));
    }
    out.threads.resize(before + count);
    std::fill_n(out.threads.data() + before, count, thread_);
    begin_ += count;
}

// What was given out makes space at the front: all of it, or half.
void Run::reclaim_extras() {
    if (first_extra_ < end_extra_ - first_extra_ || first_extra_ == 0) return;
    const auto begin = extras_.begin();
    std::rotate(begin, begin + static_cast<std::ptrdiff_t>(first_extra_), begin + static_cast<std::ptrdiff_t>(end_extra_));
    end_extra_ -= first_extra_;
    first_extra_ = 0;
    if (end_extra_ == 0 && extras_.capacity() > kWorthKeeping) extras_ = std::vector<Attached>();
}

// For what was in it since it was empty.
bool Run::is_too_big() {
    constexpr std::size_t kHardly = 8;  // a part of it
    const std::size_t capacity = ticks_.capacity();
    rounds_hardly_used_ = begin_ < capacity / kHardly ? rounds_hardly_used_ + 1 : 0;
    return capacity > kMostKept || (capacity > kWorthKeeping && rounds_hardly_used_ >= kRoundsKept);
}

void Run::give_back() {
    if (!empty()) return;
    extras_ = std::vector<Attached>();
    first_extra_ = end_extra_ = 0;
    texts_ = {};
    first_ordinal_ += begin_;
    begin_ = 0;
    rounds_hardly_used_ = 0;
    ticks_ = Column<std::uint64_t>();  // a `{}` would keep its memory
    codes_ = Column<std::uint8_t>();
    values_ = Column<std::uint64_t>();
    details_ = {};
}

// Frees the space of events given out, once that is everything or moves little.
void Run::reclaim() {
    constexpr std::size_t kWorthMoving = 4096;  // keeps what is in use within the second-level cache
    constexpr std::size_t kLittle = 256;        // one of thousands, of which each always has some rows that wait
    const bool is_worth_it = begin_ >= kWorthMoving ? size() <= begin_ : begin_ >= kLittle && size() <= begin_ / 4;
    if (begin_ == 0 || (!empty() && !is_worth_it)) return;
    if (empty() && is_too_big()) return give_back();
    auto n = static_cast<std::ptrdiff_t>(begin_);
    ticks_.erase(ticks_.begin(), ticks_.begin() + n);
    codes_.erase(codes_.begin(), codes_.begin() + n);
    values_.erase(values_.begin(), values_.begin() + n);
    for (auto& column : details_) erase_front(column, begin_);
    first_ordinal_ += begin_;
    begin_ = 0;
}

}  // namespace sla::drain
