// Event tables in Parquet: our own exports and archives, also when another program wrote them anew (zstd or unpacked, the
// file's key-value metadata kept). Columns are found by name; others are left alone.
#include "viewer/formats/number_text.h"
#include "viewer/formats/parquet/event_columns.h"
#include "viewer/formats/parquet/file_reader.h"
#include "viewer/formats/parquet/parquet.h"
#include "viewer/formats/parquet/parquet_facts.h"
#include "viewer/formats/parquet/unpacking.h"
#include "viewer/formats/source_facts.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

namespace sla::formats::parquet {

namespace {

class ParquetImport {
public:
    ParquetImport(FileReader file, CaptureSink& sink) : file_(std::move(file)), sink_(sink) {
        const auto sources = file_.info().key_values.find(kSourcesKey);
        read_source_facts(sources == file_.info().key_values.end() ? "" : sources->second, sink_);
    }

    Result<void> find_columns() {
        for (std::size_t i = 0; i < kEventColumns; ++i) {
            const ColumnSpec& spec = kEventColumnSpecs[i];
            const std::size_t place = places_[i] = file_.info().column_named(spec.name);
            const bool is_needed = i == kTick || i == kChannel || i == kKind;
            if (place == SIZE_MAX && is_needed) return damaged(std::string("no column is called ") + spec.name);
            if (place != SIZE_MAX &&
                file_.info().columns[place].type != static_cast<std::int32_t>(physical_of(spec.meaning)))
                return damaged(std::string("column '") + spec.name + "' is of another type than ours");
        }
        return {};
    }

    [[nodiscard]] const FileInfo& info() const { return file_.info(); }

    // Rows outside of the bounds would be missed by who reads only some groups: then the file lies.
    Result<void> take_group(std::size_t group, const std::optional<TickBounds>& bounds = std::nullopt) {
        columns_ = {};
        std::size_t space = FileReader::kGroupBytes;
        for (std::size_t i = 0; i < kEventColumns; ++i) {
            if (places_[i] == SIZE_MAX || !is_read(static_cast<EventColumn>(i))) continue;
            auto values = file_.read(group, places_[i], space);
            if (!values.ok()) return values.error();
            columns_[i] = std::move(*values);
        }
        sources_.clear();
        lanes_.clear();
        threads_.clear();
        const auto rows = static_cast<std::size_t>(file_.info().groups[group].rows);
        for (std::size_t row = 0; bounds && row < rows; ++row) {
            const bool is_within = has(kTick, row) && bits(kTick, row) >= bounds->first && bits(kTick, row) <= bounds->last;
            if (!is_within) return damaged("a row lies outside of the bounds that its group gives");
        }
        for (std::size_t row = 0; row < rows; ++row) {
            if (auto taken = take_row(row); !taken.ok()) return taken;
        }
        return {};
    }

private:
    // The others follow from these.
    static bool is_read(EventColumn column) {
        switch (column) {
            case kTimeNs:
            case kTimePs:
            case kUtcNs:
            case kDeltaAnyNs:
            case kDeltaChannelNs:
            case kErrorNs: return false;
            default: return true;
        }
    }
    [[nodiscard]] bool has(EventColumn column, std::size_t row) const { return columns_[column].has(row); }
    [[nodiscard]] std::uint64_t bits(EventColumn column, std::size_t row) const { return columns_[column].bits(row); }

    Result<void> take_row(std::size_t row) {
        if (!has(kTick, row) || !has(kChannel, row) || !has(kKind, row))
            return damaged("a row has no tick, no channel or no kind");
        SinkEvent event;
        event.tick = bits(kTick, row);
        const std::uint32_t source = source_of(row);
        const auto lane = lane_of(source, row);
        if (!lane.ok()) return lane.error();
        event.thread = thread_of(source, row);
        if (auto meant = take_meaning(row, event); !meant.ok()) return meant;
        wire::RowExtra extra;
        if (has(kText, row)) extra.text = columns_[kText].text(row);
        if (has(kDetail0, row)) extra.detail[0] = bits(kDetail0, row);
        if (has(kDetail1, row)) extra.detail[1] = bits(kDetail1, row);
        if (event.code == SLA_CODE_GAP) {
            extra.cause = wire::loss_cause_named(extra.text);
            extra.text.clear();
            if (has(kUntilTick, row)) extra.until_tick = bits(kUntilTick, row);
            if (extra.until_tick != 0 && extra.until_tick < event.tick) return damaged("a loss ends before it begins");
            return sink_.put(*lane, event, std::move(extra));
        }
        return extra.is_plain() ? sink_.put(*lane, event) : sink_.put(*lane, event, std::move(extra));
    }

