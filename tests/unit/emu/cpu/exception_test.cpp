#include "emu/cpu/unicorn/unicorn_exception.h"

#include <gtest/gtest.h>

namespace sla::cpu {
namespace {

TEST(ExceptionCalibration, FindsAndProvesTheLayoutOfThisLibrary) {
    const auto layout = calibrate_exceptions();
    ASSERT_TRUE(layout.ok()) << layout.error().message;
    EXPECT_EQ(layout->from_int, layout->error_code + 4);
    EXPECT_GT(layout->in_flight, layout->from_int);
}

TEST(ExceptionCalibration, GivesTheSameAnswerEveryTime) {
    const auto first = calibrate_exceptions();
    const auto second = calibrate_exceptions();
    ASSERT_TRUE(first.ok() && second.ok());
    EXPECT_EQ(first->in_flight, second->in_flight);
}

TEST(UnicornEngine, EntersRealModeAtTheResetVector) {
    auto engine = UnicornEngine::open();
    ASSERT_TRUE(engine.ok());
    ASSERT_EQ(uc_mem_map(engine->get(), 0, 1 << 20, UC_PROT_ALL), UC_ERR_OK);
    const auto entered = engine->enter_real_mode(0xF000, 0xFFF0);
    ASSERT_TRUE(entered.ok()) << entered.error().message;
    EXPECT_EQ(engine->read(UC_X86_REG_CS), 0xF000U);
    EXPECT_EQ(engine->read(UC_X86_REG_EIP), 0xFFF0U);
    EXPECT_EQ(engine->read(UC_X86_REG_EAX), 0U);
    EXPECT_EQ(engine->read(UC_X86_REG_EFLAGS) & 0x200, 0U) << "interrupts off";
}

}  // namespace
}  // namespace sla::cpu
