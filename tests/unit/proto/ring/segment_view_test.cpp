#include "tests/support/test_segment.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cstring>

namespace sla::ring {
namespace {

using support::TestSegment;

int memfd_of(std::uint64_t bytes, bool sealed) {
    int fd = memfd_create("not-a-segment", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    EXPECT_EQ(ftruncate(fd, static_cast<off_t>(bytes)), 0);
    EXPECT_EQ(sealed ? fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) : 0, 0);
    return fd;
}

std::string refusal(int fd) {
    Result<SegmentView> view = SegmentView::map(fd);
    return view ? "" : view.error().message;
}

TEST(SegmentView, ReadsWhatTheProgramSaysOfItself) {
    TestSegment segment;
    segment.add_channel("net.rx", "x86.port");
    SegmentView view = segment.view();
    EXPECT_EQ(view.program(), "test program");
    EXPECT_EQ(view.channel_count(), 1u);
    EXPECT_EQ(view.channel(1).name, "net.rx");
    EXPECT_EQ(view.channel(1).format, "x86.port");
}

TEST(SegmentView, ReadsHowEachChannelIsStampedAndBelievesNothingElse) {
    TestSegment segment;
    for (int i = 0; i < 34; i++) segment.add_channel("c" + std::to_string(i));
    segment.header().ordered_section_ticks[0] = 70;
    segment.header().ordered_section_ticks[1] = 90;
    segment.header().stamping[0] = 1 | 2 << 2 | 3 << 4;
    segment.header().stamping[1] = 2 << 2;
    const auto stamped = [&](std::uint32_t index) {
        const ChannelDescription channel = segment.view().channel(index);
        return std::pair<sla_stamping, std::uint32_t>(channel.stamping, channel.section_ticks);
    };
    EXPECT_EQ(stamped(1), std::pair(SLA_RDTSCP, 70u));
    EXPECT_EQ(stamped(2), std::pair(SLA_LFENCE_RDTSC, 90u));
    EXPECT_EQ(stamped(3), std::pair(SLA_RDTSC, 0u)) << "a number that nobody knows";
    EXPECT_EQ(stamped(4), std::pair(SLA_RDTSC, 0u)) << "as of programs that do not know of it";
    EXPECT_EQ(stamped(33), std::pair(SLA_RDTSC, 0u));
    EXPECT_EQ(stamped(34), std::pair(SLA_LFENCE_RDTSC, 90u));
    segment.header().stamp_clock = SLA_STAMP_MONOTONIC_RAW;
    EXPECT_EQ(stamped(1), std::pair(SLA_RDTSC, 0u)) << "no TSC, no order of it";
}

TEST(SegmentView, RefusesWhatIsNoSealedMemfdOfTheRightSize) {
    EXPECT_NE(refusal(memfd_of(SLA_SEGMENT_BYTES, false)).find("sealed"), std::string::npos);
    EXPECT_NE(refusal(memfd_of(4096, true)).find("4096 bytes"), std::string::npos);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    EXPECT_NE(refusal(ends[0]).find("sealed"), std::string::npos);
    close(ends[1]);
    EXPECT_NE(refusal(memfd_of(SLA_SEGMENT_BYTES, true)).find("does not begin"), std::string::npos) << "all zero";
}

TEST(SegmentView, RefusesAnotherVersionAndNamesBoth) {
    TestSegment segment;
    segment.header().version = 77;
    std::string why = refusal(segment.hand_over());
    EXPECT_NE(why.find("77"), std::string::npos);
    EXPECT_NE(why.find(std::to_string(SLA_ABI_VERSION)), std::string::npos);
}

TEST(SegmentView, NeverCountsMoreThanTheAbiAllows) {
    TestSegment segment;
    segment.header().channel_count = 0xffffffff;
    segment.header().ring_count = 0xffffffff;
    SegmentView view = segment.view();
    EXPECT_EQ(view.channel_count(), SLA_MAX_CHANNELS);
    EXPECT_EQ(view.ring_count(), SLA_MAX_RINGS);
}

TEST(SegmentView, MakesHostileNamesHarmless) {
    TestSegment segment;
    std::uint32_t index = segment.add_channel("x");
    auto* name = reinterpret_cast<char*>(segment.at(SLA_CHANNEL_OFFSET)) + offsetof(sla_channel_descriptor, name);
    std::memset(name, 'a', SLA_NAME_BYTES);
    SegmentView view = segment.view();
    EXPECT_EQ(view.channel(index).name, std::string(SLA_NAME_BYTES, 'a')) << "no NUL anywhere";
    std::memcpy(name, "a\xff\x1b[2J\xc3", 8);
    EXPECT_EQ(view.channel(index).name, "a??[2J?");
    std::memcpy(name,
                "gr\xc3\xb6\xc3\x9f"
                "e",
                8);
    EXPECT_EQ(view.channel(index).name, "größe");
    name[0] = '\0';
    EXPECT_EQ(view.channel(index).name, "unnamed");
}

TEST(SegmentView, GivesNoBytesOutsideTheArena) {
    TestSegment segment;
    SegmentView view = segment.view();
    EXPECT_NE(view.arena(SLA_ARENA_OFFSET, SLA_ARENA_BYTES), nullptr);
    EXPECT_EQ(view.arena(SLA_ARENA_OFFSET, SLA_ARENA_BYTES + 1), nullptr);
    EXPECT_EQ(view.arena(0, 16), nullptr);
    EXPECT_EQ(view.arena(SLA_SEGMENT_BYTES, 16), nullptr);
    EXPECT_EQ(view.arena(~std::uint64_t{0} - 8, 16), nullptr);
    EXPECT_EQ(view.arena(SLA_ARENA_OFFSET + 8, 16), nullptr) << "not aligned";
}

}  // namespace
}  // namespace sla::ring
