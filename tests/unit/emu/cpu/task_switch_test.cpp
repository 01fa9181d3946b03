// Task gates as specified, on registers and memory alone: the way in and back, and everything a guest can have wrong.
#include "emu/cpu/task_switch.h"
#include "emu/cpu/linear_memory.h"

#include <gtest/gtest.h>

#include <cstring>

namespace sla::cpu {
namespace {

constexpr std::uint32_t kGdt = 0x1000;
constexpr std::uint32_t kIdt = 0x2000;
constexpr std::uint32_t kOldTask = 0x3000;
constexpr std::uint32_t kNewTask = 0x4000;
constexpr std::uint16_t kCodeSelector = 0x08;
constexpr std::uint16_t kDataSelector = 0x10;
constexpr std::uint16_t kOldSelector = 0x18;
constexpr std::uint16_t kNewSelector = 0x20;
constexpr std::uint16_t kAbsentSelector = 0x28;
constexpr std::uint8_t kVector = 0x21;

class TaskGate : public testing::Test {
protected:
    TaskGate() {
        descriptor(kCodeSelector, 0x0000FFFF, 0x00CF9A00);
        descriptor(kDataSelector, 0x0000FFFF, 0x00CF9200);
        descriptor(kOldSelector, kOldTask << 16 | 0x67, 0x8B00);
        descriptor(kNewSelector, kNewTask << 16 | 0x67, 0x8900);
        descriptor(kAbsentSelector, 0x0000FFFF, 0x00CF1200);
        gate(kNewSelector);
        state.cr0 = control::kProtectionEnable;
        state.gdt = {kGdt, 0x2F};
        state.idt = {kIdt, 0x7FF};
        LinearMemory memory(ram, write, state);
        state.task = *read_descriptor(kOldSelector, state, memory);
        state.segments[kCs] = *read_descriptor(kCodeSelector, state, memory);
        state.segments[kSs] = state.segments[kDs] = *read_descriptor(kDataSelector, state, memory);
        state.eip = 0x1234;
        state.eflags = 0x47;
        state.general[kEax] = 0xAAAA;
        put(kNewTask + 0x20, 0x5678);
        put(kNewTask + 0x24, 0x893);
        put(kNewTask + 0x28, 0xBBBB);
        put(kNewTask + 0x38, 0x9000);
        put(kNewTask + 0x4C, kCodeSelector);
        put(kNewTask + 0x50, kDataSelector);
    }
    void put(std::uint32_t at, std::uint32_t value) { std::memcpy(ram.at(at, 4).data(), &value, 4); }
    std::uint32_t get(std::uint32_t at) {
        std::uint32_t value = 0;
        std::memcpy(&value, ram.at(at, 4).data(), 4);
        return value;
    }
    void descriptor(std::uint16_t selector, std::uint32_t low, std::uint32_t high) {
        put(kGdt + selector, low), put(kGdt + selector + 4, high);
    }
    void gate(std::uint16_t selector) {
        put(kIdt + 8 * kVector, std::uint32_t{selector} << 16), put(kIdt + 8 * kVector + 4, 0x8500);
    }
    std::optional<Fault> enter(std::optional<std::uint32_t> error_code = {}) {
        const auto kind = error_code ? Interrupt::Kind::kException : Interrupt::Kind::kSoftware;
        return deliver({kVector, kind, error_code, 0x1232}, state, ram, write);
    }
    std::optional<Fault> leave() {
        LinearMemory memory(ram, write, state);
        return TaskSwitch(state, memory, 0).leave();
    }
    // The present task goes on, at the INT.
    void expect_refused(std::uint8_t number, std::uint32_t error_code) {
        const auto fault = enter();
        ASSERT_TRUE(fault);
        EXPECT_EQ(fault->vector, number);
        EXPECT_EQ(fault->error_code, error_code);
        EXPECT_EQ(state.eip, 0x1232U);
        EXPECT_EQ(state.task.selector, kOldSelector);
        EXPECT_EQ(state.general[kEax], 0xAAAAU);
    }
    // The new task has the fault.
    void expect_fault_inside(std::uint8_t number, std::uint32_t error_code) {
        const auto fault = enter();
        ASSERT_TRUE(fault);
        EXPECT_EQ(fault->vector, number);
        EXPECT_EQ(fault->error_code, error_code);
        EXPECT_EQ(state.eip, 0x5678U);
        EXPECT_EQ(state.task.selector, kNewSelector);
    }