    // Texts of a group are told apart by their places, so that names are looked up once.
    std::uint32_t source_of(std::size_t row) {
        const bool is_there = has(kSource, row);
        const auto pid = static_cast<std::uint32_t>(has(kPid, row) ? bits(kPid, row) : 0);
        const auto [at, fresh] = sources_.try_emplace({is_there ? bits(kSource, row) : UINT64_MAX, pid});
        if (fresh) at->second = sink_.source(is_there ? columns_[kSource].text(row) : "parquet", pid);
        return at->second;
    }
    static std::uint64_t key(std::uint32_t source, std::uint64_t place) { return std::uint64_t{source} << 32 | place; }
    Result<std::uint32_t> lane_of(std::uint32_t source, std::size_t row) {
        const auto [at, fresh] = lanes_.try_emplace(key(source, bits(kChannel, row)));
        if (fresh) {
            if (columns_[kChannel].text(row).empty()) return damaged("a row names no channel");
            const auto channel = sink_.channel(source, columns_[kChannel].text(row));
            if (!channel.ok()) return channel.error();
            at->second = *channel;
        }
        return at->second;
    }
    std::uint32_t thread_of(std::uint32_t source, std::size_t row) {
        if (!has(kThread, row)) return 0;
        const auto [at, fresh] = threads_.try_emplace(key(source, bits(kThread, row)));
        if (fresh) at->second = sink_.thread_of_text(source, columns_[kThread].text(row));
        return at->second;
    }

    Result<void> take_meaning(std::size_t row, SinkEvent& event) const {
        const std::string_view kind = columns_[kKind].text(row);
        const bool is_int = has(kValueInt, row);
        const bool is_unsigned = !is_int && has(kValueUnsigned, row);
        const bool is_float = !is_int && !is_unsigned && has(kValue, row);
        if (is_int) event.value = bits(kValueInt, row);
        if (is_unsigned) event.value = bits(kValueUnsigned, row);
        if (is_float) event.value = bits(kValue, row);
        if (kind == "value") {
            event.code = is_float ? SLA_CODE_VALUE_FLOAT : is_unsigned ? SLA_CODE_VALUE_UNSIGNED : SLA_CODE_VALUE_SIGNED;
        } else if (is_float) {
            return damaged("the value of a " + std::string(kind.substr(0, 40)) + " is a whole number");
        }
        return set_kind(event, kind, is_int || is_unsigned || is_float);
    }

    FileReader file_;
    CaptureSink& sink_;
    std::array<std::size_t, kEventColumns> places_{};
    std::array<ColumnValues, kEventColumns> columns_;
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> sources_;
    std::unordered_map<std::uint64_t, std::uint32_t> lanes_;
    std::unordered_map<std::uint64_t, std::uint32_t> threads_;
};

}  // namespace
}  // namespace sla::formats::parquet

namespace sla::formats {

Result<GroupsRead> import_parquet_range(const std::string& path, const ParquetRange& range, CaptureSink& sink,
                                        const Progress& progress) {
    auto file = parquet::FileReader::open(path);
    if (!file.ok()) return file.error();
    parquet::ParquetImport import(std::move(*file), sink);
    if (auto found = import.find_columns(); !found.ok()) return found.error();
    const std::vector<parquet::GroupInfo>& groups = import.info().groups;
    GroupsRead report;
    report.all = groups.size();
    for (std::size_t group = 0; group < groups.size(); ++group) {
        if (progress && !progress(group, groups.size())) return unavailable("stopped; nothing was written");
        const auto bounds = parquet::tick_bounds(import.info(), groups[group]);
        if (!bounds.ok()) return bounds.error();
        if (*bounds && ((*bounds)->last < range.first_tick || (*bounds)->first > range.last_tick)) continue;
        if (auto taken = import.take_group(group, *bounds); !taken.ok()) return taken.error();
        ++report.read;
    }
    return report;
}

Result<void> import_parquet(const std::string& path, CaptureSink& sink, Notes& notes, const Progress& progress) {
    auto file = parquet::FileReader::open(path);
    if (!file.ok()) return file.error();
    const auto clock = parquet::clock_of(file->info());
    if (!clock.ok()) return clock.error();
    sink.set_clock(*clock);
    const std::size_t groups = file->info().groups.size();
    parquet::ParquetImport import(std::move(*file), sink);
    if (auto found = import.find_columns(); !found.ok()) return found;
    for (std::size_t group = 0; group < groups; ++group) {
        if (progress && !progress(group, groups)) return unavailable("stopped; nothing was written");
        if (auto taken = import.take_group(group); !taken.ok()) return taken;
    }
    notes.emplace_back("parquet does not say which formatter made a text, and whether a value below 2^63 was unsigned");
    return {};
}

}  // namespace sla::formats
