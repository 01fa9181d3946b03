// The physical memory of the PC.
//
//   0            RAM
//   E0000-FFFFF  RAM too; the end of the firmware image is copied there, so that it ends at 1 MB (shadow RAM)
//   ....-4 GB    the firmware image, ending at 4 GB; its own copy, writable but nobody looks
//
// The blocks never move: a CPU library may map them. Owned by the machine's thread.
#pragma once

#include "emu/bus/state_visitor.h"
#include "proto/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sla::bus {

class Memory {
public:
    static constexpr std::size_t kPageBytes = 4096;
    static constexpr std::uint32_t kMegabyte = 1U << 20;
    static constexpr std::size_t kShadowBytes = 128U << 10;  // E0000-FFFFF
    static constexpr std::size_t kMaxRomBytes = 4U << 20;

    struct Region {
        std::uint32_t base = 0;
        std::span<std::uint8_t> bytes;  // starts and ends on page boundaries
    };

    explicit Memory(std::size_t ram_bytes);

    // The image must end with the reset vector in its last 16 bytes. Once per machine.
    Result<void> load_rom(std::span<const std::uint8_t> image);

    [[nodiscard]] const std::vector<Region>& regions() const { return regions_; }

    // The bytes from address on, as many as lie in one region, at most `count`; empty where nothing answers.
    [[nodiscard]] std::span<std::uint8_t> at(std::uint32_t address, std::size_t count) const;

    // Every region; how many there are and how large they are is not part of it.
    void visit_state(StateVisitor& state);

private:
    struct Unmap {
        std::size_t bytes = 0;
        void operator()(std::uint8_t* start) const;
    };
    using Block = std::unique_ptr<std::uint8_t, Unmap>;

    static Block allocate(std::size_t bytes);

    std::vector<Block> blocks_;
    std::vector<Region> regions_;
};

}  // namespace sla::bus
