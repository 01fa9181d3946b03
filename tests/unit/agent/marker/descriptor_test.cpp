// Channels registered by several threads at once, as in a sandbox, where there is no lock.
#include "tests/unit/agent/marker/own_process.h"

#include <sla/marker.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

extern "C" {
#include "agent/marker/internal.h"
}

namespace sla {
namespace {

constexpr std::size_t kRegistrants = 4;
constexpr std::size_t kRegisteredNames = 600;

using Indices = std::vector<std::uint32_t>;

// Each thread begins at another name, so that they meet.
std::vector<Indices> register_all(const std::vector<std::string>& names) {
    std::vector<Indices> by_thread(kRegistrants, Indices(names.size()));
    std::atomic<std::size_t> ready{0};
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < kRegistrants; thread++) {
        threads.emplace_back([&, thread] {
            ready++;
            while (ready < kRegistrants) std::this_thread::yield();
            for (std::size_t i = 0; i < names.size(); i++) {
                const std::size_t at = thread % 2 == 0 ? i : names.size() - 1 - i;
                sla_channel channel{};
                channel.name = names[at].c_str();
                channel.format = "";
                channel.stamping = at % 3 == 0 ? SLA_LFENCE_RDTSC : SLA_RDTSC;
                by_thread[thread][at] = sla_register_channel(&channel);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    return by_thread;
}

TEST(DescriptorTest, ThreadsThatRegisterAtOnceAgreeOnEveryName) {
    in_own_process([] {
        ASSERT_TRUE(sla_segment_create());
        sla_descriptors_enter_sandbox();
        std::vector<std::string> names;
        for (std::size_t i = 0; i < kRegisteredNames; i++) names.push_back("registered." + std::to_string(i));
        const std::vector<Indices> indices = register_all(names);
        const std::uint32_t count = sla_segment()->channel_count;
        EXPECT_GE(count, kRegisteredNames);
        for (std::uint32_t index = 1; index <= count; index++)
            EXPECT_EQ(sla_descriptor(index)->state, static_cast<std::uint32_t>(SLA_CHANNEL_READY)) << index;
        for (std::size_t i = 0; i < kRegisteredNames; i++) {
            ASSERT_GE(indices[0][i], 1u);
            ASSERT_LE(indices[0][i], count) << "an agent counts all of them";
            EXPECT_EQ(sla_descriptor(indices[0][i])->name, names[i]);
            EXPECT_EQ(sla_registered_stamping(indices[0][i]), i % 3 == 0 ? SLA_LFENCE_RDTSC : SLA_RDTSC);
            for (const Indices& of_thread : indices) EXPECT_EQ(of_thread[i], indices[0][i]) << names[i];
        }
    });
}

TEST(DescriptorTest, AnEventWithoutADescriptorIsOfTooManyChannelsOnlyWhereNoneIsLeft) {
    in_own_process([] {
        ASSERT_TRUE(sla_segment_create());
        const sla_lost lost{3, 10, 20};
        sla_count_lost(0, &lost);
        EXPECT_EQ(sla_segment()->lost_unregistered, 3u);
        EXPECT_EQ(sla_segment()->unregistered_first_tick, 10u);
        EXPECT_EQ(sla_segment()->unregistered_last_tick, 20u);
        EXPECT_EQ(sla_segment()->lost_no_channel, 0u);
        for (std::size_t i = 0; i <= SLA_MAX_CHANNELS; i++) {
            const std::string name = "registered." + std::to_string(i);
            sla_channel channel{};
            channel.name = name.c_str();
            channel.format = "";
            EXPECT_EQ(sla_register_channel(&channel), i < SLA_MAX_CHANNELS ? i + 1 : 0);
        }
        sla_count_lost(0, &lost);
        EXPECT_EQ(sla_segment()->lost_unregistered, 3u);
        EXPECT_EQ(sla_segment()->lost_no_channel, 3u);
        EXPECT_EQ(sla_segment()->lost_without_ring, 6u);
    });
}

}  // namespace
}  // namespace sla
