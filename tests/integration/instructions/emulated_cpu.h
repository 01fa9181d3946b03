// A CPU of the emulated PC that runs cases as the host's own does: protected mode, ring 3, the same table of segments.
#pragma once

#include "emu/bus/memory.h"
#include "emu/bus/mmio_table.h"
#include "emu/cpu/cpu.h"
#include "tests/integration/instructions/case.h"

#include <memory>
#include <string>
#include <string_view>

namespace sla::instructions {

class EmulatedCpu {
public:
    explicit EmulatedCpu(std::string_view name);

    // Why there is none.
    [[nodiscard]] const std::string& missing() const { return missing_; }
    void run(const Case& wanted, const DataMemory& memory, Result& result);

private:
    // Nothing but CPUID and ports is asked of it, and answers are all ones: no case has any of them do something.
    class Client final : public cpu::CpuClient {
    public:
        std::uint32_t port_in(std::uint16_t, bus::Width width) override { return bus::all_ones(width); }
        void port_out(std::uint16_t, bus::Width, std::uint32_t) override {}
        [[nodiscard]] bool over() const override { return false; }
        std::uint32_t mmio_read(std::uint32_t, bus::Width width) override { return bus::all_ones(width); }
        void mmio_write(std::uint32_t, bus::Width, std::uint32_t) override {}
        cpu::CpuidAnswer cpuid(std::uint32_t) override { return {}; }
        cpu::CpuidAnswer identity(std::uint32_t) override { return {}; }
        std::uint64_t read_tsc() override { return 0; }
        std::optional<std::uint64_t> read_msr(std::uint32_t) override { return std::nullopt; }
        bool write_msr(std::uint32_t, std::uint64_t) override { return false; }
        void own_msr(bool, std::uint32_t, std::uint64_t) override {}
        std::optional<std::uint64_t> read_counter(std::uint32_t) override { return std::nullopt; }
        std::uint32_t hypercall(const cpu::Registers& registers) override { return registers.eax; }
        void mode_changed() override {}
        void instruction(const cpu::Executed&) override {}
        void instruction_done(std::uint32_t) override {}
        void block_done(const cpu::CodeAddress&, unsigned) override {}
        void data_access(std::uint32_t, unsigned, bool) override {}
        std::uint64_t next_budget() override { return 0; }
    };

    void start();  // into protected mode
    void lay_out(const Case& wanted, std::uint32_t code);
    void take(const cpu::Exit& exit, Result& result);

    static constexpr std::size_t kRomBytes = 4096;
    std::vector<std::uint8_t> rom_;
    bus::Memory memory_;
    bus::MmioTable windows_;
    Client client_;
    std::string name_;
    std::string missing_;
    std::unique_ptr<cpu::Cpu> cpu_;
    cpu::X86State state_;
    std::uint32_t next_code_ = 0;
};

}  // namespace sla::instructions
