#include "viewer/analysis/text_counts.h"

#include "proto/base/heap_pages.h"
#include "viewer/analysis/chunk_walk.h"

#include <sys/mman.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

namespace sla::analysis {

namespace {

constexpr std::size_t kTextBlock = std::size_t{1} << 20;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::uint64_t kLaneMix = 0x9e3779b97f4a7c15;
constexpr std::uint64_t kTextsAtOnce = std::uint64_t{2} << 20;

}  // namespace

// Many in huge pages: with small ones each look would miss the TLB, too.
TextCounts::Slots TextCounts::free_slots(std::size_t count) {
    const std::size_t bytes = count * sizeof(Slot);
    void* const memory = bytes < kHugePage ? std::malloc(bytes) : std::aligned_alloc(kHugePage, bytes);
    if (memory == nullptr) throw std::bad_alloc();
    if (bytes >= kHugePage) ::madvise(memory, bytes, MADV_HUGEPAGE);
    Slots slots(static_cast<Slot*>(memory));
    std::uninitialized_value_construct_n(slots.get(), count);
    return slots;
}

void TextCounts::look_up() {
    while ((taken_ + waits_) * 2 > size_) grow();
    std::array<std::uint64_t, kAtOnce> hashes;
    for (std::size_t i = 0; i < waits_; ++i) {
        hashes[i] = std::hash<std::string_view>()(waiting_[i]) ^ lanes_[i] * kLaneMix;
        __builtin_prefetch(&slots_[hashes[i] & (size_ - 1)], 1);
    }
    for (std::size_t i = 0; i < waits_; ++i) __builtin_prefetch(slots_[hashes[i] & (size_ - 1)].text);
    for (std::size_t i = 0; i < waits_; ++i) {
        count(hashes[i], waiting_[i], lanes_[i]);
        waiting_[i].clear();
    }
    waits_ = 0;
}

void TextCounts::count(std::uint64_t hash, std::string_view text, std::uint32_t lane) {
    std::size_t at = hash & (size_ - 1);
    const auto is_other = [&](const Slot& slot) {
        return slot.hash != hash || slot.text->lane != lane || slot.text->view() != text;
    };
    while (slots_[at].text != nullptr && is_other(slots_[at])) at = (at + 1) & (size_ - 1);
    if (slots_[at].text == nullptr) {
        slots_[at] = {hash, keep(text, lane)};
        ++taken_;
    }
    ++slots_[at].text->count;
}

void TextCounts::grow() {
    const Slots old = std::exchange(slots_, free_slots(2 * size_));
    const std::size_t old_size = std::exchange(size_, 2 * size_);
    for (std::size_t i = 0; i < old_size; ++i) {
        if (old[i].text == nullptr) continue;
        std::size_t at = old[i].hash & (size_ - 1);
        while (slots_[at].text != nullptr) at = (at + 1) & (size_ - 1);
        slots_[at] = old[i];
    }
}

TextCounts::Text* TextCounts::keep(std::string_view text, std::uint32_t lane) {
    const std::size_t bytes = (sizeof(Text) + text.size() + alignof(Text) - 1) / alignof(Text) * alignof(Text);
    if (bytes > free_bytes_) {
        free_bytes_ = std::max(bytes, kTextBlock);
        blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(free_bytes_));
        spread_huge_pages();
        free_ = blocks_.back().get();
    }
    Text* const kept = new (free_) Text{0, lane, static_cast<std::uint32_t>(text.size())};
    std::copy(text.begin(), text.end(), reinterpret_cast<char*>(kept + 1));
    free_ += bytes;
    free_bytes_ -= bytes;
    return kept;
}

std::vector<std::vector<TextCounts::Counted>> TextCounts::take(std::uint32_t lanes) {
    look_up();
    std::vector<std::size_t> sizes(lanes);
    for (std::size_t i = 0; i < size_; ++i) {
        if (slots_[i].text != nullptr) ++sizes[slots_[i].text->lane];
    }
    std::vector<std::vector<Counted>> all(lanes);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) all[lane].reserve(sizes[lane]);
    for (std::size_t i = 0; i < size_; ++i) {
        const Text* const text = slots_[i].text;
        if (text != nullptr) all[text->lane].push_back({text->view(), text->count});
    }
    return all;
}

namespace {

// One lane of those whose texts are counted.
struct TextWalk {
    void pass(const store::Page& /*page*/, const IntervalSums& /*sums*/) {}  // which have no texts
    void go_on(std::uint64_t row, std::uint64_t /*span*/) {
        for (row = std::min(row, lane->size()); at < row && lane->tick(at) < until; ++at) {
            if ((*lane)[at].kind() == wire::Kind::kGap) continue;
            (*append)(*lane, at, counts->next());
            counts->add(number);
        }
    }

    TextCounts* counts;
    const AppendText* append;
    std::uint32_t number;
    const store::Lane* lane;
    std::uint64_t until;
    std::uint64_t at;
};

LaneTexts most_frequent(std::vector<TextCounts::Counted> all, std::size_t most) {
    using Counted = TextCounts::Counted;
    LaneTexts out;
    for (const Counted& each : all) out.total += each.count;
    const std::size_t wanted = most == 0 ? all.size() : std::min(most, all.size());
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(wanted);
    const auto is_before = [](const Counted& a, const Counted& b) {
        return a.count != b.count ? a.count > b.count : a.text < b.text;
    };
    if (wanted < all.size()) std::nth_element(all.begin(), end, all.end(), is_before);
    std::sort(all.begin(), end, is_before);
    for (auto at = all.begin(); at != end; ++at) out.texts.push_back({std::string(at->text), at->count});
    return out;
}

}  // namespace

std::vector<LaneTexts> count_texts(const store::Session& session, const Selection& selection, std::size_t most,
                                   const AppendText& append, const std::function<bool(double)>& progress,
                                   std::uint64_t rows_at_once) {
    std::vector<LaneTexts> out;
    bool goes_on = true;
    while (goes_on && out.size() < selection.lanes.size()) {
        TextCounts counts;
        std::vector<TextWalk> walks;
        Selection some = with_lanes(selection, {});
        const std::size_t first = out.size();
        std::uint64_t rows = 0;
        for (std::size_t i = first; i < selection.lanes.size(); ++i) {
            const store::Lane* const lane = selection.lanes[i];
            if (rows + lane->size() > rows_at_once && i > first) break;
            rows += lane->size();
            some.lanes.push_back(lane);
            const auto number = static_cast<std::uint32_t>(i - first);
            walks.push_back({&counts, &append, number, lane, selection.until, lane->lower_bound(selection.from)});
        }
        const ChunkPlan plan(session, some, false);
        const auto lanes = static_cast<double>(selection.lanes.size());
        walk_chunks(plan, walks, [&](double share) {
            const double done = static_cast<double>(first) + share * static_cast<double>(walks.size());
            return goes_on = !progress || progress(done / lanes);
        });
        rows_at_once = std::max(rows_at_once, rows / std::max<std::uint64_t>(counts.size(), 1) * kTextsAtOnce);
        for (auto& texts : counts.take(static_cast<std::uint32_t>(walks.size())))
            out.push_back(most_frequent(std::move(texts), most));
    }
    return out;
}

}  // namespace sla::analysis
