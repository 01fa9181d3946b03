#include "viewer/analysis/text_counts.h"

#include "viewer/analysis/chunk_walk.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

namespace sla::analysis {

namespace {

constexpr std::size_t kTextBlock = std::size_t{1} << 20;

}  // namespace

void TextCounts::look_up() {
    while ((taken_ + waits_) * 2 > slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    std::array<std::uint64_t, kAtOnce> hashes;
    for (std::size_t i = 0; i < waits_; ++i) {
        hashes[i] = std::hash<std::string_view>()(waiting_[i]);
        __builtin_prefetch(&slots_[hashes[i] & mask]);
    }
    for (std::size_t i = 0; i < waits_; ++i) __builtin_prefetch(slots_[hashes[i] & mask].text);
    for (std::size_t i = 0; i < waits_; ++i) {
        std::vector<std::uint64_t>& counts = counts_[lanes_[i]];
        const std::uint32_t number = slot_for(hashes[i], waiting_[i]).number;
        if (number >= counts.size()) counts.resize(taken_);
        ++counts[number];
        waiting_[i].clear();
    }
    waits_ = 0;
}

const TextCounts::Slot& TextCounts::slot_for(std::uint64_t hash, std::string_view text) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
        Slot& slot = slots_[at];
        if (slot.text == nullptr) {
            slot = {hash, kept(text), static_cast<std::uint32_t>(text.size()), taken_++};
            return slot;
        }
        if (slot.hash == hash && std::string_view(slot.text, slot.length) == text) return slot;
    }
}

void TextCounts::grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
        if (slot.text == nullptr) continue;
        std::size_t at = slot.hash & mask;
        while (slots_[at].text != nullptr) at = (at + 1) & mask;
        slots_[at] = slot;
    }
}

const char* TextCounts::kept(std::string_view text) {
    if (text.empty()) return "";
    if (text.size() > free_bytes_) {
        free_bytes_ = std::max(text.size(), kTextBlock);
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(free_bytes_));
        free_ = blocks_.back().get();
    }
    char* const at = free_;
    std::memcpy(at, text.data(), text.size());
    free_ += text.size();
    free_bytes_ -= text.size();
    return at;
}

std::uint64_t TextCounts::total(std::size_t lane) const {
    return std::accumulate(counts_[lane].begin(), counts_[lane].end(), std::uint64_t{0});
}

std::vector<TextCounts::Counted> TextCounts::most_frequent(std::size_t lane, std::size_t most) const {
    const std::vector<std::uint64_t>& counts = counts_[lane];
    std::vector<Counted> all;
    for (const Slot& slot : slots_) {
        if (slot.text != nullptr && slot.number < counts.size() && counts[slot.number] > 0)
            all.push_back({{slot.text, slot.length}, counts[slot.number]});
    }
    const std::size_t wanted = most == 0 ? all.size() : std::min(most, all.size());
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(wanted);
    const auto is_before = [](const Counted& a, const Counted& b) {
        return a.count != b.count ? a.count > b.count : a.text < b.text;
    };
    if (wanted < all.size()) std::nth_element(all.begin(), end, all.end(), is_before);
    std::sort(all.begin(), end, is_before);
    all.erase(end, all.end());
    return all;
}

namespace {

// One lane of those whose texts are counted.
struct TextWalk {
    void pass(const store::Page& /*page*/, const IntervalSums& /*sums*/) {}  // which have no texts
    void go_on(std::uint64_t row, std::uint64_t /*span*/) {
        for (; at < std::min(row, end) && lane->tick(at) < until; ++at) {
            if ((*lane)[at].kind() == wire::Kind::kGap) continue;
            (*append)(*lane, at, counts->next());
            counts->add(number);
        }
    }

    TextCounts* counts;
    const AppendText* append;
    std::size_t number;
    const store::Lane* lane;
    std::uint64_t until;
    std::uint64_t at;
    std::uint64_t end;
};

}  // namespace

TextCounts count_texts(const store::Session& session, const Selection& selection, const AppendText& append,
                       const std::function<bool(double)>& progress) {
    TextCounts counts(selection.lanes.size());
    const ChunkPlan plan(session, selection, false);
    std::vector<TextWalk> walks;
    for (std::size_t i = 0; i < selection.lanes.size(); ++i) {
        const store::Lane* const lane = selection.lanes[i];
        walks.push_back({&counts, &append, i, lane, selection.until, lane->lower_bound(selection.from), lane->size()});
    }
    walk_chunks(plan, walks, progress);
    counts.finish();
    return counts;
}

}  // namespace sla::analysis
