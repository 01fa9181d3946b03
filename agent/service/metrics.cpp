#include "agent/service/metrics.h"

#include <fmt/format.h>

#include <iterator>

namespace sla::service {
namespace {

// A label's value: backslash, quote and line feed are written apart. Other control characters would only spoil the page.
std::string escaped(const std::string& text) {
    std::string out;
    for (const char letter : text) {
        if (letter == '\\' || letter == '"') out += '\\';
        if (letter == '\n') {
            out += "\\n";
        } else {
            out += letter;
        }
    }
    return out;
}

class Page {
public:
    void begin(const char* name, const char* type, const char* help) {
        name_ = name;
        fmt::format_to(std::back_inserter(text_), "# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
    }
    template <typename Number>
    void value(Number number) {
        fmt::format_to(std::back_inserter(text_), "{} {}\n", name_, number);
    }
    template <typename Number>
    void value(const char* label, const std::string& of, Number number) {
        fmt::format_to(std::back_inserter(text_), "{}{{{}=\"{}\"}} {}\n", name_, label, escaped(of), number);
    }
    template <typename Number>
    void one(const char* name, const char* type, const char* help, Number number) {
        begin(name, type, help);
        value(number);
    }
    std::string take() { return std::move(text_); }

private:
    const char* name_ = "";
    std::string text_;
};

void add_flow(const Metrics& metrics, Page& page) {
    page.one("sla_events_total", "counter", "Events recorded.", metrics.events);
    page.begin("sla_events_lost_total", "counter", "Events lost, by cause.");
    for (const auto& [cause, count] : metrics.lost) page.value("cause", cause, count);
    page.one("sla_events_filtered_total", "counter", "Events that a filter turned away; no losses.", metrics.filtered);
    page.one("sla_programs", "gauge", "Marked programs attached now.", metrics.programs);
    page.one("sla_channels", "gauge", "Channels known.", metrics.channels);
    page.one("sla_readers", "gauge", "Viewers, recorders and commands that read the stream.", metrics.readers);
    page.begin("sla_logins_total", "counter",
               "Connections over TLS, by what came of them; none: closed before it logged in.");
    for (const auto& [outcome, count] : metrics.logins) page.value("outcome", outcome, count);
}

void add_process(const Metrics& metrics, Page& page) {
    page.begin(
        "sla_memory_bytes", "gauge",
        "Memory held, by part: events kept, names of channels and threads, batches still open, what is known of programs, "
        "where readers stand and what is on its way to them, recorders, windows of shots, programs' rings mapped.");
    for (const auto& [part, bytes] : metrics.memory) page.value("part", part, bytes);
    page.one("sla_history_limit_bytes", "gauge", "Most memory that all parts but shots and rings may take together.",
             metrics.memory_limit);
    page.one("process_resident_memory_bytes", "gauge", "Resident memory size in bytes.", metrics.resident_bytes);
    page.one("process_cpu_seconds_total", "counter", "Total user and system CPU time spent in seconds.",
             metrics.cpu_seconds);
    page.one("process_start_time_seconds", "gauge", "Start time of the process since unix epoch in seconds.",
             metrics.start_time);
    page.one("sla_uptime_seconds", "gauge", "Time since the agent started.", metrics.uptime);
}

void add_triggers(const Metrics& metrics, Page& page) {
    if (metrics.triggers.empty()) return;
    page.begin("sla_trigger_armed", "gauge", "Whether the trigger can fire.");
    for (const Metrics::Trigger& trigger : metrics.triggers) page.value("trigger", trigger.name, trigger.armed ? 1 : 0);
    page.begin("sla_trigger_shots_total", "counter", "Times the trigger fired since it was set.");
    for (const Metrics::Trigger& trigger : metrics.triggers) page.value("trigger", trigger.name, trigger.shots);
    page.begin("sla_trigger_undecided_total", "counter", "Times when losses hid whether the trigger should have fired.");
    for (const Metrics::Trigger& trigger : metrics.triggers) page.value("trigger", trigger.name, trigger.cannot_tell);
}

void add_recording(const Metrics& metrics, Page& page) {
    if (!metrics.recording) return;
    page.one("sla_recording_running", "gauge", "Whether the recording is written on; it stops when its disk is full.",
             *metrics.recording ? 1 : 0);
}

void add_publishing(const Metrics::Publishing& publishing, Page& page) {
    if (!publishing.wanted) return;
    page.one("sla_publish_connected", "gauge", "Whether a server of the fleet is connected.", publishing.connected ? 1 : 0);
    page.begin("sla_publish_events_total", "counter",
               "Events by what became of them: acknowledged by the fleet's cluster, or dropped as the spool had no room.");
    page.value("outcome", "published", publishing.published);
    page.value("outcome", "dropped", publishing.dropped);
    page.one("sla_publish_events_spooled", "gauge", "Events in the spool that are not acknowledged.", publishing.left);
    page.one("sla_publish_bytes_total", "counter", "Bytes acknowledged by the fleet's cluster.", publishing.bytes);
    page.one("sla_publish_resent_total", "counter", "Messages that had to be sent again.", publishing.resent);
    page.one("sla_publish_unacknowledged", "gauge", "Messages on their way.", publishing.unacknowledged);
    page.one("sla_spool_bytes", "gauge", "Bytes in the spool.", publishing.spool_bytes);
    page.one("sla_spool_limit_bytes", "gauge", "Most bytes that the spool may take.", publishing.spool_limit);
}

void add_clock(const Metrics::Clock& clock, Page& page) {
    page.one("sla_clock_healthy", "gauge", "Whether nothing is known to be wrong with the clock that stamps.",
             clock.good ? 1 : 0);
    page.one("sla_clock_tsc", "gauge", "Whether the TSC stamps, rather than CLOCK_MONOTONIC_RAW.", clock.tsc ? 1 : 0);
    page.one("sla_clock_frequency_hertz", "gauge", "Ticks a second.", clock.ticks_per_second);
    page.one("sla_clock_error_ratio", "gauge", "Error of that rate, as a part of it.", clock.error_ratio);
    page.one("sla_clock_skew_seconds", "gauge", "Most that the counters of two cores may be apart.", clock.skew_seconds);
    page.one("sla_clock_drift_ratio", "gauge", "Newest rate against the long run.", clock.drift_ratio);
    page.one("sla_clock_backward_steps_total", "counter", "Readings of one thread that went back.", clock.backward_steps);
    page.one("sla_clock_offset_changes_total", "counter", "Jumps against the kernel's clock.", clock.offset_changes);
    page.one("sla_clock_rate_changes_total", "counter", "Times the counter went on at another rate.", clock.rate_changes);
}

}  // namespace

std::string metrics_text(const Metrics& metrics) {
    Page page;
    add_flow(metrics, page);
    add_process(metrics, page);
    add_triggers(metrics, page);
    add_recording(metrics, page);
    add_publishing(metrics.publishing, page);
    add_clock(metrics.clock, page);
    return page.take();
}

}  // namespace sla::service
