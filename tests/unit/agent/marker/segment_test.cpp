// The segment, its descriptors, the memory under it, and the files it is made of.
#include "tests/unit/agent/marker/agent_stub.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <csignal>

#include <thread>

extern "C" {
#include "agent/marker/rings.h"
}

namespace sla {
namespace {

TEST(SegmentTest, IsASealedFileThatSaysWhoseItIs) {
    ASSERT_TRUE(sla_segment_create());
    ASSERT_TRUE(sla_segment_create()) << "the same again";
    const sla_segment_header* header = sla_segment();
    EXPECT_EQ(header->magic, SLA_SEGMENT_MAGIC);
    EXPECT_EQ(header->pid, static_cast<std::uint32_t>(getpid()));
    EXPECT_GT(header->start_time, 0u);
    EXPECT_NE(std::string(header->command).find("unit_agent_marker"), std::string::npos) << header->command;
    const int fd = sla_segment_fd();
    ASSERT_GE(fd, 0);
    EXPECT_EQ(ftruncate(fd, 4096), -1) << "it cannot shrink under the agent";
    EXPECT_EQ(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    struct stat info {};
    ASSERT_EQ(fstat(fd, &info), 0);
    EXPECT_EQ(static_cast<std::uint64_t>(info.st_size), SLA_SEGMENT_BYTES);
}

TEST(SegmentTest, ADescribedSourceHasThatName) {
    ASSERT_TRUE(sla_segment_create());
    sla_describe_source("a machine", SLA_SOURCE_PC);
    EXPECT_STREQ(sla_segment()->program, "a machine");
    EXPECT_EQ(sla_segment()->source_kind, static_cast<std::uint32_t>(SLA_SOURCE_PC));
    sla_describe_source(nullptr, SLA_SOURCE_PROGRAM);
    EXPECT_STREQ(sla_segment()->program, program_invocation_short_name);
}

TEST(SegmentTest, WhereItsNumberWasTakenItIsLetGoAndRenewedWithAllThatWasInIt) {
    ASSERT_TRUE(sla_segment_create());
    sla_channel channel{};
    channel.name = "segment.renewed";
    channel.format = "";
    channel.capacity = 64;
    channel.index = sla_register_channel(&channel);
    ASSERT_TRUE(sla_claim_ring(&channel, SLA_WIDTH_PLAIN, &channel.own));
    channel.armed = SLA_ARMED_ON;
    channel.owner = channel.direct = sla_self();
    for (int i = 0; i < 5; i++) SLA_VALUE(&channel, i);
    const int number = sla_segment_fd();
    int pair[2];
    ASSERT_EQ(pipe(pair), 0);
    ASSERT_EQ(dup2(pair[0], number), number);
    EXPECT_EQ(sla_segment_fd(), -1);
    ASSERT_TRUE(sla_segment_renew(true));
    EXPECT_NE(sla_segment_fd(), number);
    EXPECT_EQ(write(pair[1], "x", 1), 1);
    char byte = 0;
    EXPECT_EQ(read(number, &byte, 1), 1) << "the number is the program's, and untouched";
    void* file = mmap(nullptr, SLA_SEGMENT_BYTES, PROT_READ, MAP_SHARED | MAP_NORESERVE, sla_segment_fd(), 0);
    ASSERT_NE(file, MAP_FAILED);
    SLA_VALUE(&channel, 5);
    const auto* slots = reinterpret_cast<const sla_slot_plain*>(static_cast<const char*>(file) + channel.own.ring->offset);
    for (std::uint64_t i = 0; i < 6; i++) EXPECT_EQ(slots[i].value, i);
    munmap(file, SLA_SEGMENT_BYTES);
    close(number);
    close(pair[0]);
    close(pair[1]);
}

// SLA_SEGMENT_BYTES lie above the limit: the signal that would end the process does not come, and one that waits stays.
TEST(SegmentTest, BeyondTheLimitOfFileSizesThereIsNoSegmentAndNoSignal) {
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{4096, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    std::thread([] {  // nothing is made yet on this path: the segment of other tests in this process stays as it is
        EXPECT_FALSE(sla_segment_renew(true));
        sigset_t too_big;
        sigset_t pending;
        sigemptyset(&too_big);
        sigaddset(&too_big, SIGXFSZ);
        sigpending(&pending);
        EXPECT_FALSE(sigismember(&pending, SIGXFSZ));
        pthread_sigmask(SIG_BLOCK, &too_big, nullptr);
        pthread_kill(pthread_self(), SIGXFSZ);
        EXPECT_FALSE(sla_segment_renew(true));
        sigpending(&pending);
        EXPECT_TRUE(sigismember(&pending, SIGXFSZ)) << "this one was the program's";
    })
        .join();
    setrlimit(RLIMIT_FSIZE, &before);
}

// A file that is shorter than its mapping: its pages cannot be had, as in a control group without memory.
TEST(MemoryTest, WhatCannotBeHadIsNotTouched) {
    ASSERT_TRUE(sla_segment_create());
    const int empty = memfd_create("empty", MFD_CLOEXEC);
    unsigned char* arena = reinterpret_cast<unsigned char*>(sla_segment());
    const std::uint64_t next = (sla_segment()->arena_next + 4095) / 4096 * 4096;
    void* gone = mmap(arena + next, std::size_t{1} << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, empty, 0);
    ASSERT_NE(gone, MAP_FAILED);
    EXPECT_FALSE(sla_populate(gone, 8192));
    sla_channel channel{};
    channel.name = "memory.gone";
    channel.format = "";
    channel.capacity = 1024;
    channel.index = sla_register_channel(&channel);
    const std::uint32_t rings = sla_segment()->ring_count;
    EXPECT_FALSE(sla_claim_ring(&channel, SLA_WIDTH_PLAIN, &channel.own));
    EXPECT_EQ(sla_segment()->ring_count, rings) << "nothing was claimed";
    sla_count_no_ring(&channel);
    EXPECT_EQ(sla_descriptor(channel.index)->lost_no_ring, 1u);
    EXPECT_GT(sla_descriptor(channel.index)->lost_first_tick, 0u);
    munmap(gone, std::size_t{1} << 20);
    mmap(gone, std::size_t{1} << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, sla_segment_fd(),
         static_cast<off_t>(next));
    EXPECT_TRUE(sla_claim_ring(&channel, SLA_WIDTH_PLAIN, &channel.own));
    close(empty);
}

TEST(FilesTest, ADescriptorIsParkedHighAndKnownByItsFile) {
    const int low = open("/dev/null", O_RDONLY | O_CLOEXEC);
    sla_file file{};
    ASSERT_TRUE(sla_file_keep(&file, low));
    EXPECT_GT(file.fd, low);
    EXPECT_EQ(fcntl(low, F_GETFD), -1) << "the low number is free again";
    EXPECT_EQ(fcntl(file.fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    EXPECT_TRUE(sla_file_is_ours(&file));
    const int number = file.fd;
    int pair[2];
    ASSERT_EQ(pipe(pair), 0);
    ASSERT_EQ(dup2(pair[0], number), number);
    EXPECT_FALSE(sla_file_is_ours(&file));
    sla_file_close(&file);
    EXPECT_EQ(file.fd, -1);
    EXPECT_GE(fcntl(number, F_GETFD), 0) << "somebody else's: left open";
    close(number);
    close(pair[0]);
    close(pair[1]);
}

TEST(FilesTest, WhereHighNumbersAreForbiddenTheLowOneIsKept) {
    rlimit before{};
    getrlimit(RLIMIT_NOFILE, &before);
    const rlimit few{30, before.rlim_max};
    const int low = open("/dev/null", O_RDONLY | O_CLOEXEC);
    setrlimit(RLIMIT_NOFILE, &few);
    sla_file file{};
    EXPECT_TRUE(sla_file_keep(&file, low));
    setrlimit(RLIMIT_NOFILE, &before);
    EXPECT_EQ(file.fd, low);
    sla_file_close(&file);
    EXPECT_EQ(fcntl(low, F_GETFD), -1);
}

TEST(FilesTest, AFileIsReadAsTextThatEnds) {
    char text[6];
    EXPECT_EQ(sla_read_file("/proc/self/comm", text, sizeof text), 5);
    EXPECT_EQ(std::strlen(text), 5u);
    EXPECT_EQ(sla_read_file("/does/not/exist", text, sizeof text), -1);
}

}  // namespace
}  // namespace sla