    bus::Memory ram{bus::Memory::kMegabyte};
    PhysicalWrite write = [this](std::uint32_t at, std::span<const std::uint8_t> bytes) {
        std::memcpy(ram.at(at, bytes.size()).data(), bytes.data(), bytes.size());
    };
    X86State state;
};

TEST_F(TaskGate, LeadsToTheTaskAndBack) {
    ASSERT_FALSE(enter());
    EXPECT_EQ(state.eip, 0x5678U);
    EXPECT_EQ(state.general[kEax], 0xBBBBU);
    EXPECT_EQ(state.eflags, 0x893U | flag::kNestedTask);
    EXPECT_EQ(state.cr0 & control::kTaskSwitched, control::kTaskSwitched);
    EXPECT_EQ(get(kNewTask) & 0xFFFF, kOldSelector) << "the back link";
    EXPECT_EQ(get(kOldTask + 0x20), 0x1234U);
    EXPECT_EQ(get(kGdt + kNewSelector + 4) & 0xFF00, 0x8B00U) << "busy";
    state.eip = 0x5680;
    ASSERT_FALSE(leave());
    EXPECT_EQ(state.eip, 0x1234U);
    EXPECT_EQ(state.eflags, 0x47U);
    EXPECT_EQ(state.general[kEax], 0xAAAAU);
    EXPECT_EQ(state.task.selector, kOldSelector);
    EXPECT_EQ(get(kNewTask + 0x20), 0x5680U) << "where it goes on next time";
    EXPECT_EQ(get(kGdt + kNewSelector + 4) & 0xFF00, 0x8900U) << "free";
    EXPECT_EQ(get(kGdt + kOldSelector + 4) & 0xFF00, 0x8B00U);
}

TEST_F(TaskGate, PushesTheErrorCodeInTheNewTask) {
    ASSERT_FALSE(enter(0x50));
    EXPECT_EQ(state.general[kEsp], 0x8FFCU);
    EXPECT_EQ(get(0x8FFC), 0x50U);
}

TEST_F(TaskGate, EntersVirtual8086Mode) {
    put(kNewTask + 0x24, flag::kVirtual8086 | 2);
    put(kNewTask + 0x4C, 0x1000);
    ASSERT_FALSE(enter());
    EXPECT_EQ(state.segments[kCs].base, 0x10000U);
    EXPECT_EQ(state.cpl, 3U);
}

TEST_F(TaskGate, RefusesWhatIsNoFreeTask) {
    gate(0);
    expect_refused(vector::kGeneralProtection, 0);
    gate(kDataSelector);
    expect_refused(vector::kGeneralProtection, kDataSelector);
    gate(kNewSelector | kLocalTable);
    expect_refused(vector::kGeneralProtection, kNewSelector | kLocalTable);
    gate(0x30);
    expect_refused(vector::kGeneralProtection, 0x30);
    gate(kOldSelector);
    expect_refused(vector::kGeneralProtection, kOldSelector);
    gate(kNewSelector);
    descriptor(kNewSelector, kNewTask << 16 | 0x2B, 0x8100);
    expect_refused(vector::kGeneralProtection, kNewSelector);
    descriptor(kNewSelector, kNewTask << 16 | 0x67, 0x0900);
    expect_refused(vector::kNotPresent, kNewSelector);
    descriptor(kNewSelector, kNewTask << 16 | 0x66, 0x8900);
    expect_refused(vector::kInvalidTss, kNewSelector);
}

TEST_F(TaskGate, FaultsInTheNewTaskWhenItsSegmentsAreWrong) {
    const X86State before = state;
    const auto again = [&] {
        state = before;
        descriptor(kNewSelector, kNewTask << 16 | 0x67, 0x8900);
    };
    put(kNewTask + 0x4C, kDataSelector);
    expect_fault_inside(vector::kInvalidTss, kDataSelector);
    again(), put(kNewTask + 0x4C, kCodeSelector), put(kNewTask + 0x50, kCodeSelector);
    expect_fault_inside(vector::kInvalidTss, kCodeSelector);
    again(), put(kNewTask + 0x50, kAbsentSelector);
    expect_fault_inside(vector::kStackFault, kAbsentSelector);
    again(), put(kNewTask + 0x50, kDataSelector), put(kNewTask + 0x54, kAbsentSelector);
    expect_fault_inside(vector::kNotPresent, kAbsentSelector);
    again(), put(kNewTask + 0x54, 0), put(kNewTask + 0x60, kDataSelector);
    expect_fault_inside(vector::kInvalidTss, kDataSelector);
}

TEST_F(TaskGate, DoesNotGoBackToATaskThatIsNotBusy) {
    ASSERT_FALSE(enter());
    put(kNewTask, kCodeSelector);
    const auto fault = leave();
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->vector, vector::kInvalidTss);
    EXPECT_EQ(fault->error_code, kCodeSelector);
    EXPECT_EQ(state.task.selector, kNewSelector);
}

}  // namespace
}  // namespace sla::cpu
