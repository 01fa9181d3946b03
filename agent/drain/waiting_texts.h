// Texts of events that wait in a run, oldest first, one behind the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::drain {

// One owner thread. Events are told apart by their ordinals, which rise.
class WaitingTexts {
public:
    [[nodiscard]] bool empty() const { return first_ == entries_.size(); }
    [[nodiscard]] bool has_before(std::uint64_t ordinal) const { return !empty() && entries_[first_].ordinal < ordinal; }
    // The oldest one's event, and its text, which stands until add() or reclaim().
    [[nodiscard]] std::uint64_t ordinal() const { return entries_[first_].ordinal; }
    [[nodiscard]] std::string_view text() const { return text_at(first_); }
    void drop_oldest() { first_++; }

    void add(std::uint64_t ordinal, std::string_view text) {
        bytes_.append(text);
        entries_.push_back({ordinal, bytes_.size()});
    }
    // Those of that event and all behind it.
    void drop_from(std::uint64_t ordinal) {
        while (!empty() && entries_.back().ordinal >= ordinal) {
            entries_.pop_back();
            bytes_.resize(entries_.empty() ? 0 : entries_.back().end);
        }
    }
    // Empty: it has none.
    [[nodiscard]] std::string_view of(std::uint64_t ordinal) const {
        const auto found = std::lower_bound(entries_.begin() + static_cast<std::ptrdiff_t>(first_), entries_.end(), ordinal,
                                            [](const Entry& entry, std::uint64_t wanted) { return entry.ordinal < wanted; });
        if (found == entries_.end() || found->ordinal != ordinal) return {};
        return text_at(static_cast<std::size_t>(found - entries_.begin()));
    }

    // What was given out makes space: all of it, or more than what waits.
    void reclaim() {
        if (first_ == 0 || first_ < entries_.size() - first_) return;
        const std::size_t given = entries_[first_ - 1].end;
        bytes_.erase(0, given);
        entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first_));
        for (Entry& entry : entries_) entry.end -= given;
        first_ = 0;
        if (empty() && bytes_.capacity() > kWorthKeeping) *this = {};
    }
    [[nodiscard]] std::size_t memory_bytes() const {
        const std::size_t of_text = bytes_.capacity() > std::string().capacity() ? bytes_.capacity() : 0;
        return of_text + entries_.capacity() * sizeof(Entry);
    }

private:
    struct Entry {
        std::uint64_t ordinal;
        std::size_t end;  // in bytes_
    };
    static constexpr std::size_t kWorthKeeping = std::size_t{1} << 20;

    [[nodiscard]] std::string_view text_at(std::size_t at) const {
        const std::size_t begin = at == 0 ? 0 : entries_[at - 1].end;
        return std::string_view(bytes_).substr(begin, entries_[at].end - begin);
    }

    std::vector<Entry> entries_;  // from first_ on they wait
    std::size_t first_ = 0;
    std::string bytes_;
};

}  // namespace sla::drain
