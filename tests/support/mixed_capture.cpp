#include "tests/support/capture_builder.h"

#include <array>
#include <cmath>
#include <random>

namespace sla::support {

namespace {

// One channel of one kind; ticks are about a microsecond apart.
class Lanes {
public:
    Lanes(CaptureBuilder& capture, std::uint64_t seed) : capture_(capture), random_(seed) {}

    void ticks(std::uint32_t channel, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            capture_.tick(channel, step(1000), static_cast<std::int64_t>(random_() % 1500));
    }
    void spans(std::uint32_t channel, std::size_t count) {
        const std::uint32_t other = capture_.thread("worker", 5000 + channel);
        for (std::size_t i = 0; i + 5 < count; i += 6) {
            const std::uint64_t at = step(6000);
            capture_.span(channel, at, at + 4000);
            capture_.span(channel, at + 500, at + 1500);
            capture_.span(channel, at + 1000, at + 3000, other);
        }
    }
    void levels(std::uint32_t channel, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) capture_.level(channel, step(1000), i % 2 == 0);
    }
    void numbers(std::uint32_t channel, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            capture_.number(channel, step(1000), std::sin(static_cast<double>(i) / 20.0));
    }
    void texts(std::uint32_t channel, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) capture_.text(channel, step(1000), "state " + std::to_string(i % 5));
    }
    void ports(std::uint32_t channel, std::size_t count) {
        constexpr std::uint64_t kOut = std::uint64_t{1} << 18;
        for (std::size_t i = 0; i < count; ++i) {
            capture_.detail(channel, step(1000), SLA_CODE_VALUE_UNSIGNED, i & 0xff, kOut | 0x80, 0xf0000000e05bull);
        }
    }
    void restart() { now_ = 1000 + random_() % 1000; }
    [[nodiscard]] std::uint64_t now() const { return now_; }

private:
    std::uint64_t step(std::uint64_t mean) { return now_ += mean / 2 + random_() % mean; }

    CaptureBuilder& capture_;
    std::mt19937_64 random_;
    std::uint64_t now_ = 0;
};

}  // namespace

void add_mixed(CaptureBuilder& capture, std::size_t channels, std::size_t events_each, std::uint64_t seed) {
    constexpr std::array kGroups = {"net", "disk", "ui", "audio"};
    constexpr std::array kKinds = {"packet", "parse", "busy", "load", "state", "port"};
    const std::uint32_t pc = capture.source("emulated PC", BuilderSource::kPc, 4300);
    Lanes lanes(capture, seed);
    for (std::size_t i = 0; i < channels; ++i) {
        const std::size_t kind = i % kKinds.size();
        std::string name = kind == 5 ? "port" : kGroups[i / kKinds.size() % kGroups.size()];
        name += '.';
        name += kKinds[kind];
        if (i >= kKinds.size() * kGroups.size()) name += "." + std::to_string(i / (kKinds.size() * kGroups.size()));
        if (kind == 5) name += "." + std::to_string(i / kKinds.size());
        const std::uint32_t id = capture.channel(name, kind == 5 ? pc : 1, kind == 5 ? "x86.port" : "");
        lanes.restart();
        switch (kind) {
            case 0: lanes.ticks(id, events_each); break;
            case 1: lanes.spans(id, events_each); break;
            case 2: lanes.levels(id, events_each); break;
            case 3: lanes.numbers(id, events_each); break;
            case 4: lanes.texts(id, events_each); break;
            default: lanes.ports(id, events_each); break;
        }
        if (i % 7 == 0) capture.gap(id, lanes.now() / 2, 412, wire::LossCause::kOverrun, lanes.now() / 2 + 20'000);
    }
}

}  // namespace sla::support
