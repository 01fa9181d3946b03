#include "emu/cpu/unicorn/page_tracker.h"

#include <array>
#include <cstdio>

namespace sla::cpu {

void PageTracker::set_paging(bool on) {
    paging_ = on;
    checked_page_ = 0;
    if (!paging_ || remapped_) return;
    const X86State now = memory_.state();
    if (looked_through_ == now.cr3) return;
    looked_through_ = now.cr3;
    std::uint32_t linear = 0;
    do {
        remapped_ = remapped(now, linear);
        linear += 1U << kPageBits;
    } while (linear != 0 && !remapped_);
}

bool PageTracker::is_remapped(std::uint32_t linear) {
    const auto found = remapped(memory_.state(), linear);
    if (found) {
        remapped_code_ = found;
    } else {
        checked_page_ = linear >> kPageBits;
    }
    return found.has_value();
}

std::optional<PageTracker::RemappedPage> PageTracker::remapped(const X86State& state, std::uint32_t linear) const {
    const auto physical = LinearMemory(memory_.physical(), memory_.write(), state).physical(linear);
    if (!physical || *physical == masked(linear, state.a20)) return std::nullopt;
    return RemappedPage{linear, *physical};
}

std::string PageTracker::text_of(const RemappedPage& page) {
    std::array<char, 128> text{};
    std::snprintf(text.data(), text.size(), "page tables put %xh at %xh, and the CPU \"unicorn\" moves no pages",
                  page.linear, page.physical);
    return text.data();
}

std::string PageTracker::doubts() const {
    if (!remapped_) return {};
    return "the guest's " + text_of(*remapped_) + ": what it reads and writes as data there goes to the wrong place";
}

}  // namespace sla::cpu
