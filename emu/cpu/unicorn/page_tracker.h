// The library accesses memory at the linear address, whatever the guest's page tables say of the place. This finds pages
// that the tables put elsewhere: those with code before it runs there, others when tables are turned on.
#pragma once

#include "emu/cpu/unicorn/unicorn_memory.h"

#include <optional>
#include <string>

namespace sla::cpu {

class PageTracker {
public:
    explicit PageTracker(const UnicornMemory& memory) : memory_(memory) {}

    // Paging is on or off from now on. Turned on, it looks through all tables: some 20 ms, once for each CR3. What a guest
    // changes later is not seen.
    void set_paging(bool on);
    [[nodiscard]] bool paging() const { return paging_; }
    // Code at that address runs next: false when it is the page looked at last, or paging is off. A few instructions.
    [[nodiscard]] bool is_new(std::uint32_t linear) const { return paging_ && linear >> kPageBits != checked_page_; }
    // The tables put it elsewhere: the run cannot go on. Some 150 ns.
    bool is_remapped(std::uint32_t linear);
    // That page, as a sentence; empty: none.
    [[nodiscard]] std::string failure() const { return remapped_code_ ? "its " + text_of(*remapped_code_) : std::string(); }
    // What was seen of data, as a sentence; empty: nothing.
    [[nodiscard]] std::string doubts() const;

private:
    static constexpr unsigned kPageBits = 12;
    struct RemappedPage {
        std::uint32_t linear = 0;
        std::uint32_t physical = 0;  // where the page tables put it
    };

    // By the page tables of this state.
    [[nodiscard]] std::optional<RemappedPage> remapped(const X86State& state, std::uint32_t linear) const;
    [[nodiscard]] static std::string text_of(const RemappedPage& page);

    const UnicornMemory& memory_;
    bool paging_ = false;
    std::uint32_t checked_page_ = 0;               // of code; 0: none
    std::optional<RemappedPage> remapped_;         // the first that was seen
    std::optional<RemappedPage> remapped_code_;    // that code would have run in
    std::optional<std::uint32_t> looked_through_;  // CR3 of the tables that were looked at last
};

}  // namespace sla::cpu
