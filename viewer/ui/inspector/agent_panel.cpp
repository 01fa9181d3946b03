#include "viewer/ui/inspector/agent_panel.h"

#include "proto/time/duration.h"
#include "proto/wire/filter_text.h"
#include "viewer/timeline/clock_words.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

#include <optional>

namespace sla::ui {

namespace {

// A capture or an agent, or what an agent has left here.
bool has_source(const Context& context) {
    if (context.status.state == SourceState::kNone) return false;
    return context.status.state != SourceState::kLost || !context.session.origin().agent.empty();
}

void draw_agent(Context& context) {
    const store::Session& session = context.session;
    const store::Health& health = session.health();
    form_reading(context, "agent", session.origin().agent.empty() ? "unknown" : session.origin().agent);
    if (!session.origin().host.empty()) form_reading(context, "host", session.origin().host);
    if (!health.known) {
        form_words(
            context,
            context.source.can_run() ? "It has not reported its health yet." : "Nothing of its health is in this capture.",
            context.theme.dim);
        return;
    }
    form_reading(context, "processor", fmt::format("{:.1f} % of a core", health.agent_cpu * 100));
    const auto bytes = [](std::uint64_t of) { return timeline::readable_bytes(static_cast<double>(of)); };
    form_reading(context, "memory", bytes(health.agent_bytes));
    form_reading(context, "of it history",
                 fmt::format("{} of {}", bytes(health.retained_bytes), bytes(health.retained_limit)));
    const store::MemoryParts& parts = health.memory;
    if (ImGui::IsItemHovered()) {
        tooltip(context, fmt::format("batches {}, names {}, open batches {}, programs {}, readers {}, recorders {}",
                                     bytes(parts.batches), bytes(parts.names), bytes(parts.open_batches),
                                     bytes(parts.programs), bytes(parts.readers), bytes(parts.recorders)));
    }
    if (health.shot_bytes > 0)
        form_reading(context, "of it shots", fmt::format("{} of {}", bytes(health.shot_bytes), bytes(health.shot_limit)));
    form_reading(context, "of it rings", bytes(health.ring_bytes));
    form_reading(context, "readers", timeline::grouped(health.readers));
}

void draw_clock(Context& context) {
    const store::Session& session = context.session;
    const store::ClockHealth& clock = session.health().clock;
    const std::optional<timeline::ClockWords> words = timeline::clock_words(session);
    if (!words) {
        form_words(context, "Nothing is known of the clock yet.", context.theme.dim);
        return;
    }
    if (words->known_to.empty()) {
        form_words(context, "As the file says, " + words->rate + "; no clock was measured.", context.theme.dim);
        return;
    }
    form_reading(context, "stamps", words->stamps.empty() ? "unknown" : words->stamps);
    form_reading(context, "rate", words->rate);
    form_reading(context, "known to", words->known_to);
    form_reading(context, "snapshots", timeline::grouped(session.snapshots().size()));
    form_reading(context, "a stamp costs", fmt::format("{} ticks", session.stamp_ticks()));
    if (!clock.known) {
        form_words(context, "This capture says nothing of the clock's health.", context.theme.dim);
        return;
    }
    form_reading(context, "invariant", clock.invariant ? "yes" : "no", clock.invariant ? 0 : context.theme.loss);
    if (clock.cores >= 2) {
        form_reading(context, "cores compared", timeline::grouped(clock.cores));
        form_reading(context, "skew", fmt::format("at most {} ticks", clock.skew.ticks));
    }
    form_reading(context, "drift", fmt::format("{:.1f} ppb", clock.drift_ppb));
    const auto counted = [&](const char* label, std::uint64_t count) {
        form_reading(context, label, timeline::grouped(count), count > 0 ? context.theme.loss : ImU32{0});
    };
    counted("steps back", clock.backward_steps);
    counted("offset changes", clock.offset_changes);
    counted("rate changes", clock.rate_changes);
    if (!clock.problem.empty()) form_words(context, clock.problem, context.theme.loss);
}

void draw_sources(Context& context) {
    for (const auto& [id, source] : context.session.sources()) {
        const std::string name = source.pid == 0 ? source.name : fmt::format("{} ({})", source.name, source.pid);
        form_words(context, source.ended ? name + ", ended" : name, source.ended ? context.theme.dim : context.theme.text);
        if (!source.command.empty()) form_words(context, source.command, context.theme.dim);
    }
}

}  // namespace

// Only what was typed is asked for: all else stays as the agent has it, whoever set it.
void AgentPanel::draw_settings(Context& context, const std::string& channel, const std::string& agents_filter) {
    if (filter_ == agents_filter_) filter_ = agents_filter;
    agents_filter_ = agents_filter;
    form_field(context, "Filter", "##filter", filter_, "value > 100, every 10",
               "What a marker must say to be kept, decided in the program");
    form_field(context, "Keep for", "##keep", keep_, "30s", "How long the agent holds its events; empty: leave it as it is");
    const auto filter = wire::parse_filter(filter_.empty() ? "none" : filter_);
    if (!filter) form_words(context, filter.error().message, context.theme.loss);
    const auto keep = keep_.empty() ? Result<std::int64_t>(std::int64_t{0}) : time::parse_duration(keep_);
    if (!keep) form_words(context, keep.error().message, context.theme.loss);
    const bool is_other_filter = filter.ok() && wire::filter_text(*filter) != agents_filter;
    const bool is_ready = filter.ok() && keep.ok() && (is_other_filter || !keep_.empty());
    if (!form_button(context, "Apply", is_ready)) return;
    context.document.agent->set_channel(channel, is_other_filter ? &*filter : nullptr,
                                        keep_.empty() ? std::nullopt : std::optional(*keep / 1000));
    filter_ = wire::filter_text(*filter);
}

// Switch, filter and how long to keep, of the focused lane's channel.
void AgentPanel::draw_channel(Context& context) {
    const store::Lane* lane = context.marks.focus;
    if (lane == nullptr) {
        form_words(context, "Click a lane: its switch and filter appear here.", context.theme.dim);
        return;
    }
    if (context.tree.is_derived(*lane)) {
        form_words(context, "This lane is the answer to a question; the agent has no channel of it.", context.theme.dim);
        return;
    }
    const store::Ledger* ledger = context.session.ledger(lane->channel().id);
    const std::string agents_filter = ledger == nullptr ? std::string() : ledger->filter;
    if (const std::string& key = context.tree.key_of(*lane); key != lane_) {
        lane_ = key;
        filter_ = agents_filter_ = agents_filter;
        keep_.clear();
    }
    const std::string& name = lane->channel().name;
    form_words(context, name, context.theme.text);
    bool on = ledger == nullptr || !ledger->off;
    if (ImGui::Checkbox("recorded", &on)) context.document.agent->switch_channel(name, on);
    if (ImGui::IsItemHovered()) tooltip(context, "Off, its markers cost a load and a branch");
    draw_settings(context, name, agents_filter);
    if (ledger == nullptr) return;
    form_reading(context, "recorded", timeline::grouped(ledger->events));
    form_reading(context, "turned away", timeline::grouped(ledger->filtered));
    form_reading(context, "held", timeline::grouped(ledger->retained_events));
    if (ledger->not_kept > 0) form_reading(context, "no longer held", timeline::grouped(ledger->not_kept));
    if (ledger->lost() > 0) form_reading(context, "lost", timeline::grouped(ledger->lost()), context.theme.loss);
    if (ledger->capped) form_words(context, "There is no room to keep it that long.", context.theme.loss);
}

void AgentPanel::draw(Context& context, const Rect& place) {
    const Form form(context, "agent panel", place);
    if (!has_source(context)) {
        form_heading(context, "AGENT");
        form_words(context, "No agent here. Start one: sla-agent. Or open a capture.", context.theme.dim);
        return;
    }
    if (context.document.agent->has_agent()) {
        form_heading(context, "CHANNEL");
        draw_channel(context);
    }
    form_heading(context, "AGENT");
    draw_agent(context);
    form_heading(context, "CLOCK");
    draw_clock(context);
    form_heading(context, "SOURCES");
    draw_sources(context);
}

}  // namespace sla::ui
