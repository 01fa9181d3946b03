#include "viewer/ui/inspector/registers_panel.h"

#include "proto/base/text.h"
#include "viewer/counters/guest_state.h"
#include "viewer/ui/commands/actions.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/item_rects.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace sla::ui {

namespace {

struct SectionTitle {
    const char* section;
    const char* title;
};
constexpr std::array kTitles{SectionTitle{"general", "GENERAL REGISTERS"},
                             SectionTitle{"control", "CONTROL REGISTERS"},
                             SectionTitle{"segments", "SEGMENTS AND TABLES"},
                             SectionTitle{"msr", "MODEL-SPECIFIC REGISTERS"},
                             SectionTitle{"pic", "8259 INTERRUPT CONTROLLERS"},
                             SectionTitle{"pit", "8254 TIMER"},
                             SectionTitle{"rtc", "MC146818 CLOCK"},
                             SectionTitle{"dma", "8237 DMA"},
                             SectionTitle{"kbd", "8042 KEYBOARD CONTROLLER"},
                             SectionTitle{"com1", "16550 UART COM1"},
                             SectionTitle{"com2", "16550 UART COM2"},
                             SectionTitle{"ata", "ATA CHANNEL"},
                             SectionTitle{"fdc", "82077 FLOPPY CONTROLLER"},
                             SectionTitle{"crtc", "CRT CONTROLLER"},
                             SectionTitle{"lapic", "LOCAL APIC"},
                             SectionTitle{"ioapic", "I/O APIC"},
                             SectionTitle{"system", "SYSTEM CONTROL PORTS"},
                             SectionTitle{"pci", "PCI"},
                             SectionTitle{"vga", "VGA"}};

std::string title_of(const std::string& section) {
    const auto found =
        std::find_if(kTitles.begin(), kTitles.end(), [&](const SectionTitle& title) { return section == title.section; });
    return found == kTitles.end() ? section : found->title;
}

// Part of the section's title or of the field's name.
bool is_wanted(const std::string& filter, const std::string& title, const std::string& field) {
    const std::string part = lowered(filter);
    return lowered(title).find(part) != std::string::npos || lowered(field).find(part) != std::string::npos;
}

// Behind CS, as short as it reads: "f1aa", "12345678".
std::string offset_of(const std::string& address) {
    constexpr std::size_t kShortest = 4;
    std::string offset = address.substr(address.find(':') + 1);
    while (offset.size() > kShortest && offset.front() == '0') offset.erase(0, 1);
    return offset;
}

// What the bits of some fields say.
std::string words_of(const counters::StateField& field) {
    constexpr int kHexadecimal = 16;
    std::uint32_t bits = 0;
    std::from_chars(field.value.data(), field.value.data() + field.value.size(), bits, kHexadecimal);
    if (field.name == "eflags") return counters::flags_in_words(bits);
    if (field.name.ends_with(".attributes")) return counters::attributes_in_words(bits);
    return {};
}

// The name at the left, the value at the right; one that does not fit beside it stands below.
void draw_field(Context& context, const counters::StateField& field, ImU32 colour) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect line{at.x, at.y, ImGui::GetContentRegionAvail().x, context.px(18)};
    const float names = text_width(context.fonts.text, field.name) + context.px(8);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImGui::Dummy({line.width, line.height});
    draw_text(list, context.fonts.text, line, context.theme.dim, field.name);
    if (names + text_width(context.fonts.number, field.value) <= line.width) {
        draw_text(list, context.fonts.number, line, colour, field.value, Align::kRight);
        return;
    }
    form_words(context, field.value, colour);
}

// Greyed where it cannot be done now; over it stands what it does, or why it cannot.
void action_button(Context& context, const char* text, const char* id) {
    const Action& action = *action_named(id);
    const std::string why_not = unmet_precondition(context, action);
    if (form_button(context, text, why_not.empty())) run_action(context, action);
    if (ImGui::IsItemHovered()) tooltip_beside(context, why_not.empty() ? action.title : why_not);
}

}  // namespace

void RegistersPanel::rest(Context& context) {
    if (context.document.registers->is_watching()) context.document.registers->stop();
}

