// The running PC as a Target. On the machine's thread, the guest standing still.
#pragma once

#include "emu/control/console.h"
#include "emu/gdb/target.h"
#include "emu/machine/stop_signal.h"
#include "emu/vmm/vmm.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace sla::gdb {

class VmmTarget final : public Target {
public:
    VmmTarget(vmm::Vmm& vmm, control::Console& console, machine::StopSignal& stop)
        : vmm_(vmm), console_(console), stop_(stop) {}

    [[nodiscard]] bool code16() const override { return !vmm_.cpu().full_state().code32(); }
    [[nodiscard]] std::optional<std::uint32_t> read_register(std::size_t number) const override;
    bool write_register(std::size_t number, std::uint32_t value) override;
    [[nodiscard]] std::optional<std::uint8_t> read_byte(std::uint32_t linear) const override {
        return vmm_.cpu().read_byte(linear);
    }
    bool write_memory(std::uint32_t linear, std::string_view bytes) override;
    Result<void> add_point(PointKind kind, std::uint32_t address, std::uint32_t bytes) override;
    void remove_point(PointKind kind, std::uint32_t address, std::uint32_t bytes) override;
    void remove_all_points() override;
    [[nodiscard]] std::optional<PointKind> code_point(std::uint32_t address) const override;
    void resume(bool step) override;
    [[nodiscard]] bool goes_back() const override { return console_.goes_back(); }
    Result<std::optional<cpu::StopPoints::Found>> go_back(bool step) override;
    void interrupt() override;
    void kill() override { stop_.request(); }
    Result<std::string> command(const std::string& line) override { return console_.run_standing(line); }

private:
    struct Point {
        PointKind kind;
        std::uint32_t address;
        std::uint32_t bytes;

        friend bool operator==(const Point&, const Point&) = default;
    };
    void take_out(const Point& point);

    vmm::Vmm& vmm_;
    control::Console& console_;
    machine::StopSignal& stop_;
    std::vector<Point> points_;
    std::optional<std::uint64_t> step_;  // of its own, that runs
};

}  // namespace sla::gdb
