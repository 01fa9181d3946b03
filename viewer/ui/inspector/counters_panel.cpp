#include "viewer/ui/inspector/counters_panel.h"

#include "proto/base/text.h"
#include "viewer/counters/guest_control.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"
#include "viewer/workspace/search/fuzzy.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace sla::ui {

using counters::World;

namespace {

// What one wants to see first.
constexpr std::array kUsualOfHost{"host:cycles", "host:instructions", "host:task-clock", "host:page-faults",
                                  "host:context-switches"};
constexpr std::array kUsualOfGuest{"pentium:instructions", "pentium:hardware-interrupts", "pentium:port-accesses"};

bool is_on_this_machine(const Context& context) {
    const auto address = context.source.address();
    return address && address->family == wire::Address::Family::kUnix;
}

std::string named(const store::Source& source) {
    return fmt::format("{} ({})", source.name, source.pid);
}

}  // namespace

void CountersPanel::rest(Context& context) {
    CounterWatch& watch = *context.document.counters;
    if (watch.target().process != 0 && !watch.is_logging()) watch.stop();
}

CounterWatch::Target CountersPanel::target() const {
    CounterWatch::Target out{number_, {}, every_, section_, is_guest_};
    for (const Offered& one : offered_) {
        const bool there = one.absence.empty() && (one.event.world == World::kHost || is_guest_);
        if (there && chosen_.contains(one.event.name())) out.events.push_back(one.event);
    }
    if (out.events.empty()) out.process = 0;
    return out;
}

// What there is no choice about is chosen, as long as nobody said otherwise.
void CountersPanel::choose_only_guest(const Context& context) {
    constexpr double kBetweenLooks = 1;
    if (is_chosen_ || !process_.empty() || ImGui::GetTime() < looks_at_ || !is_on_this_machine(context)) return;
    looks_at_ = ImGui::GetTime() + kBetweenLooks;
    const std::vector<pid_t> guests = counters::running_guests();
    if (guests.size() == 1) process_ = std::to_string(guests.front());
}

void CountersPanel::find_process() {
    if (process_ == looked_up_) return;
    looked_up_ = process_;
    problem_.clear();
    is_guest_ = false;
    number_ = 0;
    if (process_.empty()) return;
    number_ = std::max(whole_number<pid_t>(process_).value_or(0), 0);
    if (number_ == 0) {
        problem_ = "'" + process_ + "' is no process: type its number";
        return;
    }
    is_guest_ = counters::GuestControl::connect(number_).ok();
    const auto is_of_guest = [](const std::string& name) { return name.starts_with("pentium:"); };
    if (is_guest_ && std::none_of(chosen_.begin(), chosen_.end(), is_of_guest))
        chosen_.insert(kUsualOfGuest.begin(), kUsualOfGuest.end());
}

void CountersPanel::draw_process(Context& context) {
    is_chosen_ |= form_field(context, "Process", "##process", process_, "its number",
                             "Of this machine: a marked program, an emulated PC, any other");
    if (!is_on_this_machine(context)) return;
    form_label(context, "");
    ImGui::SetNextItemWidth(-1);
    if (!begin_combo("##sources", "of those marked\xE2\x80\xA6")) return;
    for (const auto& [id, source] : context.session.sources()) {
        if (source.ended || source.pid == 0) continue;
        ImGui::PushID(static_cast<int>(id.value));
        const std::string number = std::to_string(source.pid);
        if (form_choice(named(source), number == process_)) choose_process(number);
        ImGui::PopID();
    }
    ImGui::EndCombo();
}

void CountersPanel::draw_offered(Context& context, World world) {
    form_heading(context, world == World::kHost ? "THIS MACHINE" : "THE EMULATED PENTIUM");
    if (world == World::kPentium && !is_guest_) {
        form_words(context, "This process is no emulated PC.", context.theme.dim);
        return;
    }
    for (const Offered& one : offered_) {
        if (one.event.world != world) continue;
        if (!filter_.empty() && !fuzzy_score(filter_, one.event.word + " " + one.event.meaning)) continue;
        const std::string name = one.event.name();
        bool on = chosen_.contains(name);
        ImGui::BeginDisabled(!one.absence.empty());
        if (ImGui::Checkbox(one.event.word.c_str(), &on)) {
            if (on) chosen_.insert(name);
            if (!on) chosen_.erase(name);
        }
        ImGui::EndDisabled();
        ImGui::SameLine(context.px(180));
        form_words(context, one.absence.empty() ? one.event.meaning : one.absence, context.theme.dim);
    }
}

