// Images of random bytes: the run ends within its time, with a message, whatever the bytes mean.
#include "tests/unit/emu/support/test_pc.h"

#include <random>

namespace sla::vmm {
namespace {

class RandomImage : public testing::TestWithParam<unsigned> {};

TEST_P(RandomImage, EndsWithAMessage) {
    std::mt19937 random(GetParam());
    std::vector<std::uint8_t> image(4096);
    for (auto& byte : image) byte = static_cast<std::uint8_t>(random());
    // Else most images would not even leave the reset vector: it jumps into the middle.
    const std::vector<std::uint8_t> jump{0xEA, 0x00, 0xF4, 0x00, 0xF0};
    std::copy(jump.begin(), jump.end(), image.begin() + 0xFF0);

    TestPc pc(image);
    const Outcome end = pc.run(TestPc::kSecond / 1000);
    EXPECT_FALSE(end.message.empty());
    EXPECT_LT(pc.seen.events.size(), 20'000'000U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomImage, testing::Range(1U, 17U));

}  // namespace
}  // namespace sla::vmm