void RegistersPanel::draw_process(Context& context) {
    const RegisterWatch& watch = *context.document.registers;
    if (watch.running().size() < 2 && process_ == 0) return;
    form_label(context, "PC");
    ImGui::SetNextItemWidth(-1);
    const std::string shown = process_ == 0 ? "choose" : "process " + std::to_string(process_);
    if (!begin_combo("##guest", shown.c_str())) return;
    for (const pid_t one : watch.running()) {
        if (ImGui::Selectable(("process " + std::to_string(one)).c_str(), one == process_)) process_ = one;
    }
    if (ImGui::Selectable("the only one that runs", process_ == 0)) process_ = 0;
    ImGui::EndCombo();
}

void RegistersPanel::draw_buttons(Context& context) {
    const RegisterWatch& watch = *context.document.registers;
    action_button(context, "Go", "guest-go");
    ImGui::SameLine();
    action_button(context, "Pause", "guest-pause");
    ImGui::SameLine();
    action_button(context, "Step", "guest-step");
    action_button(context, "Step back", "guest-step-back");
    const bool is_there = watch.is_there();
    if (is_there) {
        ImGui::SameLine();
        const char* words = watch.table().is_paused() ? "stands still" : "runs";
        form_words(context, watch.under_way().empty() ? words : watch.under_way(), context.theme.dim);
    }
    form_field(context, "Event", "##guest event", context.document.panels.guest_event, "irq.0.isr begins",
               "a trigger: irq.*, port.post, irq.0.isr begins, pmc.ctr0 > 1000");
    action_button(context, "On to event", "guest-run-to-event");
    ImGui::SameLine();
    action_button(context, "Back to event", "guest-back-to-event");
    if (is_there && !watch.said().empty()) form_words(context, watch.said(), context.theme.dim);
}

// The next instructions; a click lets the guest run on to that one.
void RegistersPanel::draw_code(Context& context) {
    RegisterWatch& watch = *context.document.registers;
    if (watch.code().empty()) return;
    form_heading(context, "CODE");
    for (std::size_t i = 0; i < watch.code().size(); ++i) {
        const counters::CodeLine& line = watch.code()[i];
        // Where it stands, and where a function begins.
        if (!line.name.empty() && (i == 0 || line.name.find('+') == std::string::npos))
            form_words(context, line.name, context.theme.dim);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const Rect place{at.x, at.y, ImGui::GetContentRegionAvail().x, context.px(18)};
        ImGui::PushID(static_cast<int>(i));
        const bool chosen = ImGui::InvisibleButton("##code", {place.width, place.height});
        note_item("code line", i);
        ImGui::PopID();
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const std::string offset = offset_of(line.address);
        draw_text(list, context.fonts.number, place, context.theme.dim, offset);
        const float names = text_width(context.fonts.number, offset) + context.px(8);
        draw_text(list, context.fonts.number, {place.x + names, place.y, place.width - names, place.height},
                  i == 0 ? context.theme.accent : context.theme.text, line.instruction);
        if (ImGui::IsItemHovered())
            tooltip_beside(context, line.address + "  " + line.instruction + "\nA click: the guest runs on to here");
        if (chosen && watch.under_way().empty()) watch.ask("run-to " + line.address);
    }
}

void RegistersPanel::draw_sections(Context& context) const {
    const RegisterTable& table = context.document.registers->table();
    for (const counters::StateSection& section : table.sections()) {
        if (section.name == "guest") continue;
        const std::string title = title_of(section.name);
        bool begun = false;
        for (const counters::StateField& field : section.fields) {
            if (!is_wanted(filter_, title, field.name)) continue;
            if (!begun) form_heading(context, title.c_str());
            begun = true;
            const bool changed = table.has_changed(section.name, field.name);
            draw_field(context, {field.name, counters::readable_value(field)},
                       changed ? context.theme.accent : context.theme.text);
            if (const std::string words = words_of(field); !words.empty())
                draw_field(context, {"", words}, context.theme.dim);
        }
    }
}

void RegistersPanel::draw(Context& context, const Rect& place) {
    const Form form(context, "registers panel", place);
    RegisterWatch& watch = *context.document.registers;
    watch.watch(process_);
    form_heading(context, "REGISTERS");
    draw_process(context);
    draw_buttons(context);
    if (!watch.problem().empty()) form_words(context, watch.problem(), context.theme.loss);
    if (const auto age = watch.age())
        form_words(context, fmt::format("What stands here is from {} s ago", age->count()), context.theme.loss);
    form_field(context, "Show", "##registers", filter_, "part of a name", "pic, imr, cr0: only what has that in its name");
    draw_code(context);
    draw_sections(context);
}

}  // namespace sla::ui
