// A short text that is copied very often: its bytes stand padded to whole words of 16, three at least, so that copying is a
// move or two without a call.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace sla::exporting {

class PaddedText {
public:
    static constexpr std::size_t kWord = 16;
    static constexpr std::size_t kLeast = 3 * kWord;

    PaddedText() : PaddedText(std::string_view()) {}
    explicit PaddedText(std::string_view text) : bytes_(text), length_(text.size()) {
        bytes_.resize(std::max(kLeast, (length_ + kWord - 1) / kWord * kWord));
    }

    [[nodiscard]] std::size_t length() const { return length_; }
    // Room that put() may write to.
    [[nodiscard]] std::size_t room() const { return bytes_.size(); }
    // Gives the end of the text; what lies behind it, up to room(), is overwritten.
    char* put(char* at) const {
        const char* const from = bytes_.data();
        std::memcpy(at, from, kLeast);
        for (std::size_t i = kLeast; i < length_; i += kWord) std::memcpy(at + i, from + i, kWord);
        return at + length_;
    }

private:
    std::string bytes_;
    std::size_t length_ = 0;
};

}  // namespace sla::exporting
