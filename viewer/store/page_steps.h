// PageSteps: of the pages of many lanes together, how many rows lie before a tick, at least and at most. One binary search,
// however many lanes and pages there are; a table row's place is bisected through it, dozens of times a frame.
//
//   at most   every page adds its rows where it begins    ▁▃▆█
//   at least  every page adds its rows where it ends        ▁▃▆█
//
// Memory: 32 bytes a page. Owner: the MergedIndex's.
#pragma once

#include <cstdint>
#include <vector>

namespace sla::store {

class Lane;

class PageSteps {
public:
    // Makes the steps anew when there are other lanes than before; adds the pages that lanes have got since.
    void refresh(const std::vector<const Lane*>& lanes);

    [[nodiscard]] bool empty() const { return begins_.empty(); }
    [[nodiscard]] std::uint64_t most_before(std::uint64_t tick) const { return before(begins_, tick); }
    [[nodiscard]] std::uint64_t least_before(std::uint64_t tick) const { return before(ends_, tick); }
    // Ticks between which the row of that number lies, both included, when every row is in a page and there are so many.
    [[nodiscard]] std::uint64_t first_that_may_hold(std::uint64_t row) const { return beyond(begins_, row); }
    [[nodiscard]] std::uint64_t last_that_may_hold(std::uint64_t row) const { return beyond(ends_, row); }

private:
    struct Step {
        std::uint64_t tick;
        std::uint64_t rows;  // up to and with it
    };
    static bool is_before(const Step& a, const Step& b);
    static Step* merge_two(const Step* a, const Step* end_a, const Step* b, const Step* end_b, Step* out);
    static void merge(std::vector<Step>& steps, std::vector<std::size_t> bounds, Step* scratch);
    static void sort_in(std::vector<Step>& steps, std::size_t known);
    static std::uint64_t beyond(const std::vector<Step>& steps, std::uint64_t row);
    static std::uint64_t before(const std::vector<Step>& steps, std::uint64_t tick);

    std::vector<Step> begins_;
    std::vector<Step> ends_;
    std::vector<const Lane*> lanes_;  // that had pages,
    std::vector<std::size_t> pages_;  // how many
};

}  // namespace sla::store
