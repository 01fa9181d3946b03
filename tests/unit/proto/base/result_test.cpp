#include "proto/base/result.h"

#include "proto/base/strong_id.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <memory>
#include <type_traits>
#include <unordered_set>

namespace sla {
namespace {

Result<int> half(int number) {
    if (number % 2 != 0) return invalid_input("odd");
    return number / 2;
}

TEST(Result, HoldsTheValueOfACallThatWorked) {
    const Result<int> result = half(8);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(*result, 4);
}

TEST(Result, HoldsTheErrorOfACallThatFailed) {
    const Result<int> result = half(7);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "odd");
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidInput);
}

TEST(Result, MovesWhatCannotBeCopied) {
    Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
    const std::unique_ptr<int> number = std::move(result).value();
    EXPECT_EQ(*number, 5);
}

TEST(Result, OfNothingSaysOnlyWhetherItWorked) {
    EXPECT_TRUE(Result<void>().ok());
    EXPECT_EQ(Result<void>(damaged("torn")).error().message, "torn");
}

TEST(ResultDeathTest, ReadingTheValueOfAFailureStopsTheProgram) {
    EXPECT_DEATH(static_cast<void>(half(7).value()), "internal check failed");
    EXPECT_DEATH(static_cast<void>(half(8).error()), "internal check failed");
    EXPECT_DEATH(static_cast<void>(Result<void>().error()), "internal check failed");
}

TEST(Error, GivesTheExitCodesOfTheCommandLineContract) {
    EXPECT_EQ(exit_code(not_found("")), 1);
    EXPECT_EQ(exit_code(invalid_input("")), 2);
    EXPECT_EQ(exit_code(damaged("")), 3);
    EXPECT_EQ(exit_code(unavailable("")), 3);
}

TEST(Error, OfTheSystemSaysWhatFailedAndWhy) {
    EXPECT_EQ(system_error("cannot open 'x'", ENOENT).message, "cannot open 'x': No such file or directory");
}

TEST(StrongId, OfDifferentSortsDoNotMix) {
    static_assert(!std::is_convertible_v<ChannelId, SourceId>);
    static_assert(!std::is_constructible_v<ChannelId, ThreadId>);
    EXPECT_LT(ChannelId{1}, ChannelId{2});
    EXPECT_TRUE((std::unordered_set<ChannelId>{{1}, {2}, {1}}.size() == 2));
}

}  // namespace
}  // namespace sla
