// Texts of some of a batch's events, one behind the other: an allocation now and then, however many there are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::wire {

class Texts {
public:
    [[nodiscard]] bool empty() const { return positions_.empty(); }
    [[nodiscard]] std::size_t size() const { return positions_.size(); }
    // Of which event the text is; they rise.
    [[nodiscard]] std::uint32_t position(std::size_t number) const { return positions_[number]; }
    [[nodiscard]] std::string_view operator[](std::size_t number) const {
        const std::size_t begin = begin_of(number);
        return std::string_view(bytes_).substr(begin, ends_[number] - begin);
    }
    // The number of the first text of that event or one behind it.
    [[nodiscard]] std::size_t from(std::size_t position) const {
        return static_cast<std::size_t>(std::lower_bound(positions_.begin(), positions_.end(), position) -
                                        positions_.begin());
    }
    // Empty: that event has none.
    [[nodiscard]] std::string_view of(std::size_t position) const {
        const std::size_t number = from(position);
        return number < size() && positions_[number] == position ? (*this)[number] : std::string_view();
    }
    [[nodiscard]] std::string_view bytes() const { return bytes_; }
    [[nodiscard]] std::size_t memory_bytes() const {
        return bytes_.capacity() + positions_.capacity() * sizeof(std::uint32_t) + ends_.capacity() * sizeof(std::size_t);
    }

    // Of an event behind all that have one. An empty text is none.
    void add(std::size_t position, std::string_view text) {
        if (text.empty()) return;
        positions_.push_back(static_cast<std::uint32_t>(position));
        bytes_.append(text);
        ends_.push_back(bytes_.size());
    }
    // Those of the events [begin, end) of others, of which event 0 is `to` here.
    void add_of(const Texts& others, std::size_t begin, std::size_t end, std::size_t to) {
        for (std::size_t number = others.from(begin); number < others.size() && others.position(number) < end; ++number)
            add(others.position(number) - begin + to, others[number]);
    }
    void clear() {
        positions_.clear();
        ends_.clear();
        bytes_.clear();
    }

    friend bool operator==(const Texts&, const Texts&) = default;

private:
    [[nodiscard]] std::size_t begin_of(std::size_t number) const { return number == 0 ? 0 : ends_[number - 1]; }

    std::vector<std::uint32_t> positions_;
    std::vector<std::size_t> ends_;  // of each text, in bytes_
    std::string bytes_;
};

}  // namespace sla::wire
