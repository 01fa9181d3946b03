// The models of a Pentium's parts, against counts made by hand.
#include "emu/pmc/p5.h"

#include <gtest/gtest.h>

#include <vector>

namespace sla::pmc {
namespace {

constexpr std::uint64_t kRam = 1U << 20;

using Code = std::vector<std::uint8_t>;

TEST(P5Caches, FillOnReadMissesOnlyAndKeepTwoLinesOfASet) {
    P5Counts counts;
    P5Caches caches(counts, kRam);
    caches.data(0x1000, 4, true);
    caches.data(0x1000, 4, true);
    EXPECT_EQ(counts.data_write_misses, 2U) << "a write that misses fills nothing";
    caches.data(0x1000, 4, false);
    caches.data(0x101C, 4, false);
    EXPECT_EQ(counts.data_read_misses, 1U) << "one line";
    caches.data(0x1004, 4, true);
    EXPECT_EQ(counts.write_hits_owned, 1U);
    caches.data(0x2000, 4, false);
    caches.data(0x1000, 4, false);
    caches.data(0x3000, 4, false);  // takes the place of 2000h
    EXPECT_EQ(counts.lines_written_back, 0U);
    caches.data(0x2000, 4, false);  // of 1000h, which was written
    EXPECT_EQ(counts.lines_written_back, 1U);
    EXPECT_EQ(counts.data_read_misses, 4U);
}

TEST(P5Caches, SeeAnAccessAcrossLinesAsTwoAndOneToVideoMemoryAsNone) {
    P5Counts counts;
    P5Caches caches(counts, kRam);
    caches.data(0x101E, 4, false);
    EXPECT_EQ(counts.data_read_misses, 2U);
    caches.data(0xB8000, 2, true);
    caches.data(0xFEE00000, 4, false);
    EXPECT_EQ(counts.noncacheable, 2U);
    EXPECT_EQ(counts.data_read_misses + counts.data_write_misses, 2U);
}

TEST(P5Caches, WriteBackWhatIsModifiedWhenTold) {
    P5Counts counts;
    P5Caches caches(counts, kRam);
    for (std::uint32_t line = 0; line < 10; ++line) caches.data(line * 32, 1, false);
    for (std::uint32_t line = 0; line < 3; ++line) caches.data(line * 32, 1, true);
    caches.invalidate(true);
    EXPECT_EQ(counts.lines_written_back, 3U);
    caches.invalidate(true);
    EXPECT_EQ(counts.lines_written_back, 3U);
    caches.data(0, 1, false);
    EXPECT_EQ(counts.data_read_misses, 11U) << "empty";
}

TEST(P5Caches, HoldSixtyFourPagesOfDataAndThirtyTwoOfCode) {
    P5Counts counts;
    P5Caches caches(counts, kRam);
    for (int round = 0; round < 2; ++round) {
        for (std::uint32_t page = 0; page < 64; ++page) caches.data(page << 12, 1, false);
        for (std::uint32_t page = 0; page < 32; ++page) caches.code(page << 12);
    }
    EXPECT_EQ(counts.data_tlb_misses, 64U);
    EXPECT_EQ(counts.code_tlb_misses, 32U);
    for (int round = 0; round < 2; ++round) {
        for (std::uint32_t page = 0; page < 5; ++page) caches.code(page << 15);  // five of one set of four
    }
    EXPECT_EQ(counts.code_tlb_misses, 32U + 6) << "four of them were there";
}

TEST(P5Branches, PredictALoopButForItsFirstAndItsLastTurn) {
    P5Counts counts;
    P5Branches branches(counts);
    for (int turn = 0; turn < 100; ++turn) branches.near_branch(0x1000, turn < 99, 0xF00);
    EXPECT_EQ(counts.btb_hits, 99U);
    EXPECT_EQ(counts.taken_or_btb_hits, 100U);
    EXPECT_EQ(counts.pipeline_flushes, 2U);
    branches.near_branch(0x1000, true, 0xF00);
    EXPECT_EQ(counts.pipeline_flushes, 2U) << "one exit does not make it forget";
    branches.near_branch(0x1000, true, 0xE00);
    EXPECT_EQ(counts.pipeline_flushes, 3U) << "another target";
    branches.near_branch(0x2000, false, 0);
    EXPECT_EQ(counts.btb_hits, 101U) << "what is never taken has no entry, and needs none";
}

struct Pair {
    const char* what;
    Code first, second;
    bool together;
};

TEST(P5Pipes, PairWhatTheRulesLetThem) {
    const std::vector<Pair> pairs{
        {"mov eax,1 | mov ebx,2", {0xB8, 1, 0, 0, 0}, {0xBB, 2, 0, 0, 0}, true},
        {"mov eax,1 | mov eax,2: both write it", {0xB8, 1, 0, 0, 0}, {0xB8, 2, 0, 0, 0}, false},
        {"inc eax | mov ebx,eax: V reads it", {0x40}, {0x89, 0xC3}, false},
        {"mov ebx,eax | inc eax: U reads it", {0x89, 0xC3}, {0x40}, true},
        {"mov al,1 | mov ah,2: parts of one register", {0xB0, 1}, {0xB4, 2}, false},
        {"cmp eax,ebx | jnz", {0x39, 0xD8}, {0x75, 0}, true},
        {"jnz | inc eax: jumps only in V", {0x75, 0}, {0x40}, false},
        {"adc eax,ebx | inc ecx", {0x11, 0xD8}, {0x41}, true},
        {"inc ecx | adc eax,ebx: carry only in U", {0x41}, {0x11, 0xD8}, false},
        {"shl eax,1 | inc ebx", {0xD1, 0xE0}, {0x43}, true},
        {"rol eax,3 | inc ebx: never", {0xC1, 0xC0, 3}, {0x43}, false},
        {"mul ebx | inc ecx: never", {0xF7, 0xE3}, {0x41}, false},
        {"push eax | push ebx", {0x50}, {0x53}, true},
        {"pop eax | pop ebx", {0x58}, {0x5B}, true},
        {"push eax | call", {0x50}, {0xE8, 0, 0, 0, 0}, true},
        {"mov byte [eax+4],5 | inc ebx: displacement and number", {0xC6, 0x40, 4, 5}, {0x43}, false},
        {"es: mov eax,[ebx] | inc ecx: a prefix goes in U", {0x26, 0x8B, 0x03}, {0x41}, true},
        {"inc ecx | es: mov eax,[ebx]", {0x41}, {0x26, 0x8B, 0x03}, false},
        {"mov ecx,[eax] | mov edx,[ebx]", {0x8B, 0x08}, {0x8B, 0x13}, true},
    };
    for (const Pair& pair : pairs) {
        P5Counts counts;
        P5Pipes pipes(counts);
        pipes.run(describe(*cpu::decode(pair.first, true)));
        pipes.run(describe(*cpu::decode(pair.second, true)));
        EXPECT_EQ(counts.in_v_pipe, pair.together ? 1U : 0U) << pair.what;
    }
}

TEST(P5Pipes, CountAccessesOfBothAndBanksThatMeet) {
    P5Counts counts;
    P5Pipes pipes(counts);
    const Code first{0x8B, 0x08}, second{0x8B, 0x13};
    for (const auto& [one, other] : {std::pair{0x1000U, 0x1004U}, {0x1000U, 0x1020U}, {0x1008U, 0x200AU}}) {
        pipes.run(describe(*cpu::decode(first, true)));
        pipes.access(one);
        pipes.run(describe(*cpu::decode(second, true)));
        pipes.access(other);
    }
    EXPECT_EQ(counts.memory_in_both_pipes, 3U);
    EXPECT_EQ(counts.bank_conflicts, 2U);
}

TEST(P5Pipes, WaitAClockForAnAddressMadeJustBefore) {
    P5Counts counts;
    P5Pipes pipes(counts);
    const Code make{0x40}, use{0x8B, 0x18}, other{0x41}, push{0x52}, set_stack{0x89, 0xC4};
    pipes.run(describe(*cpu::decode(make, true)));
    pipes.run(describe(*cpu::decode(use, true)));  // mov ebx,[eax]
    EXPECT_EQ(counts.address_interlock_clocks, 1U);
    pipes.run(describe(*cpu::decode(make, true)));
    pipes.run(describe(*cpu::decode(other, true)));  // beside it
    pipes.run(describe(*cpu::decode(other, true)));  // a clock between
    pipes.separate();
    pipes.run(describe(*cpu::decode(use, true)));
    EXPECT_EQ(counts.address_interlock_clocks, 1U);
    pipes.run(describe(*cpu::decode(push, true)));
    pipes.run(describe(*cpu::decode(push, true)));
    EXPECT_EQ(counts.address_interlock_clocks, 1U) << "pushes do not wait for each other";
    pipes.run(describe(*cpu::decode(set_stack, true)));
    pipes.run(describe(*cpu::decode(push, true)));
    EXPECT_EQ(counts.address_interlock_clocks, 2U);
}

TEST(P5, FetchesALineWhenCodeEntersIt) {
    P5 p5(kRam);
    const cpu::Instruction nop = *cpu::decode(Code{0x90}, true);
    std::uint32_t at = 0x1000;
    for (int i = 0; i < 40; ++i, ++at) p5.instruction({at, at, nop});
    EXPECT_EQ(p5.counts().code_reads, 2U);
    p5.instruction({at, at, *cpu::decode(Code{0xEB, 0}, true)});
    p5.instruction({0x1000, 0x1000, nop});
    EXPECT_EQ(p5.counts().code_reads, 3U) << "behind a jump once more";
    EXPECT_EQ(p5.counts().code_misses, 2U);
    EXPECT_EQ(p5.counts().pipeline_flushes, 1U) << "a jump taken for the first time";
    p5.interrupted(0x1001);
    EXPECT_EQ(p5.counts().pipeline_flushes, 2U);
    p5.clear();
    p5.instruction({0x1000, 0x1000, nop});
    EXPECT_EQ(p5.counts().code_misses, 3U) << "cold";
}

}  // namespace
}  // namespace sla::pmc
