#include "viewer/workspace/table/row_order.h"

#include "viewer/timeline/value_at.h"
#include "viewer/workspace/table/table_columns.h"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace sla::workspace {

namespace {

RowKey since(const std::optional<std::uint64_t>& from, std::uint64_t tick) {
    return from ? RowKey{static_cast<double>(tick - *from), {}} : RowKey{0, {}, true};
}

long double exact_number(const store::Event& event) {
    switch (wire::value_type_of(event.code)) {
        case wire::ValueType::kNone: break;
        case wire::ValueType::kSigned: return static_cast<long double>(std::bit_cast<std::int64_t>(event.value));
        case wire::ValueType::kUnsigned: return static_cast<long double>(event.value);
        case wire::ValueType::kFloat: return static_cast<long double>(wire::as_double(event.value));
    }
    return 0;
}
static_assert(std::numeric_limits<long double>::digits >= 64);

}  // namespace

RowKey key_of(std::size_t column, const RowToOrder& row) {
    const store::Lane& lane = *row.place.lane;
    switch (static_cast<TableColumn>(column)) {
        case TableColumn::kChannel: return {0, lane.channel().name};
        case TableColumn::kKind: return {static_cast<double>(lane[row.place.index].kind()), {}};
        case TableColumn::kValue: {
            const store::Event event = lane[row.place.index];
            return {exact_number(event), {}, timeline::value_text(event).empty()};
        }
        case TableColumn::kText: {
            std::string text = lane.text(row.place.index);
            const bool none = text.empty();
            return {0, std::move(text), none};
        }
        case TableColumn::kDeltaAny: return since(row.before_tick, row.place.tick);
        case TableColumn::kDeltaLane: return since(row.before_in_lane_tick, row.place.tick);
        default: return {static_cast<double>(row.number), {}};
    }
}

bool RowBefore::operator()(const RowKey& a, const RowKey& b) const {
    if (a.empty != b.empty) return b.empty;
    const RowKey& first = descending ? b : a;
    const RowKey& second = descending ? a : b;
    const bool is_nan = std::isnan(first.number);
    if (is_nan != std::isnan(second.number)) return !is_nan;
    if (!is_nan && first.number != second.number) return first.number < second.number;
    return first.word < second.word;
}

}  // namespace sla::workspace
