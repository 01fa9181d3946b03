// TextPool: the different texts of a column, each with a number in the order in which it came, until clear().
//
//   bytes_   oneanotheroneso...        ends_   3 10 13 ...        slots_   numbers by hash, half of them empty
//
// Texts that hardly repeat are not looked for any more: of a few ten thousand nearly all were new, so a dictionary will not
// pay. Then two numbers may have one text.
//
// Cost: a hash and a look at one slot a text. Memory is kept from one group to the next. One owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::formats::parquet {

class TextPool {
public:
    std::uint32_t intern(std::string_view text);
    [[nodiscard]] std::size_t size() const { return ends_.size(); }
    [[nodiscard]] bool empty() const { return ends_.empty(); }
    [[nodiscard]] std::string_view operator[](std::size_t number) const {
        const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
        return std::string_view(bytes_).substr(begin, ends_[number] - begin);
    }
    // What the texts take, with what each costs besides.
    [[nodiscard]] std::size_t cost() const { return bytes_.size() + size() * kCostEach; }
    void clear();

private:
    static constexpr std::size_t kCostEach = 32;
    static constexpr std::size_t kTried = 32'768;                   // texts, until which each is looked for
    static constexpr std::size_t kMostNew = 8;                      // of nine
    static constexpr std::size_t kFewBytes = std::size_t{1} << 20;  // are a dictionary in any case

    [[nodiscard]] bool hardly_repeats() const {
        return asked_ >= kTried && size() * (kMostNew + 1) > asked_ * kMostNew && cost() > kFewBytes;
    }
    std::uint32_t append(std::string_view text);
    void grow();

    std::string bytes_;
    std::vector<std::size_t> ends_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint32_t> slots_;  // a text's number and 1; 0: empty
    std::size_t asked_ = 0;             // texts looked for
};

}  // namespace sla::formats::parquet