void CountersPanel::draw_choice(Context& context) {
    constexpr std::array<std::pair<const char*, int>, 3> kIntervals{{{"0.1 s", 100}, {"1 s", 1000}, {"10 s", 10'000}}};
    form_label(context, "Every");
    ImGui::SetNextItemWidth(-1);
    const std::string shown = fmt::format("{:g} s", static_cast<double>(every_.count()) / 1000);
    if (begin_combo("##every", shown.c_str())) {
        for (const auto& [title, milliseconds] : kIntervals) {
            if (ImGui::Selectable(title, every_.count() == milliseconds)) every_ = std::chrono::milliseconds(milliseconds);
        }
        ImGui::EndCombo();
    }
    if (ImGui::Button("Choose events\xE2\x80\xA6")) ImGui::OpenPopup("events");
    ImGui::SetNextWindowSize({context.px(520), context.px(420)});
    if (!begin_popup("events")) return;
    ImGui::SetNextItemWidth(-1);
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    ImGui::InputTextWithHint("##filter", "part of a name or a meaning", &filter_);
    ImGui::BeginChild("list");
    draw_offered(context, World::kHost);
    draw_offered(context, World::kPentium);
    ImGui::EndChild();
    ImGui::EndPopup();
}

void CountersPanel::draw_log(Context& context) {
    CounterWatch& watch = *context.document.counters;
    form_heading(context, "LOG");
    form_field(context, "File", "##log", log_, "run.csv",
               "A table of every interval, the section's counts too: .csv, .tsv, .json, .jsonl or .txt");
    const bool logs = watch.is_logging();
    std::error_code ignored;
    const bool replaces = !logs && !log_.empty() && std::filesystem::exists(log_, ignored);
    const char* begin = replaces ? "Replace by a log" : "Begin a log";
    if (form_button(context, logs ? "End the log" : begin, logs || (watch.is_running() && !log_.empty()))) {
        const Result<void> done = logs ? watch.end_log() : watch.begin_log(log_);
        log_problem_ = done.ok() ? std::string() : done.error().message;
    }
    if (logs) {
        ImGui::SameLine();
        const std::uint64_t rows = watch.logged();
        form_words(
            context,
            fmt::format("{} {}; the file appears when the log ends", timeline::grouped(rows), rows == 1 ? "row" : "rows"),
            context.theme.dim);
    }
    if (!log_problem_.empty()) form_words(context, log_problem_, context.theme.loss);
}

void CountersPanel::begin() {
    for (const World world : {World::kHost, World::kPentium}) {
        for (counters::Event& event : counters::events_of(world)) {
            std::string absence = counters::absence_in_process(event, counters::Privilege::kBoth);
            offered_.push_back({std::move(event), std::move(absence)});
        }
    }
    if (chosen_.empty()) chosen_.insert(kUsualOfHost.begin(), kUsualOfHost.end());
}

void CountersPanel::draw(Context& context, const Rect& place) {
    const Form form(context, "counters panel", place);
    if (offered_.empty()) begin();
    form_heading(context, "COUNTERS");
    CounterWatch& watch = *context.document.counters;
    choose_only_guest(context);
    ImGui::BeginDisabled(watch.is_logging());  // another choice would be another table
    draw_process(context);
    draw_section_choice(context);
    draw_choice(context);
    ImGui::EndDisabled();
    find_process();
    if (!problem_.empty()) form_words(context, problem_, context.theme.loss);
    const CounterWatch::Target wanted = target();
    if (!watch.is_logging()) watch.watch(wanted);
    if (process_.empty()) {
        form_words(context,
                   "Choose a process: what this machine's counters see of it appears here, and of an emulated PC what its "
                   "Pentium counts.",
                   context.theme.dim);
        return;
    }
    if (number_ != 0 && wanted.events.empty()) form_words(context, "No event is chosen.", context.theme.dim);
    draw_section(context);
    draw_strips(context);
    draw_ratios(context);
    draw_log(context);
}

}  // namespace sla::ui
