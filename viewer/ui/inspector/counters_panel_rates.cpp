// The Counters panel's strips and ratios: what has been counted.
#include "viewer/ui/inspector/counters_panel.h"

#include "viewer/counters/section_table.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sla::ui {

namespace {

constexpr float kStripHeight = 30;
constexpr float kStripBar = 2;

bool is_task_clock(const counters::Event& event) {
    return event.name() == "host:task-clock";
}

std::string rate_text(const counters::Event& event, std::optional<double> rate) {
    if (!rate) return "not known";
    constexpr double kNanoseconds = 1e9;
    if (is_task_clock(event)) return fmt::format("{:.1f} %", *rate / kNanoseconds * 100);
    return timeline::readable_rate(*rate);
}

// The newest sample as rows of one section: what the ratios are made of.
std::vector<counters::Row> rows_of(const CounterWatch& watch) {
    std::vector<counters::Row> rows;
    const CounterSample& newest = watch.samples().back();
    for (std::size_t i = 0; i < newest.counts.size(); ++i) {
        if (!newest.counts[i]) continue;
        counters::Row row{"program", watch.target().events[i].name(), "", {}, {}, ""};
        row.numbers.n = 1;
        row.numbers.mean = static_cast<double>(*newest.counts[i]);
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

// Newest at the right; as high as the highest in sight.
void CountersPanel::draw_strip(Context& context, std::size_t event) {
    const CounterWatch& watch = *context.document.counters;
    const counters::Event& of = watch.target().events[event];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect line{at.x, at.y, ImGui::GetContentRegionAvail().x, context.px(18)};
    const Rect strip{line.x, line.bottom(), line.width, context.px(kStripHeight)};
    ImGui::PushID(static_cast<int>(event));
    ImGui::InvisibleButton("strip", {line.width, line.height + strip.height + context.px(4)});
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string rate = watch.samples().empty() ? "\xE2\x80\xA6" : rate_text(of, watch.samples().back().rate(event));
    const float names = line.width - text_width(context.fonts.number, rate) - context.px(8);
    draw_text(list, context.fonts.text, {line.x, line.y, names, line.height}, context.theme.text,
              of.world == counters::World::kHost ? of.word : of.name());
    draw_quantity(list, context.fonts.number, line, context.theme.text, context.theme.dim, rate);
    fill(list, strip, context.theme.raised);
    const float step = context.px(kStripBar) + context.hair();
    const auto shown = std::min(watch.samples().size(), static_cast<std::size_t>(strip.width / step));
    const auto rate_before = [&](std::size_t samples) {  // the newest one
        return watch.samples()[watch.samples().size() - 1 - samples].rate(event).value_or(0);
    };
    double most = 0;
    for (std::size_t i = 0; i < shown; ++i) most = std::max(most, rate_before(i));
    for (std::size_t i = 0; i < shown && most > 0; ++i) {
        const double share = rate_before(i) / most;
        const auto height = static_cast<float>(std::ceil(share * static_cast<double>(strip.height - context.hair())));
        const float right = strip.right() - step * static_cast<float>(i);
        fill(list, {right - context.px(kStripBar), strip.bottom() - height, context.px(kStripBar), height},
             context.theme.accent);
    }
    if (!hovered) return;
    const auto total = watch.totals()[event];
    const bool is_estimate = !watch.samples().empty() && watch.samples().back().is_estimate(event);
    tooltip_beside(context, fmt::format("{}{}\nin all {}; highest here {}{}", of.meaning,
                                        is_task_clock(of) ? ", as a share of one core" : "",
                                        total ? timeline::grouped(*total) : "not known", rate_text(of, most),
                                        is_estimate ? "\nan estimate: it shares the processor's counters with others" : ""));
}

void CountersPanel::draw_strips(Context& context) {
    const CounterWatch& watch = *context.document.counters;
    for (std::size_t i = 0; i < watch.target().events.size(); ++i) draw_strip(context, i);
    if (!watch.not_counted().empty()) form_words(context, watch.not_counted(), context.theme.dim);
    if (!watch.problem().empty()) form_words(context, watch.problem(), context.theme.loss);
}

void CountersPanel::draw_ratios(Context& context) {
    const CounterWatch& watch = *context.document.counters;
    if (watch.samples().empty() || !watch.target().section.empty()) return;  // a section has its own
    const std::vector<counters::Row> ratios = counters::ratios_of(rows_of(watch));
    if (ratios.empty()) return;
    form_heading(context, "RATIOS, OF THE LAST INTERVAL");
    for (const counters::Row& ratio : ratios) {
        form_reading(context, ratio.event.c_str(), fmt::format("{:.3g}", ratio.numbers.mean));
        if (ImGui::IsItemHovered()) tooltip_beside(context, ratio.note);
    }
}

}  // namespace sla::ui
