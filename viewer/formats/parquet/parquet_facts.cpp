#include "viewer/formats/parquet/parquet_facts.h"

#include "viewer/formats/number_text.h"
#include "viewer/formats/parquet/event_columns.h"
#include "viewer/formats/parquet/file_reader.h"
#include "viewer/formats/parquet/parquet.h"
#include "viewer/formats/parquet/unpacking.h"
#include "viewer/formats/stamp_errors.h"

#include <algorithm>
#include <cmath>

namespace sla::formats::parquet {

Result<SinkClock> clock_of(const FileInfo& info) {
    const auto get = [&](const char* key) {
        const auto found = info.key_values.find(key);
        return found == info.key_values.end() ? std::string_view() : std::string_view(found->second);
    };
    const auto origin = read_number<std::uint64_t>(get(kOriginTickKey));
    const auto hz = read_number<double>(get(kTicksPerSecondKey));
    const auto error = read_number<double>(get(kClockErrorKey));
    const auto realtime = read_number<std::int64_t>(get(kOriginRealtimeKey));
    if (!origin || !hz || !error || !realtime)
        return damaged(
            "its metadata has not the clock (sla.origin_tick and the like): `sla export` and `sla archive` write it");
    if (!(*hz > 0 && *hz <= 1e15) || !std::isfinite(*error) || *error < 0 || *realtime < 0 || *origin >> 59 != 0)
        return damaged("the clock in its metadata makes no sense");
    SinkClock clock{*origin, *hz, *error, *realtime};
    read_stamp_errors(get(kStampErrorsKey), clock);
    return clock;
}

Result<std::optional<TickBounds>> tick_bounds(const FileInfo& info, const GroupInfo& group) {
    const std::size_t place = info.column_named(kEventColumnSpecs[kTick].name);
    if (place == SIZE_MAX) return damaged("no column is called tick");
    std::string_view least = group.chunks[place].least;
    std::string_view most = group.chunks[place].most;
    if (least.size() != sizeof(std::uint64_t) || most.size() != sizeof(std::uint64_t)) return std::optional<TickBounds>();
    const TickBounds bounds{*take_fixed(least, sizeof(std::uint64_t)), *take_fixed(most, sizeof(std::uint64_t))};
    if (bounds.last < bounds.first || bounds.last > INT64_MAX) return damaged("the bounds of a group's ticks make no sense");
    return std::optional(bounds);
}

}  // namespace sla::formats::parquet

namespace sla::formats {

Result<ParquetFacts> parquet_facts(const std::string& path) {
    const auto file = parquet::FileReader::open(path);
    if (!file.ok()) return file.error();
    const auto clock = parquet::clock_of(file->info());
    if (!clock.ok()) return clock.error();
    ParquetFacts facts;
    facts.clock = *clock;
    bool is_bounded = true;
    parquet::TickBounds all{UINT64_MAX, 0};
    for (const parquet::GroupInfo& group : file->info().groups) {
        if (group.rows == 0) continue;
        facts.rows += static_cast<std::uint64_t>(group.rows);
        const auto bounds = parquet::tick_bounds(file->info(), group);
        if (!bounds.ok()) return bounds.error();
        is_bounded = is_bounded && bounds->has_value();
        if (!is_bounded) continue;
        all = {std::min(all.first, (*bounds)->first), std::max(all.last, (*bounds)->last)};
    }
    if (is_bounded && facts.rows > 0) {
        facts.first_tick = all.first;
        facts.last_tick = all.last;
    }
    return facts;
}

}  // namespace sla::formats
