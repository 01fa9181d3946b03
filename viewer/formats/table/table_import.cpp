#include "viewer/formats/table/table_import.h"

#include "proto/base/how_many.h"
#include "viewer/formats/loss_text.h"
#include "viewer/formats/number_text.h"

#include <algorithm>
#include <cmath>

namespace sla::formats {

namespace {

constexpr std::uint64_t kMiddle = std::uint64_t{1} << 58;  // times may be negative
constexpr std::int64_t kFarPs = 1'000'000'000'000'000;     // 1000 s: a first time beyond that is no time since the start

bool read_value(SinkEvent& event, std::string_view value) {
    if (const auto number = read_number<std::int64_t>(value)) {
        event.value = static_cast<std::uint64_t>(*number);
    } else if (const auto large = read_number<std::uint64_t>(value)) {
        event.value = *large;
        event.code = SLA_CODE_VALUE_UNSIGNED;
    } else if (const auto real = read_number<double>(value)) {
        event.value = wire::as_bits(*real);
        event.code = SLA_CODE_VALUE_FLOAT;
    } else {
        return false;
    }
    return true;
}

Result<void> meaning(SinkEvent& event, wire::RowExtra& extra, std::string_view kind, std::string_view value,
                     std::string_view text) {
    const bool is_text_alone = kind == "text" && text.empty();  // it may stand where a value does
    const bool has_value = !value.empty() && !is_text_alone;
    extra.text = is_text_alone ? value : text;
    event.code = SLA_CODE_VALUE_SIGNED;
    if (has_value && !read_value(event, value)) {
        if (!kind.empty()) return damaged("'" + std::string(value.substr(0, 40)) + "' is not a value");
        kind = "text";  // a table of names and words
        extra.text = value;
    }
    const bool whole = kind == "tick" || kind == "begin" || kind == "end" || kind == "level" || kind == "gap";
    if (whole && event.code == SLA_CODE_VALUE_FLOAT)
        return damaged("the value of a " + std::string(kind) + " is a whole number");
    if (kind.empty()) {
        if (!has_value) event.code = text.empty() ? SLA_CODE_TICK : SLA_CODE_TEXT;
        return {};
    }
    if (kind == "gap") {
        const LossText loss = read_loss_text(text);
        extra.cause = loss.cause;
        extra.until_tick = loss.until_tick;
        extra.text.clear();
    }
    return set_kind(event, kind, has_value);
}

}  // namespace

Result<void> TableImport::row(const std::vector<std::string>& fields, std::uint64_t line) {
    const auto get = [&](CsvColumn column) { return columns_.field(fields, column); };
    const auto behind = fields.begin() + static_cast<std::ptrdiff_t>(std::min(columns_.count(), fields.size()));
    if (std::any_of(behind, fields.end(), [](const std::string& field) { return !field.empty(); })) ++wide_rows_;
    SinkEvent event;
    if (auto timed = place(event, get(CsvColumn::kTick), get(CsvColumn::kTime)); !timed.ok())
        return wrong_in_line(line, timed.error().message);
    if (get(CsvColumn::kChannel).empty()) return wrong_in_line(line, "it names no channel");
    const std::uint32_t source = sink_.source(columns_.has(CsvColumn::kSource) ? get(CsvColumn::kSource) : own_source_);
    event.thread = sink_.thread_of_text(source, get(CsvColumn::kThread));
    const auto channel = sink_.channel(source, get(CsvColumn::kChannel));
    if (!channel.ok()) return channel.error();
    wire::RowExtra extra;
    if (auto meant = meaning(event, extra, get(CsvColumn::kKind), get(CsvColumn::kValue), get(CsvColumn::kText));
        !meant.ok())
        return wrong_in_line(line, meant.error().message);
    // In a table without ticks the loss's end is one of nobody's.
    if (!columns_.has(CsvColumn::kTick)) extra.until_tick = 0;
    const bool plain = extra.text.empty() && event.code != SLA_CODE_GAP;
    return plain ? sink_.put(*channel, event) : sink_.put(*channel, event, std::move(extra));
}

void TableImport::finish() {
    if (columns_.has(CsvColumn::kTick) && columns_.has(CsvColumn::kTime)) fit();
    if (rows_ == 0) return;
    if (wide_rows_ > 0)
        notes_.push_back(how_many(wide_rows_, "row") + (wide_rows_ == 1 ? " has" : " have") +
                         " more fields than there are columns; what stands behind is left out (a decimal comma "
                         "needs quotes)");
    if (columns_.has(CsvColumn::kTick) && !columns_.has(CsvColumn::kTime))
        notes_.emplace_back(
            "the table has ticks and no times, and does not say how long a tick is: it is taken as a nanosecond");
    if (!columns_.has(CsvColumn::kThread)) notes_.emplace_back("the table has no threads");
    if (columns_.is_ours())
        notes_.emplace_back(
            "a table does not say how sure its clock is, which formatter made a text, and whether a positive value was "
            "unsigned");
}

Result<void> TableImport::place(SinkEvent& event, std::string_view tick, std::string_view time) {
    __int128 ps = 0;
    if (columns_.has(CsvColumn::kTime)) {
        const auto read = columns_.time_ps(time);
        if (!read) return damaged("'" + std::string(time.substr(0, 40)) + "' is not a time");
        ps = *read;
    }
    if (columns_.has(CsvColumn::kTick)) {
        const auto number = read_number<std::uint64_t>(tick);
        if (!number) return damaged("'" + std::string(tick.substr(0, 40)) + "' is not a tick");
        event.tick = *number;
        if (columns_.has(CsvColumn::kTime)) {
            if (ps > INT64_MAX || ps < -INT64_MAX) return damaged("its time is beyond 106 days");
            see(*number, static_cast<std::int64_t>(ps));
        }
    } else {
        if (rows_ == 0) begin_own_clock(ps);
        const __int128 distance = ps - zero_ps_;
        if (distance > INT64_MAX || distance < -INT64_MAX)
            return damaged("its time is more than 106 days away from the first");
        const __int128 tick_ps = sink_.own_tick_ps();
        const __int128 shifted = (distance + kMiddle * tick_ps + tick_ps / 2) / tick_ps;
        if (shifted < 0 || shifted > (static_cast<__int128>(1) << 59)) {
            sink_.say_too_long();
            return damaged("its time is more than three days away from the first");
        }
        event.tick = static_cast<std::uint64_t>(shifted);
    }
    ++rows_;
    return {};
}

void TableImport::begin_own_clock(__int128 first_ps) {
    SinkClock clock;
    clock.origin_tick = kMiddle;
    clock.ticks_per_second = 1e12 / static_cast<double>(sink_.own_tick_ps());
    if (first_ps > kFarPs || first_ps < -kFarPs) {
        zero_ps_ = first_ps;
        clock.realtime_ns = realtime_of_first(first_ps);
        notes_.push_back(first_time_note(first_ps));
    }
    sink_.set_clock(clock);
}

void TableImport::see(std::uint64_t tick, std::int64_t ps) {
    if (rows_ == 0) {
        low_tick_ = high_tick_ = tick;
        low_ps_ = high_ps_ = ps;
    } else if (tick < low_tick_) {
        low_tick_ = tick;
        low_ps_ = ps;
    } else if (tick > high_tick_) {
        high_tick_ = tick;
        high_ps_ = ps;
    }
    if (rows_ > 0 && (rows_ & (rows_ - 1)) == 0) fit();  // now and then: the window may fill at any time
}

void TableImport::fit() {
    SinkClock clock;
    if (high_tick_ > low_tick_ && high_ps_ > low_ps_) {
        const long double ticks = static_cast<long double>(high_tick_ - low_tick_);
        const long double ps = static_cast<long double>(high_ps_) - static_cast<long double>(low_ps_);
        const long double hz = ticks / ps * 1e12L;
        const long double round = std::round(hz);
        const bool same = std::fabs(ticks / round * 1e12L - ps) <= 1.0L;  // as far as a picosecond can tell
        clock.ticks_per_second = static_cast<double>(same ? round : hz);
    }
    const long double before = static_cast<long double>(low_ps_) * static_cast<long double>(clock.ticks_per_second) / 1e12L;
    const long double origin = static_cast<long double>(low_tick_) - std::round(before);
    clock.origin_tick = origin > 0 ? static_cast<std::uint64_t>(std::min(origin, 0x1p58L)) : 0;
    sink_.set_clock(clock);
}

}  // namespace sla::formats
