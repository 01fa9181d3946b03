#include "viewer/formats/parquet/text_pool.h"

#include <algorithm>
#include <functional>

namespace sla::formats::parquet {

std::uint32_t TextPool::append(std::string_view text) {
    bytes_ += text;
    ends_.push_back(bytes_.size());
    return static_cast<std::uint32_t>(ends_.size() - 1);
}

std::uint32_t TextPool::intern(std::string_view text) {
    if (hardly_repeats()) return append(text);
    ++asked_;
    if (slots_.size() < 2 * (size() + 1)) grow();
    const std::uint64_t hash = std::hash<std::string_view>()(text);
    std::size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
        const std::uint32_t number = slots_[slot] - 1;
        if (hashes_[number] == hash && (*this)[number] == text) return number;
    }
    hashes_.push_back(hash);
    const std::uint32_t number = append(text);
    slots_[slot] = number + 1;
    return number;
}

void TextPool::grow() {
    constexpr std::size_t kLeast = 64;
    slots_.assign(std::max(kLeast, 2 * slots_.size()), 0);
    for (std::size_t number = 0; number < hashes_.size(); ++number) {
        std::size_t slot = hashes_[number] & (slots_.size() - 1);
        while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
        slots_[slot] = static_cast<std::uint32_t>(number + 1);
    }
}

void TextPool::clear() {
    bytes_.clear();
    ends_.clear();
    hashes_.clear();
    std::fill(slots_.begin(), slots_.end(), 0);
    asked_ = 0;
}

}  // namespace sla::formats::parquet
