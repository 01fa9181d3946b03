#include "tests/support/sample_capture.h"

#include <cmath>
#include <random>
#include <string>

namespace sla::support {

namespace {

constexpr std::uint64_t kMicrosecond = 2700;  // ticks
constexpr std::uint64_t kStart = 1'000'000;
constexpr std::uint64_t kEnd = kStart + 100'000 * kMicrosecond;

using Random = std::mt19937_64;

std::uint64_t between(Random& random, double low_us, double high_us) {
    return static_cast<std::uint64_t>(std::uniform_real_distribution<double>(low_us, high_us)(random) *
                                      static_cast<double>(kMicrosecond));
}

void begin_with(CaptureBuilder& capture, std::uint32_t channel, std::uint64_t tick, std::uint64_t id, std::uint32_t thread) {
    capture.event(channel, tick, SLA_CODE_BEGIN_VALUE, id, thread);
}

// Blocks pass through three threads; the queue between them rises and falls.
void add_pipeline(CaptureBuilder& capture) {
    Random random(7);
    const std::uint32_t reader = capture.thread("reader", 4712);
    const std::uint32_t packer = capture.thread("packer", 4713);
    const std::uint32_t block = capture.channel("pipe.block");
    const std::uint32_t bytes = capture.channel("pipe.bytes");
    const std::uint32_t depth = capture.channel("pipe.queue");
    const std::uint32_t read = capture.channel("pipe.read");
    const std::uint32_t pack = capture.channel("pipe.compress");
    const std::uint32_t log = capture.channel("log");
    const std::uint32_t busy = capture.channel("disk.busy");
    std::uint64_t tick = kStart + between(random, 40, 60);
    std::uint64_t free_at = tick;
    std::int64_t queued = 0;
    for (std::uint64_t id = 1; tick < kEnd - 900 * kMicrosecond; ++id) {
        const std::uint64_t read_end = tick + between(random, 60, 180);
        begin_with(capture, read, tick, id, reader);
        capture.event(read, read_end, SLA_CODE_END, 0, reader);
        capture.level(busy, tick, true);
        capture.level(busy, read_end - between(random, 5, 30), false);
        capture.tick(block, read_end, static_cast<std::int64_t>(4096 * (1 + random() % 16)), reader);
        capture.value(depth, read_end, ++queued);
        const std::uint64_t start = std::max(read_end + between(random, 4, 9), free_at);
        const std::uint64_t middle = start + between(random, 60, 160);
        const std::uint64_t end = middle + between(random, 20, 120);
        begin_with(capture, pack, start, id, packer);
        begin_with(capture, pack, start + between(random, 2, 6), 1, packer);
        capture.event(pack, middle, SLA_CODE_END, 0, packer);
        capture.event(pack, end, SLA_CODE_END, 0, packer);
        capture.value(depth, start, --queued);
        capture.number(bytes, end, 2.0 + std::sin(static_cast<double>(id) / 9.0) + 0.2 * static_cast<double>(random() % 5));
        if (id % 23 == 0) capture.text(log, end + 200, "block " + std::to_string(id) + " written");
        free_at = end + between(random, 1, 3);
        tick = read_end + between(random, 20, 150);
    }
}

void add_machine(CaptureBuilder& capture) {
    Random random(11);
    const std::uint32_t pc = capture.source("emulated PC", BuilderSource::kPc, 4720);
    const std::uint32_t cpu = capture.thread("cpu", 4721, pc);
    const std::uint32_t line = capture.channel("irq.0", pc);
    const std::uint32_t service = capture.channel("irq.0.isr", pc);
    const std::uint32_t interrupt = capture.channel("int.08h", pc);
    const std::uint32_t post = capture.channel("port.post", pc, "x86.port");
    const std::uint32_t pit = capture.channel("port.pit", pc, "x86.port");
    const std::uint32_t halt = capture.channel("cpu.hlt", pc);
    std::uint64_t halted = kStart + 20 * kMicrosecond;
    for (std::uint64_t n = 0, tick = kStart + 100 * kMicrosecond; tick < kEnd; ++n, tick += 1000 * kMicrosecond) {
        const std::uint64_t taken = tick + between(random, 2, 12);
        capture.event(halt, halted, SLA_CODE_BEGIN, 0, cpu);
        capture.level(line, tick, true);
        capture.event(halt, taken, SLA_CODE_END, 0, cpu);
        capture.event(interrupt, taken, SLA_CODE_TICK_VALUE, 8, cpu);
        begin_with(capture, service, taken, n, cpu);
        const std::uint64_t done = taken + between(random, 80, 260);
        const std::uint64_t out = 1ULL << 18;
        for (int i = 0; i < 3; ++i) {
            capture.detail(post, taken + (done - taken) * static_cast<std::uint64_t>(i + 1) / 5, SLA_CODE_TICK_VALUE,
                           n & 0xFF, out | 0x80, 0);
        }
        if (n % 8 == 0) capture.detail(pit, taken + 4 * kMicrosecond, SLA_CODE_TICK_VALUE, 0x34, out | 0x43, 0);
        capture.level(line, done - 2 * kMicrosecond, false);
        capture.event(service, done, SLA_CODE_END, 0, cpu);
        halted = done + between(random, 10, 30);
    }
    capture.gap(post, kStart + 40'430 * kMicrosecond, 412, wire::LossCause::kOverrun, kStart + 44'600 * kMicrosecond, cpu);
    capture.gap(interrupt, kStart + 71'300 * kMicrosecond, 3, wire::LossCause::kLate, kStart + 71'320 * kMicrosecond, cpu);
}

}  // namespace

void add_bench_scene(CaptureBuilder& capture) {
    add_pipeline(capture);
    add_machine(capture);
}

void add_few(CaptureBuilder& capture) {
    Random random(3);
    const std::uint32_t rx = capture.channel("net.rx");
    const std::uint32_t parse = capture.channel("net.parse");
    const std::uint32_t ready = capture.channel("ready");
    for (std::uint64_t tick = kStart; tick < kStart + 400 * kMicrosecond; tick += between(random, 4, 14)) {
        capture.tick(rx, tick, static_cast<std::int64_t>(64 + random() % 1400));
        capture.span(parse, tick + kMicrosecond / 2, tick + between(random, 1, 3));
        if (random() % 4 == 0) capture.level(ready, tick + kMicrosecond, random() % 2 == 0);
    }
}

}  // namespace sla::support
