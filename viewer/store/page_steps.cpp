#include "viewer/store/page_steps.h"

#include "proto/base/heap_pages.h"
#include "viewer/store/lane.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace sla::store {

// Of steps at one tick the order does not matter: what counts is their sum.
bool PageSteps::is_before(const Step& a, const Step& b) {
    return a.tick < b.tick;
}

// As std::merge does, but without a branch for every step: which of two lanes comes next nobody foresees.
PageSteps::Step* PageSteps::merge_two(const Step* a, const Step* end_a, const Step* b, const Step* end_b, Step* out) {
    while (a != end_a && b != end_b) {
        const bool is_b = is_before(*b, *a);
        *out++ = *(is_b ? b : a);
        b += is_b ? 1 : 0;
        a += is_b ? 0 : 1;
    }
    return std::copy(b, end_b, std::copy(a, end_a, out));
}

void PageSteps::refresh(const std::vector<const Lane*>& lanes) {
    std::vector<const Lane*> paged;
    std::copy_if(lanes.begin(), lanes.end(), std::back_inserter(paged),
                 [](const Lane* lane) { return lane->pages() != nullptr; });
    if (paged != lanes_) {
        lanes_ = std::move(paged);
        pages_.assign(lanes_.size(), 0);
        begins_.clear();
        ends_.clear();
    }
    const std::size_t known = begins_.size();
    std::vector<std::size_t> bounds;
    std::size_t all = known;
    for (std::size_t i = 0; i < lanes_.size(); ++i) all += lanes_[i]->pages()->pages().size() - pages_[i];
    if (known == 0) {  // later they grow by a few at a time
        begins_.reserve(all);
        ends_.reserve(all);
    }
    if (all == known) return;
    const auto scratch = std::make_unique_for_overwrite<Step[]>(all - known);
    spread_huge_pages();
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const PageColumns& pages = lanes_[i]->pages()->pages();
        bounds.push_back(begins_.size());
        for (std::size_t& at = pages_[i]; at < pages.size(); ++at) {
            begins_.push_back({pages[at].first_tick, pages[at].rows});
            ends_.push_back({pages[at].last_tick, pages[at].rows});
        }
    }
    bounds.push_back(begins_.size());
    merge(begins_, bounds, scratch.get());
    merge(ends_, bounds, scratch.get());
    sort_in(begins_, known);
    sort_in(ends_, known);
}

// Between two bounds steps are in order: those of a lane. Merged by twos, which is a fifth of what sorting takes.
void PageSteps::merge(std::vector<Step>& steps, std::vector<std::size_t> bounds, Step* scratch) {
    const std::size_t first = bounds.front();
    Step* from = steps.data() + first;
    Step* to = scratch;
    while (bounds.size() > 2) {
        std::vector<std::size_t> fewer;
        Step* out = to;
        for (std::size_t i = 0; i + 1 < bounds.size(); i += 2) {
            const Step* const begin = from + (bounds[i] - first);
            const Step* const middle = from + (bounds[i + 1] - first);
            const Step* const end = i + 2 < bounds.size() ? from + (bounds[i + 2] - first) : middle;
            out = merge_two(begin, middle, middle, end, out);
            fewer.push_back(bounds[i]);
        }
        fewer.push_back(bounds.back());
        bounds = std::move(fewer);
        std::swap(from, to);
    }
    if (from == scratch) std::copy(scratch, scratch + (steps.size() - first), steps.data() + first);
}

// The steps from `known` on are new, in order, and stand for their own rows; the others are in order and added up. New ones
// mostly belong near the end, so that only a few are looked at.
void PageSteps::sort_in(std::vector<Step>& steps, std::size_t known) {
    const auto begin_new = steps.begin() + static_cast<std::ptrdiff_t>(known);
    const auto first =
        known == steps.size() ? steps.end() : std::lower_bound(steps.begin(), begin_new, *begin_new, is_before);
    std::uint64_t rows = first == steps.begin() ? 0 : (first - 1)->rows;
    std::uint64_t before = rows;
    for (auto at = first; at != begin_new; ++at) at->rows -= std::exchange(before, at->rows);
    std::inplace_merge(first, begin_new, steps.end(), is_before);
    for (auto at = first; at != steps.end(); ++at) at->rows = rows += at->rows;
}

std::uint64_t PageSteps::before(const std::vector<Step>& steps, std::uint64_t tick) {
    const auto at = std::lower_bound(steps.begin(), steps.end(), Step{tick, 0}, is_before);
    return at == steps.begin() ? 0 : (at - 1)->rows;
}

std::uint64_t PageSteps::beyond(const std::vector<Step>& steps, std::uint64_t row) {
    const auto at = std::partition_point(steps.begin(), steps.end(), [=](const Step& step) { return step.rows <= row; });
    return at == steps.end() ? kNever : at->tick;
}

}  // namespace sla::store
