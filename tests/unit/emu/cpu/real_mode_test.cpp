#include "emu/cpu/real_mode.h"

#include <gmock/gmock.h>

namespace sla::cpu {
namespace {

using testing::ElementsAre;

TEST(RealModeFrame, PushesFlagsCsAndIp) {
    const auto frame = make_real_mode_frame(0x0246, 0xF000, 0xE05B, 0x1000, 0x8000);
    EXPECT_THAT(frame.words, ElementsAre(0x0246, 0xF000, 0xE05B));
    EXPECT_THAT(frame.addresses, ElementsAre(0x17FFE, 0x17FFC, 0x17FFA));
    EXPECT_EQ(frame.sp, 0x7FFA);
}

TEST(RealModeFrame, WrapsTheStackWithinItsSegment) {
    const auto frame = make_real_mode_frame(2, 0, 0, 0x2000, 2);
    EXPECT_THAT(frame.addresses, ElementsAre(0x20000, 0x2FFFE, 0x2FFFC));
    EXPECT_EQ(frame.sp, 0xFFFC);
}

}  // namespace
}  // namespace sla::cpu
