#include "viewer/ui/commands/copy.h"

#include "viewer/analysis/delta_tracker.h"
#include "viewer/formats/names.h"
#include "viewer/timeline/cursor.h"
#include "viewer/timeline/readable.h"
#include "viewer/timeline/value_at.h"
#include "viewer/ui/commands/keymap.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

namespace sla::ui {

namespace {

constexpr const char* kCopiedHead =
    "time_ns\tsource\tchannel\tkind\tvalue\ttext\tdelta_any_ns\tdelta_channel_ns\terror_ns\n";

std::string nanoseconds(std::int64_t ps) {
    const auto size = ps < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(ps) : static_cast<std::uint64_t>(ps);
    return fmt::format("{}{}.{:03}", ps < 0 ? "-" : "", size / 1000, size % 1000);
}

std::string nanoseconds(const std::optional<std::int64_t>& ps) {
    return ps ? nanoseconds(*ps) : std::string();
}

// What parts columns and lines cannot stand in one.
std::string in_one_cell(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return text;
}

struct RowsAround {
    std::optional<store::RowRef> before;
    std::optional<store::RowRef> before_in_lane;
};

std::string line_of(const Context& context, const formats::SourceTexts& sources, const store::RowRef& place,
                    const RowsAround& around) {
    const store::Event event = (*place.lane)[place.index];
    const analysis::Deltas deltas = analysis::DeltaTracker::at(context.session, place, around.before, around.before_in_lane);
    return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", nanoseconds(context.time_ps(place.tick)),
                       in_one_cell(sources.of(*place.lane)), in_one_cell(place.lane->channel().name),
                       wire::kind_name(event.kind()), timeline::value_text(event),
                       in_one_cell(place.lane->text(place.index)), nanoseconds(deltas.any_ps),
                       nanoseconds(deltas.channel_ps), nanoseconds(deltas.error_ps));
}

}  // namespace

const char* without_selection(const Context& context) {
    if (context.marks.selection && context.marks.selection->lane != nullptr) return nullptr;
    const timeline::CursorPair& cursors = context.marks.cursors;
    return cursors.a && cursors.b ? nullptr : "No row is selected, and A and B are not both placed";
}

void copy_selection(Context& context) {
    const auto& selection = context.marks.selection;
    if (selection && selection->lane != nullptr) {
        if (!selection->lane->is_row_here(selection->index)) return context.errors.notice("The row is still being fetched");
        const TableRows& rows = context.document.rows;
        const bool is_in_table = !context.tree.is_derived(*selection->lane);
        const std::uint64_t row = is_in_table ? rows.row_of(*selection->lane, selection->index) : rows.size();
        RowsAround around;
        if (row < rows.size()) around = {rows.before(row), rows.before_in_lane(row)};
        const std::string line = line_of(context, formats::SourceTexts(context.session),
                                         {selection->lane, selection->index, selection->tick}, around);
        ImGui::SetClipboardText(line.c_str());
        return context.errors.notice("The row is copied");
    }
    const auto measured = timeline::measure(context.marks.cursors, context.session);
    if (!measured) return;
    const std::string words =
        fmt::format("A\t{}\nB\t{}\ndelta\t{}\t\xC2\xB1{}\n", nanoseconds(context.time_ps(context.marks.cursors.a->tick)),
                    nanoseconds(context.time_ps(context.marks.cursors.b->tick)), nanoseconds(measured->ps),
                    nanoseconds(measured->error_ps));
    ImGui::SetClipboardText(words.c_str());
    context.errors.notice("A, B and the time between them are copied, in nanoseconds");
}

void copy_table(Context& context) {
    const TableRows& rows = context.document.rows;
    const std::uint64_t count = std::min(rows.size(), kMaxCopiedRows);
    if (!rows.are_here(0, count)) return context.errors.notice("The rows are still being fetched: copy them again");
    const formats::SourceTexts sources(context.session);
    std::string text = kCopiedHead;
    for (std::uint64_t row = 0; row < count; ++row) {
        const auto place = rows.place(row);
        if (place) text += line_of(context, sources, *place, {rows.before(row), rows.before_in_lane(row)});
    }
    ImGui::SetClipboardText(text.c_str());
    context.errors.notice(count < rows.size() ? fmt::format("The first {} of {} rows are copied: {} writes all to a file",
                                                            timeline::grouped(count), timeline::grouped(rows.size()),
                                                            context.keys.with_keys("{export}"))
                                              : fmt::format("{} rows are copied", timeline::grouped(count)));
}

}  // namespace sla::ui
