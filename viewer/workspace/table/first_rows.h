// The first so many of any number of rows in some order, in memory for twice as many: what cannot be among them any more
// goes when that is full. O(1) a row on average, whatever order they come in. Value type.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sla::workspace {

// `Before(a, b)`: key a stands before key b. Of equal keys the row that was added first does.
template <typename Key, typename Row, typename Before>
class FirstRows {
public:
    FirstRows(std::size_t most, Before before) : most_(most), before_(std::move(before)) {}

    void add(Key key, const Row& row) {
        ++added_;
        if (trimmed_ && !before_(key, entries_[most_ - 1].key)) return;  // behind all that are kept
        entries_.push_back({std::move(key), added_, row});
        if (entries_.size() == 2 * most_) trim();
    }
    [[nodiscard]] std::uint64_t added() const { return added_; }

    // Sorts: costs as much as that.
    [[nodiscard]] std::vector<Row> in_order() {
        if (entries_.size() > most_) trim();
        std::sort(entries_.begin(), entries_.end(), is_first());
        std::vector<Row> rows;
        rows.reserve(entries_.size());
        for (const Entry& entry : entries_) rows.push_back(entry.row);
        return rows;
    }

private:
    struct Entry {
        Key key;
        std::uint64_t number;  // as they were added
        Row row;
    };
    [[nodiscard]] auto is_first() const {
        return [this](const Entry& a, const Entry& b) {
            if (before_(a.key, b.key)) return true;
            return !before_(b.key, a.key) && a.number < b.number;
        };
    }
    // Afterwards the last of those that stay stands at most_ - 1.
    void trim() {
        const auto last = entries_.begin() + static_cast<std::ptrdiff_t>(most_ - 1);
        std::nth_element(entries_.begin(), last, entries_.end(), is_first());
        entries_.erase(last + 1, entries_.end());
        trimmed_ = true;
    }

    std::size_t most_;
    Before before_;
    std::vector<Entry> entries_;
    std::uint64_t added_ = 0;
    bool trimmed_ = false;
};

}  // namespace sla::workspace
