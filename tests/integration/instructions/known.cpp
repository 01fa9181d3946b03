// The differences whose reasons are known. emu/cpu/DIFFERENCES.md explains them to people.
#include "tests/integration/instructions/comparison.h"

#include <algorithm>
#include <array>

namespace sla::instructions {

namespace {

bool matches(std::string_view text, std::string_view pattern) {
    if (pattern.empty()) return text.empty();
    if (pattern[0] == '*') return matches(text, pattern.substr(1)) || (!text.empty() && matches(text.substr(1), pattern));
    return !text.empty() && (pattern[0] == '?' || text[0] == pattern[0]) && matches(text.substr(1), pattern.substr(1));
}

constexpr std::string_view kNoLimits = "it checks no limits of segments";
constexpr std::string_view kLock = "it takes LOCK before instructions that must not have it";
constexpr std::string_view kBothRepeats = "of F2h and F3h together it takes F2h, the host the last one";
constexpr std::string_view kLoopPrefix =
    "before LOOPE and LOOPNE F2h and F3h are reserved: some processors take the condition from them";
constexpr std::string_view kNoRings = "it knows no rings";

constexpr std::string_view kNoChecks = "it checks neither rings nor what a selector is loaded for";
constexpr std::string_view kFar = "far jumps, calls and returns: it checks neither rings nor that the target is code";
constexpr std::string_view kNoDescriptors = "it has no LAR, LSL and ARPL, and VERR and VERW check too little";
constexpr std::string_view kWraps = "an operand around the end of 32-bit addresses is within its limits";

constexpr std::array kKnown{
    Known{"unicorn", "* enter: registers",
          "ENTER of 32 bits on a 16-bit stack: the upper half of EBP stays, the host copies ESP's"},
    Known{"unicorn", "segment call: error code", "a target beyond the limit: the code is the selector, the manual has 0"},
    Known{"unicorn", "segment iret*: vector 3 for 13", kNoLimits},
    Known{"unicorn", "segment iret*: it ran into nowhere", kNoLimits},
    Known{"unicorn", "segment ret: vector 3 for 13", kNoLimits},
    Known{"unicorn", "segment ret: it ran into nowhere", kNoLimits},
    Known{"unicorn", "prefixes db: *", kLock},
    Known{"unicorn", "prefixes lock neg: *", "SF and PF of LOCK NEG with memory are those of the old value"},
    Known{"unicorn", "prefixes rep* cmps*", kBothRepeats},
    Known{"unicorn", "prefixes rep* scas*", kBothRepeats},
    Known{"unicorn", "prefixes loop*e: EIP", kLoopPrefix},
    Known{"unicorn", "privileged in*: vector 3 for 13", "it allows ports in every ring"},
    Known{"unicorn", "privileged out*: vector 3 for 13", "it allows ports in every ring"},
    Known{"x86emu", "* popf*: I*", kNoRings},
    Known{"x86emu", "* push: vector 12 for 3",
          "a segment register pushed as 32 bits takes 4 bytes, newer processors write 2"},
    Known{"x86emu", "segment arpl: vector 6 for*", kNoDescriptors},
    Known{"x86emu", "segment lar: vector 6 for*", kNoDescriptors},
    Known{"x86emu", "segment lsl: vector 6 for*", kNoDescriptors},
    Known{"x86emu", "segment ver*: ZF", kNoDescriptors},
    Known{"x86emu", "segment mov: ?s", kNoChecks},
    Known{"x86emu", "segment pop: ?s", kNoChecks},
    Known{"x86emu", "segment l?s: ?s", kNoChecks},
    Known{"x86emu", "segment l?s: vector*", kNoChecks},
    Known{"x86emu", "segment mov: vector*", kNoChecks},
    Known{"x86emu", "segment pop: vector*", kNoChecks},
    Known{"x86emu", "limits *: vector ? for 13", kWraps},
    Known{"x86emu", "limits *: vector ? for 12", kWraps},
    Known{"x86emu", "segment jmp: *", kFar},
    Known{"x86emu", "segment call: *", kFar},
    Known{"x86emu", "segment ret: *", kFar},
    Known{"x86emu", "segment iret*: *", kFar},
    Known{"x86emu", "prefixes rep* cmps*", kBothRepeats},
    Known{"x86emu", "prefixes rep* scas*", kBothRepeats},
    Known{"x86emu", "prefixes loop*e: EIP", kLoopPrefix},
};

}  // namespace

const Known* find_known(std::string_view cpu, std::string_view of_class, std::string_view difference) {
    const std::string text = std::string(of_class) + " " + std::string(difference);
    const auto found = std::find_if(kKnown.begin(), kKnown.end(),
                                    [&](const Known& known) { return known.cpu == cpu && matches(text, known.pattern); });
    return found == kKnown.end() ? nullptr : &*found;
}

}  // namespace sla::instructions
