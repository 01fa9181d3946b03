// How often each text occurs in each of some lanes, also where a million are different and come at random: then every look is a
// miss of all caches, so texts are looked up some dozens at a time, and what the next step wants is fetched before.
//
//   add()  ► waiting texts ──kAtOnce──► hashes, fetch slots ► fetch what they point to ► compare, count
//
//   slots   hash │ at ──► count │ lane │ length │ bytes of the text     one behind the other in blocks
//
// Memory: 32 to 64 bytes for each different text of a lane, and 16 with the text itself. Cost: 40 ns a text of a million, 10 ns
// of a few.
#pragma once

#include "viewer/analysis/selection.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sla::analysis {

// One owner.
class TextCounts {
public:
    struct Counted {
        std::string_view text;  // as long as the counts live
        std::uint64_t count = 0;
    };

    // Empty; to be filled with the next text, which add() then counts for that lane.
    [[nodiscard]] std::string& next() { return waiting_[waits_]; }
    void add(std::uint32_t lane) {
        lanes_[waits_] = lane;
        if (++waits_ == kAtOnce) look_up();
    }
    // Different ones, of those that have been looked up.
    [[nodiscard]] std::size_t size() const { return taken_; }
    // All of each of the lanes, in no order.
    [[nodiscard]] std::vector<std::vector<Counted>> take(std::uint32_t lanes);

private:
    struct Text {
        std::uint64_t count;
        std::uint32_t lane;
        std::uint32_t length;

        [[nodiscard]] std::string_view view() const { return {reinterpret_cast<const char*>(this + 1), length}; }
    };
    struct Slot {
        std::uint64_t hash = 0;
        Text* text = nullptr;  // null: free
    };
    struct Free {
        void operator()(Slot* slots) const { std::free(slots); }
    };
    using Slots = std::unique_ptr<Slot[], Free>;
    static Slots free_slots(std::size_t count);
    void look_up();
    void count(std::uint64_t hash, std::string_view text, std::uint32_t lane);
    void grow();
    Text* keep(std::string_view text, std::uint32_t lane);

    static constexpr std::size_t kAtOnce = 64;
    std::array<std::string, kAtOnce> waiting_;
    std::array<std::uint32_t, kAtOnce> lanes_{};
    std::size_t waits_ = 0;
    std::size_t size_ = 1024;  // of slots_: a power of two, at most half of them taken
    Slots slots_ = free_slots(size_);
    std::size_t taken_ = 0;
    std::vector<std::unique_ptr<std::byte[]>> blocks_;  // of texts
    std::byte* free_ = nullptr;
    std::size_t free_bytes_ = 0;
};

struct LaneTexts {
    struct Counted {
        std::string text;
        std::uint64_t count = 0;
    };
    std::uint64_t total = 0;
    std::vector<Counted> texts;  // the most frequent first, those that are as frequent in the order of their bytes
};

// Appends to `out` what an event of the lane counts as.
using AppendText = std::function<void(const store::Lane& lane, std::uint64_t index, std::string& out)>;

// Of each lane of the selection, in its order, the `most` frequent texts, or all when it is 0; loss rows aside. The texts of
// lanes that have so many rows together are in memory at a time, and chunks of a file are read once for these: of more, where
// few texts are different. `progress` (may be empty) receives 0..1; false stops.
std::vector<LaneTexts> count_texts(const store::Session& session, const Selection& selection, std::size_t most,
                                   const AppendText& append, const std::function<bool(double)>& progress = {},
                                   std::uint64_t rows_at_once = std::uint64_t{8} << 20);

}  // namespace sla::analysis
