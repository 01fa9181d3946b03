#include "viewer/store/rows/text_table.h"

#include <algorithm>
#include <cstring>

namespace sla::store {

TextTable TextTable::shared() const {
    TextTable same;
    same.texts_ = texts_.shared();
    same.blocks_ = blocks_;
    same.block_bytes_ = block_bytes_;
    return same;
}

// Blocks grow with what there is: most of tens of thousands of lanes have few texts, if any.
char* TextTable::space_for(std::size_t bytes) {
    constexpr std::uint64_t kFirstBlock = 256;
    constexpr std::uint64_t kBlock = std::uint64_t{64} << 10;
    if (bytes > free_bytes_) {
        free_bytes_ = std::max<std::uint64_t>(bytes, std::clamp(block_bytes_, kFirstBlock, kBlock));
        blocks_.push_back(std::make_shared_for_overwrite<char[]>(free_bytes_));
        free_ = blocks_.back().get();
        block_bytes_ += free_bytes_;
    }
    char* const space = free_;
    free_ += bytes;
    free_bytes_ -= bytes;
    return space;
}

void TextTable::add(std::uint64_t index, std::string_view text) {
    if (text.empty()) return;
    char* const space = space_for(text.size());
    std::memcpy(space, text.data(), text.size());
    texts_.push_back({index, space, text.size()});
}

std::string_view TextTable::of(std::uint64_t index, std::uint64_t base, std::uint64_t rows) const {
    const std::uint64_t offset = index - base;
    const std::uint64_t without = rows - std::min<std::uint64_t>(rows, texts_.size());
    const std::uint64_t first = offset > without ? offset - without : 0;
    const std::uint64_t last = std::min<std::uint64_t>(offset + 1, texts_.size());
    if (first >= last) return {};
    const std::size_t at = first_from(index, first, last);
    return at == last || texts_[at].index != index ? std::string_view() : texts_[at].view();
}

}  // namespace sla::store
