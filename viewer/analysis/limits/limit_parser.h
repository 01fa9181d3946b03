// LimitParser: a limit, or a change between two captures, from its words: the figure, a comparison and a bound. Private to the
// room.
#pragma once

#include "proto/base/result.h"
#include "viewer/analysis/limits/limit.h"
#include "viewer/analysis/limits/limit_words.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace sla::analysis {

inline constexpr std::size_t kLongestLimit = 4096;

class LimitParser {
public:
    explicit LimitParser(std::string_view text) : words_(text) {}

    Result<Limit> limit();
    Result<Change> change();

private:
    [[nodiscard]] Error wrong(const std::string& what, std::size_t column) const { return words_.wrong(what, column); }
    [[nodiscard]] Error wrong(const std::string& what) const { return words_.wrong(what); }
    [[nodiscard]] const LimitWord& word() const { return words_.word(); }
    void next() { words_.next(); }

    // All but the bound.
    Result<void> figure();
    Result<void> channel(std::string& into);
    Result<void> measure();
    Result<void> pair();
    Result<void> share();
    Result<void> compare();

    Result<void> bound();
    // "1 ms" is 1ms and "100 /s" is 100/s, as in triggers and of options.
    void take_unit(LimitWord& word);
    Result<void> quantity(const LimitWord& word);
    // Of the other capture's figure.
    Result<void> difference(Change& change);
    Result<void> number(const LimitWord& word);

    LimitWords words_;
    Limit limit_;
};

}  // namespace sla::analysis
