// A guest made of a few arrays, for the protocol's tests and fuzzer.
#pragma once

#include "emu/gdb/packet.h"
#include "emu/gdb/target.h"
#include "emu/gdb/target_description.h"

#include <array>
#include <string>
#include <vector>

namespace sla::gdb {

class FakeTarget final : public Target {
public:
    static constexpr std::uint32_t kMemory = 0x100;  // bytes, from 0

    bool code16() const override { return true; }
    std::optional<std::uint32_t> read_register(std::size_t number) const override {
        if (number >= kFirstFloating && number < kFirstSystem) return std::nullopt;
        return registers[number];
    }
    bool write_register(std::size_t number, std::uint32_t value) override {
        if (number > kFlagsNumber && number + 1 != kRegisters.size()) return false;
        if (number + 1 == kRegisters.size()) registers[kEipNumber] = value;
        registers[number] = value;
        if (number == kEipNumber) registers.back() = value;  // EIP itself; the code is flat
        return true;
    }
    std::optional<std::uint8_t> read_byte(std::uint32_t linear) const override {
        if (linear >= kMemory) return std::nullopt;
        return memory[linear];
    }
    bool write_memory(std::uint32_t linear, std::string_view bytes) override {
        ++writes;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            if (linear >= kMemory || i >= kMemory - linear) return false;
            memory[linear + i] = static_cast<std::uint8_t>(bytes[i]);
        }
        return true;
    }
    Result<void> add_point(PointKind kind, std::uint32_t address, std::uint32_t) override {
        if (kind == PointKind::kRead) return invalid_input("no reads here");
        points.push_back(address);
        return {};
    }
    void remove_point(PointKind, std::uint32_t address, std::uint32_t) override { std::erase(points, address); }
    void remove_all_points() override { points.clear(); }
    std::optional<PointKind> code_point(std::uint32_t) const override { return PointKind::kSoftware; }
    void resume(bool step) override { did += step ? "s" : "c"; }
    bool goes_back() const override { return past != 0; }
    Result<std::optional<cpu::StopPoints::Found>> go_back(bool step) override {
        if (past < 0) return invalid_input("something came in there");
        did += step ? "S" : "C";
        return past-- > 1 ? std::optional(met) : std::nullopt;
    }
    void interrupt() override { did += "i"; }
    void kill() override { did += "k"; }
    Result<std::string> command(const std::string& line) override {
        if (line == "silent") return std::string();
        if (line == "long") {
            std::string text;
            while (text.size() < kMaxPacket) text += "line\n";
            return text;
        }
        return "did " + line + "\n";
    }

    std::array<std::uint32_t, kRegisters.size()> registers{};
    std::array<std::uint8_t, kMemory> memory{};
    std::vector<std::uint32_t> points;
    std::string did;
    int writes = 0;                                                    // of memory
    cpu::StopPoints::Found met{cpu::StopPoints::Why::kCode, 0xFF1B1};  // back there
    int past = 0;  // how often it goes back, and once more to the beginning; negative: refused
};

}  // namespace sla::gdb
