// What the protocol needs of a guest that stands still. Registers have the numbers of target_description.h.
#pragma once

#include "emu/cpu/stop_points.h"
#include "proto/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sla::gdb {

// As in Z packets.
enum class PointKind : std::uint8_t { kSoftware, kHardware, kWrite, kRead, kAccess };

class Target {
public:
    virtual ~Target() = default;

    // Code is of 16 bits now.
    [[nodiscard]] virtual bool code16() const = 0;
    // Nothing: there is none of that number, or this PC does not show it.
    [[nodiscard]] virtual std::optional<std::uint32_t> read_register(std::size_t number) const = 0;
    // False: it cannot be written.
    virtual bool write_register(std::size_t number, std::uint32_t value) = 0;
    [[nodiscard]] virtual std::optional<std::uint8_t> read_byte(std::uint32_t linear) const = 0;
    // False: there is no memory at one of them; those before it are written.
    virtual bool write_memory(std::uint32_t linear, std::string_view bytes) = 0;

    virtual Result<void> add_point(PointKind kind, std::uint32_t address, std::uint32_t bytes) = 0;
    virtual void remove_point(PointKind kind, std::uint32_t address, std::uint32_t bytes) = 0;
    virtual void remove_all_points() = 0;
    // What kind stands there, for the stop's report.
    [[nodiscard]] virtual std::optional<PointKind> code_point(std::uint32_t address) const = 0;

    // The guest runs on: one instruction, or until something stops it.
    virtual void resume(bool step) = 0;
    [[nodiscard]] virtual bool goes_back() const = 0;
    // One instruction, or to the last of the points: why it stands there. Nothing: that is as far back as it goes. At once: the
    // guest stands still then.
    virtual Result<std::optional<cpu::StopPoints::Found>> go_back(bool step) = 0;
    // A resume that has not ended is taken back.
    virtual void interrupt() = 0;
    // Ends the run.
    virtual void kill() = 0;
    // A command as `sla-emu control` has it.
    virtual Result<std::string> command(const std::string& line) = 0;
};

}  // namespace sla::gdb
