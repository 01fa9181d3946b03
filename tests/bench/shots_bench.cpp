// The retention where triggers fire often over very many short programs: how long one call holds its lock at most, which all
// readers and the status wait for.
//
//   shots_bench [PROGRAMS] [SHOTS each] [PROGRAMS that a window reaches back over]
#include "agent/retain/retention.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/bench/percentiles.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using namespace sla;

constexpr std::uint64_t kTicksOfProgram = 150'000'000;
constexpr std::uint32_t kChannels = 8;
constexpr std::uint64_t kRows = 40;

class Calls {
public:
    template <typename Call>
    void time(Call call) {
        const auto begin = Clock::now();
        call();
        us_.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    }
    void print(const char* name) {
        const double most = *std::max_element(us_.begin(), us_.end());
        const auto cost = bench::percentiles(us_);
        std::printf("%-12s %10zu calls, us: p50 %8.2f  p99 %8.2f  at most %10.1f\n", name, us_.size(), cost.p50, cost.p99,
                    most);
    }

private:
    std::vector<double> us_;
};

void announce(retain::Retention& retention, std::uint32_t program) {
    wire::Frame source;
    source.mutable_source()->set_id(program);
    source.mutable_source()->set_name("program");
    retention.announce_of({program}, wire::encode_frame(source));
    for (std::uint32_t i = 0; i < kChannels; i++) {
        wire::Frame channel;
        const std::uint32_t id = program * kChannels + i;
        channel.mutable_channel()->set_id(id);
        retention.announce_channel({id}, "program.c" + std::to_string(i), wire::encode_frame(channel), {program});
    }
}

void append(retain::Retention& retention, std::uint32_t channel, std::uint64_t tick, Calls& calls) {
    wire::EventBatch batch;
    batch.channel = {channel};
    for (std::uint64_t row = 0; row < kRows; row++) batch.add(tick + row * 1000, SLA_CODE_TICK_VALUE, row * 9'777'777, 1);
    wire::Frame frame;
    wire::encode_batch(batch, *frame.mutable_batch());
    std::string bytes = wire::encode_frame(frame);
    calls.time([&] {
        retention.append({batch.channel, 0, batch.ticks.front(), batch.ticks.back(), kRows, kRows}, std::move(bytes));
    });
}

}  // namespace

int main(int argc, char** argv) {
    const auto argument = [&](int at, std::uint64_t otherwise) {
        return argc > at ? std::strtoull(argv[at], nullptr, 10) : otherwise;
    };
    const std::uint64_t programs = argument(1, 6000);
    const std::uint64_t shots = argument(2, 5);
    const std::uint64_t back = argument(3, 200);
    retain::Retention retention(
        {.channel_bytes = 4 << 20, .total_bytes = std::uint64_t{24} << 20, .shot_bytes = std::uint64_t{8} << 20});
    Calls appends;
    Calls pins;
    Calls ends;
    const auto begin = Clock::now();
    for (std::uint32_t program = 1; program <= programs; program++) {
        const std::uint64_t tick = (back + program) * kTicksOfProgram;
        announce(retention, program);
        for (std::uint32_t i = 0; i < kChannels; i++) append(retention, program * kChannels + i, tick + i, appends);
        for (std::uint64_t shot = 0; shot < shots; shot++) {
            const std::uint64_t at = tick + shot * 1000;
            pins.time([&] { retention.pin_shot(1, {at - back * kTicksOfProgram, at}); });
        }
        ends.time([&] {
            retention.end_source({program}, tick + kRows * 1000);
            retention.expire(tick + kRows * 1000);
        });
        static_cast<void>(retention.take_retired());
    }
    std::printf("%llu programs in %.2f s, %.1f MB of shots at the end\n", static_cast<unsigned long long>(programs),
                std::chrono::duration<double>(Clock::now() - begin).count(),
                static_cast<double>(retention.shot_bytes()) / 1e6);
    appends.print("append");
    pins.print("pin_shot");
    ends.print("end, expire");
    return 0;
}
