// TextCounts: how often each text occurs in each of some lanes, also where a million are different and come at random: then
// every look is a miss of all caches, so texts are looked up some dozens at a time, and what the next step wants is fetched
// before.
//
//   add()  ► waiting texts ──kAtOnce──► hashes, fetch slots ► fetch the texts they name ► compare, count
//
//   slots_  hash │ text │ length │ number       one each different text, whatever lane it is of
//   counts_[lane][number]                       how often it is there
//
// Memory: 48 to 96 bytes and the text itself for each different one, 8 bytes more for each lane. Cost: 30 to 60 ns a text of a
// million, 10 ns of a few. One owner.
#pragma once

#include "viewer/analysis/selection.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sla::analysis {

class TextCounts {
public:
    struct Counted {
        std::string_view text;  // as long as the counts live
        std::uint64_t count = 0;
    };

    explicit TextCounts(std::size_t lanes) : counts_(lanes) {}

    // Empty; to be filled with the next text, which add() then counts for that lane.
    [[nodiscard]] std::string& next() { return waiting_[waits_]; }
    void add(std::size_t lane) {
        lanes_[waits_] = lane;
        if (++waits_ == kAtOnce) look_up();
    }
    // Before any of these: none waits.
    void finish() { look_up(); }
    // The most frequent first, those that are as frequent in the order of their bytes; `most` of them, or all when it is 0.
    [[nodiscard]] std::vector<Counted> most_frequent(std::size_t lane, std::size_t most) const;
    [[nodiscard]] std::uint64_t total(std::size_t lane) const;

private:
    struct Slot {
        std::uint64_t hash = 0;
        const char* text = nullptr;  // null: free
        std::uint32_t length = 0;
        std::uint32_t number = 0;
    };
    void look_up();
    const Slot& slot_for(std::uint64_t hash, std::string_view text);
    void grow();
    const char* kept(std::string_view text);

    static constexpr std::size_t kAtOnce = 64;
    std::array<std::string, kAtOnce> waiting_;
    std::array<std::size_t, kAtOnce> lanes_{};
    std::size_t waits_ = 0;
    std::vector<Slot> slots_ = std::vector<Slot>(1024);  // a power of two, at most half of them taken
    std::uint32_t taken_ = 0;
    std::vector<std::vector<std::uint64_t>> counts_;
    std::vector<std::unique_ptr<char[]>> blocks_;  // of texts
    char* free_ = nullptr;
    std::size_t free_bytes_ = 0;
};

// Appends to `out` what an event of the lane counts as.
using AppendText = std::function<void(const store::Lane& lane, std::uint64_t index, std::string& out)>;
// Of each lane of the selection, loss rows aside; each chunk of a file is read once. `progress` (may be empty) receives 0..1;
// false stops.
TextCounts count_texts(const store::Session& session, const Selection& selection, const AppendText& append,
                       const std::function<bool(double)>& progress = {});

}  // namespace sla::analysis
