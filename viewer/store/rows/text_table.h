// TextTable: the texts of some rows of a run, in order of index. Their bytes lie one behind the other in blocks that never
// move: taking one in costs its copy and now and then a block. What shared() gives holds the same texts, up to those there
// were: another thread may read them while this one grows.
#pragma once

#include "viewer/store/rows/stable_vector.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace sla::store {

class TextTable {
public:
    struct Text {
        std::uint64_t index = 0;
        const char* begin = nullptr;
        std::size_t length = 0;

        [[nodiscard]] std::string_view view() const { return {begin, length}; }
    };

    TextTable() = default;
    TextTable(TextTable&&) noexcept = default;
    TextTable& operator=(TextTable&&) noexcept = default;
    // To which none may be added.
    [[nodiscard]] TextTable shared() const;

    // Of a row behind all that have one.
    void add(std::uint64_t index, std::string_view text);

    [[nodiscard]] bool empty() const { return texts_.empty(); }
    [[nodiscard]] std::size_t size() const { return texts_.size(); }
    [[nodiscard]] const Text& operator[](std::size_t at) const { return texts_[at]; }
    // The first of that index or a later one.
    [[nodiscard]] std::size_t from(std::uint64_t index) const { return first_from(index, 0, texts_.size()); }
    // Of a row of a run that begins with `base` and has so many rows; empty: it has none. Texts are as rare as rows without
    // one are frequent, which bounds where it can be: of nearly every row's it is found at once.
    [[nodiscard]] std::string_view of(std::uint64_t index, std::uint64_t base, std::uint64_t rows) const;

    [[nodiscard]] std::uint64_t memory_bytes() const { return texts_.size() * sizeof(Text) + block_bytes_; }

private:
    [[nodiscard]] std::size_t first_from(std::uint64_t index, std::size_t first, std::size_t last) const {
        return texts_.partition_point(first, last, [index](const Text& text) { return text.index < index; });
    }
    char* space_for(std::size_t bytes);

    StableVector<Text, 256> texts_;
    std::vector<std::shared_ptr<char[]>> blocks_;
    char* free_ = nullptr;  // of the last block
    std::size_t free_bytes_ = 0;
    std::uint64_t block_bytes_ = 0;
};

}  // namespace sla::store
