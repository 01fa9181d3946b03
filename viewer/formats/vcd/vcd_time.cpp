#include "viewer/formats/vcd/vcd_time.h"

#include <algorithm>

namespace sla::formats {

namespace {

constexpr double kPsPerSecond = 1e12;
constexpr double kSlowest = 1000;  // Hz, of a capture's clock
constexpr std::uint64_t kLastTick = std::uint64_t{1} << 59;

double ps_of_unit(std::string_view name) {
    return name == "s"    ? 1e12
           : name == "ms" ? 1e9
           : name == "us" ? 1e6
           : name == "ns" ? 1e3
           : name == "ps" ? 1
           : name == "fs" ? 1e-3
                          : 0;
}

}  // namespace

bool VcdTime::set_unit(std::uint64_t number, std::string_view name) {
    const double ps = ps_of_unit(name);
    if (number == 0 || number > 1000 || ps == 0) return false;
    ps_per_unit_ = static_cast<double>(number) * ps;
    hz_ = std::min(kPsPerSecond / ps_per_unit_, kPsPerSecond);
    ticks_per_unit_ = 1;
    while (ticks_per_second() < kSlowest) ticks_per_unit_ *= 10;
    return true;
}

void VcdTime::count_ps_from(std::int64_t zero_ps) {
    zero_ps_ = zero_ps;
}

std::optional<std::uint64_t> VcdTime::tick_of(std::uint64_t number, const CaptureSink& sink) const {
    if (zero_ps_) {
        const __int128 ps = static_cast<__int128>(number) + *zero_ps_;
        if (ps > INT64_MAX) return std::nullopt;
        return sink.clock().to_tick(static_cast<std::int64_t>(ps));
    }
    if (ps_per_unit_ < 1) {
        return static_cast<std::uint64_t>(static_cast<long double>(number) * static_cast<long double>(ps_per_unit_));
    }
    if (number > kLastTick / ticks_per_unit_) return std::nullopt;
    return number * ticks_per_unit_;
}

}  // namespace sla::formats
