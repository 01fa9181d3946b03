// Two processors' results of one case: what differs, in a few words, and which of the differences are known and why.
#pragma once

#include "tests/integration/instructions/case.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sla::instructions {

// "shl: OF", "les: vector 13 for 6, EIP". Empty: nothing that is defined does.
std::string difference(const Case& of, const Result& native, const Result& emulated);
// The instruction as text, with its prefixes.
std::string text_of(const Case& of);

// A difference whose reason is known: it stands in emu/cpu/DIFFERENCES.md too.
struct Known {
    std::string_view cpu;
    std::string_view pattern;  // of class and difference; a * stands for anything, a ? for one character
    std::string_view why;
};
// The first whose pattern is right; nothing: it is not known.
const Known* find_known(std::string_view cpu, std::string_view of_class, std::string_view difference);

// All that a run of many cases found.
class Findings {
public:
    struct Finding {
        std::uint64_t count = 0;
        std::string example;
        const Known* known = nullptr;
    };

    Findings(std::string_view cpu, std::string_view of_class) : cpu_(cpu), class_(of_class) {}
    void add(const Case& of, const Result& native, const Result& emulated);
    [[nodiscard]] const std::map<std::string, Finding>& all() const { return found_; }
    [[nodiscard]] std::uint64_t cases() const { return cases_; }
    [[nodiscard]] std::uint64_t different() const { return different_; }
    [[nodiscard]] std::string unknown() const;

private:
    std::string cpu_;
    std::string class_;
    std::map<std::string, Finding> found_;
    std::uint64_t cases_ = 0;
    std::uint64_t different_ = 0;
};

}  // namespace sla::instructions
