#include "viewer/workspace/counters/counter_watch.h"

#include "proto/time/picoseconds.h"
#include "viewer/counters/guest_sections.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

namespace sla::workspace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

constexpr milliseconds kEndInterval(50);  // a job looks so often whether it is wanted

std::vector<counters::Event> of_pentium(const std::vector<counters::Event>& events) {
    std::vector<counters::Event> out;
    std::copy_if(events.begin(), events.end(), std::back_inserter(out),
                 [](const counters::Event& event) { return event.world == counters::World::kPentium; });
    return out;
}

// Nothing where one of them is not known.
counters::EventCounts difference(const counters::EventCounts& now, const counters::EventCounts& before) {
    counters::EventCounts out(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] && before[i]) out[i] = *now[i] - std::min(*now[i], *before[i]);
    }
    return out;
}

// What goes wrong there is said there: the process is counted all the same.
SectionLook ask_section(const CounterWatch::Target& target) {
    SectionLook out;
    auto guest = counters::GuestControl::connect(target.process);
    const auto table = guest.ok() ? counters::ask_guest_section(*guest, target.section, target.events)
                                  : Result<counters::SectionTable>(guest.error());
    if (table.ok()) return look_of(*table, target.section, of_pentium(target.events));
    out.problem = table.error().message;
    return out;
}

void forget_section(const CounterWatch::Target& target) {
    auto guest = counters::GuestControl::connect(target.process);
    if (!guest.ok()) return;
    guest->wait_unless([] { return true; });
    counters::forget_guest_section(*guest, target.section);
}

}  // namespace

// Guarded by `mutex`.
struct CounterWatch::Shared {
    std::mutex mutex;
    std::vector<CounterSample> samples;  // not taken yet
    std::string problem;
    std::string not_counted;
};

CounterWatch::~CounterWatch() {
    stop();
}

void CounterWatch::watch(const Target& target) {
    if (target == target_) return;
    stop();
    target_ = target;
    samples_.clear();
    totals_.assign(target.events.size(), std::nullopt);
    problem_.clear();
    not_counted_.clear();
    section_ = {};
    if (target.process == 0 || target.events.empty()) return;
    if (!target.section.empty() && !target.is_guest) marked_.emplace(target.process, target.section);
    shared_ = std::make_shared<Shared>();
    job_ = runner_.start("counting",
                         [target, shared = shared_](const JobRunner::Control& control) { count(target, *shared, control); });
}

void CounterWatch::stop() {
    end_log_unasked();
    job_ = {};
    shared_.reset();
    marked_.reset();
    target_ = {};
}

void CounterWatch::count(const Target& target, Shared& shared, const JobRunner::Control& control) {
    const auto fail = [&shared](const std::string& why) {
        const std::lock_guard lock(shared.mutex);
        shared.problem = why;
    };
    const bool asks_section = target.is_guest && !target.section.empty();
    auto counts = counters::ProcessCounts::open(target.process, target.events, counters::Privilege::kBoth,
                                                counters::ProcessCounts::Guest::kIsThere);
    if (!counts.ok()) return fail(counts.error().message);
    auto at_start = counts->read();
    if (!at_start.ok()) return fail(at_start.error().message);
    counters::Intervals intervals(std::move(*at_start));
    if (asks_section) (void)ask_section(target);  // its spans count from here on
    const auto begin = steady_clock::now();
    auto last = begin;
    for (auto next = begin + target.every;; next += target.every) {
        bool ended = false;
        while (!ended && !control.is_cancelled() && steady_clock::now() < next) {
            const auto left = std::chrono::ceil<milliseconds>(next - steady_clock::now());
            ended = counts->has_ended(std::clamp(left, milliseconds(0), kEndInterval));
        }
        if (control.is_cancelled()) return asks_section ? forget_section(target) : void();
        const auto now = counts->read();
        if (!now.ok()) return fail(now.error().message);
        const auto at = steady_clock::now();
        counters::IntervalCounts counted = intervals.next(*now);
        CounterSample sample{
            time::ps_of(at - begin), time::ps_of(at - last), std::move(counted.counts), std::move(counted.estimates), {}};
        if (asks_section && !ended) sample.section = ask_section(target);
        {
            const std::lock_guard lock(shared.mutex);
            shared.samples.push_back(std::move(sample));
            shared.not_counted = counts->not_counted();
        }
        if (ended) return fail("process " + std::to_string(target.process) + " has ended");
        last = at;
        next = std::max(next, at);  // a machine that slept makes up for no look
    }
}

void CounterWatch::poll(const store::Session& session) {
    if (shared_ == nullptr) return;
    if (marked_) marked_->take(session);
    const bool is_over = !job_.is_running();  // before its last sample is taken: then there is none behind it
    std::vector<CounterSample> taken;
    {
        const std::lock_guard lock(shared_->mutex);
        taken.swap(shared_->samples);
        if (problem_.empty()) problem_ = shared_->problem;
        not_counted_ = shared_->not_counted;
    }
    for (CounterSample& sample : taken) add(sample);
    if (is_over) end_log_unasked();
    if (job_.ran_out_of_memory()) problem_ = "there is not enough memory to count";
}

std::vector<counters::Event> CounterWatch::section_events() const {
    if (target_.section.empty()) return {};
    return marked_ ? marked_->events() : of_pentium(target_.events);
}

void CounterWatch::add(CounterSample& sample) {
    if (marked_) sample.section = marked_->look();
    counters::EventCounts logged = sample.counts;
    if (!target_.section.empty()) {
        const std::size_t columns = section_events().size() + 1;
        sample.section.totals.resize(columns);
        section_.totals.resize(columns, 0);
        const counters::EventCounts grown = difference(sample.section.totals, section_.totals);
        logged.insert(logged.end(), grown.begin(), grown.end());
        for (std::size_t i = 0; i < columns; ++i) {
            if (!sample.section.totals[i]) sample.section.totals[i] = section_.totals[i];  // not known: what was stays
        }
        if (sample.section.rows.empty()) sample.section.rows = section_.rows;
        section_ = sample.section;
        sample.section.rows.clear();  // the newest alone are shown
    }
    samples_.push_back(sample);
    if (samples_.size() > kMax) samples_.pop_front();
    for (std::size_t i = 0; i < totals_.size(); ++i) {
        if (sample.counts[i]) totals_[i] = totals_[i].value_or(0) + *sample.counts[i];
    }
    if (!log_) return;
    if (const Result<void> added = log_->add(sample.at_ps, sample.interval_ps, logged, sample.estimates); !added.ok()) {
        log_problem_ = added.error().message;
        log_.reset();
    }
}

Result<void> CounterWatch::begin_log(const std::string& path) {
    if (!is_running()) return invalid_input("nothing is counted: choose a process and events first");
    const auto format = formats::format_of_name(path, formats::Format::kCsv);
    if (!format.ok()) return format.error();
    std::vector<std::string> names;
    for (const counters::Event& event : target_.events) names.push_back(event.name());
    if (!target_.section.empty()) names.push_back(target_.section + ":n");
    for (const counters::Event& event : section_events()) names.push_back(target_.section + ":" + event.name());
    auto log = formats::IntervalLog::open(names, *format, path);
    if (!log.ok()) return log.error();
    log_.emplace(std::move(*log));
    return {};
}

Result<void> CounterWatch::end_log() {
    if (!log_) return {};
    Result<void> finished = log_->finish();
    log_.reset();
    return finished;
}

void CounterWatch::end_log_unasked() {
    if (const Result<void> ended = end_log(); !ended.ok()) log_problem_ = ended.error().message;
}

}  // namespace sla::workspace
