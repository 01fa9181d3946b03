// The Counters panel's section: which it is, and what its spans count.
#include "viewer/ui/inspector/counters_panel.h"

#include "viewer/counters/section_table.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/item_rects.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

namespace sla::ui {

namespace {

constexpr std::string_view kMean = "mean";

// Less than nothing where the empty section took more.
std::string number_text(double number) {
    if (number == std::floor(number) && std::abs(number) < 1e15)
        return (number < 0 ? "-" : "") + timeline::grouped(static_cast<std::uint64_t>(std::abs(number)));
    return fmt::format("{:.1f}", number);
}

std::string details_of(const counters::Row& row) {
    const counters::Summary& of = row.numbers;
    return fmt::format("min {}   median {}   max {}", number_text(of.min), number_text(of.median), number_text(of.max));
}

// How much of the numbers is missing or was taken off.
std::string tip_of(const counters::Row& row) {
    const counters::Summary& of = row.numbers;
    std::string text = fmt::format("{}: mean of {} spans, {} more left out as outliers, standard deviation {:.3g}",
                                   row.event, timeline::grouped(of.n - of.culled), timeline::grouped(of.culled), of.spread);
    if (row.subtracted) text += fmt::format("\nless {:g}, what an empty section counts", *row.subtracted);
    if (!row.how.empty()) text += "\n" + row.how;
    if (!row.note.empty()) text += "; " + row.note;
    return text;
}

// Name, and the mean at the right; below them the rest.
void draw_row(Context& context, const counters::Row& row, const std::string& name) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect first{at.x, at.y, ImGui::GetContentRegionAvail().x, context.px(18)};
    const Rect second{first.x, first.bottom(), first.width, context.px(18)};
    ImGui::PushID(name.c_str());
    ImGui::InvisibleButton("row", {first.width, first.height + second.height + context.px(2)});
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string mean = number_text(row.numbers.mean);
    Rect rest = first;
    draw_text(list, context.fonts.number, rest, context.theme.text, mean, Align::kRight);
    rest.width -= text_width(context.fonts.number, mean) + context.px(6);
    draw_text(list, context.fonts.small, rest, context.theme.dim, kMean, Align::kRight);
    rest.width -= text_width(context.fonts.small, kMean) + context.px(8);
    draw_text(list, context.fonts.text, rest, context.theme.text, name);
    draw_text(list, context.fonts.text, second, context.theme.dim, details_of(row));
    if (hovered) tooltip_beside(context, tip_of(row));
}

}  // namespace

void CountersPanel::draw_section_choice(Context& context) {
    form_label(context, "Section");
    ImGui::SetNextItemWidth(-1);
    ImGui::InputTextWithHint("##section", "the whole", &section_typed_);
    note_item("field", "Section");
    if (ImGui::IsItemDeactivatedAfterEdit()) section_ = section_typed_;
    if (ImGui::IsItemHovered()) {
        tooltip_beside(
            context,
            "A channel whose spans are counted one by one: of an emulated PC any, as irq.0.isr or guest.work; of a marked "
            "program one with SLA_COUNT_BEGIN and SLA_COUNT_END. What one named empty beside it counts is taken off");
    }
    form_label(context, "");
    ImGui::SetNextItemWidth(-1);
    if (!begin_combo("##sections", "of its channels\xE2\x80\xA6")) return;
    if (ImGui::Selectable("the whole", section_.empty())) choose_section("");
    for (const store::Lane* lane : context.session.lanes()) {
        const store::Source* source = context.session.source_of(*lane);
        if (source == nullptr || number_ == 0 || source->pid != static_cast<std::uint32_t>(number_)) continue;
        if (!lane->has(wire::Kind::kBegin)) continue;
        const std::string& name = lane->channel().name;
        ImGui::PushID(lane);
        if (form_choice(name, name == section_)) choose_section(name);
        ImGui::PopID();
    }
    ImGui::EndCombo();
}

void CountersPanel::draw_section(Context& context) {
    const CounterWatch& watch = *context.document.counters;
    const std::string& section = watch.target().section;
    if (section.empty()) return;
    form_heading(context, "EACH SPAN OF THE SECTION");
    const std::uint64_t spans = watch.section().totals.empty() ? 0 : watch.section().totals.front().value_or(0);
    form_words(context, fmt::format("{}: {} {}", section, timeline::grouped(spans), spans == 1 ? "span" : "spans"),
               context.theme.text);
    const std::vector<counters::Event> events = watch.section_events();
    for (const counters::Row& row : watch.section().rows) {
        const auto counted = std::find_if(events.begin(), events.end(),
                                          [&](const counters::Event& event) { return event.name() == row.event; });
        if (counted != events.end()) {
            draw_row(context, row, counted->world == counters::World::kHost ? counted->word : counted->name());
        } else {
            form_reading(context, row.event.c_str(), fmt::format("{:.3g}", row.numbers.mean));
            if (ImGui::IsItemHovered()) tooltip_beside(context, row.note);
        }
    }
    if (!watch.section().problem.empty()) form_words(context, watch.section().problem, context.theme.loss);
    form_heading(context, "THE WHOLE");
}

}  // namespace sla::ui
