// The numbers behind '#' in a value change dump, and ticks of the capture that they become.
//
//   another's    units of its $timescale, each so many ticks of a clock as fast as the units, but no slower than 1 kHz
//   ours         picoseconds since a moment that the file names; the capture's own clock makes ticks of them
#pragma once

#include "viewer/formats/capture_sink.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sla::formats {

class VcdTime {
public:
    // As in "10 ns". False: there is no such timescale.
    bool set_unit(std::uint64_t number, std::string_view name);
    // Ours: the moment's own time.
    void count_ps_from(std::int64_t zero_ps);

    [[nodiscard]] double ticks_per_second() const { return hz_ * static_cast<double>(ticks_per_unit_); }
    // Nothing: it is too far away.
    [[nodiscard]] std::optional<std::uint64_t> tick_of(std::uint64_t number, const CaptureSink& sink) const;

private:
    double ps_per_unit_ = 1000;
    double hz_ = 1e9;  // of units, at most of picoseconds
    std::uint64_t ticks_per_unit_ = 1;
    std::optional<std::int64_t> zero_ps_;  // ours
};

}  // namespace sla::formats
