// A machine's state in this process's memory. Pages of the guest's memory that are as they were in the state kept before are
// shared with it, pages of zeros take nothing. What was written to disks is shared with the disks and with all states that have it.
#pragma once

#include "emu/snapshot/state_writer.h"
#include "emu/snapshot/subject.h"
#include "proto/base/result.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sla::snapshot {

class KeptState {
public:
    // The guest stands still. Null: nothing was kept before.
    KeptState(const Subject& subject, const KeptState* before);

    // The machine stands where it stood then.
    [[nodiscard]] Result<void> load(const Subject& subject) const;
    // That it alone takes: what is free once it is gone. But for disks' sectors.
    [[nodiscard]] std::size_t bytes() const;
    // Of disks' sectors that other states have and this one has not.
    [[nodiscard]] std::size_t bytes_of_others() const;

private:
    static constexpr std::size_t kPageBytes = 4096;
    using Page = std::array<std::uint8_t, kPageBytes>;
    struct Memory {
        std::string name;
        std::size_t bytes = 0;
        std::vector<std::shared_ptr<const Page>> pages;  // null: zeros
    };

    static Memory keep(const MemoryView& view, const Memory* before);
    static void put_back(const Memory& memory, std::span<std::uint8_t> to);

    std::vector<Section> sections_;
    std::vector<Memory> memory_;
    std::vector<Sectors> sectors_;
};

}  // namespace sla::snapshot
