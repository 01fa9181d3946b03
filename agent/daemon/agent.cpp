#include "agent/daemon/agent.h"

#include "agent/daemon/drain_pace.h"
#include "agent/daemon/pipeline/announcements.h"
#include "agent/daemon/pipeline/linux_feed.h"
#include "proto/base/new_file.h"
#include "proto/base/runtime_dir.h"
#include "proto/time/clock_variables.h"
#include "proto/time/tick_clock.h"
#include "proto/wire/version.h"

#include <spdlog/spdlog.h>

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <utility>

namespace sla::daemon {
namespace {

// Programs read it before they hand over their segments.
Result<void> say_clock(const std::string& path) {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    if (time::stamp_clock() == time::StampClock::kTsc) return {};
    return replace_file(path, "raw\n");
}

}  // namespace

Result<std::unique_ptr<Agent>> Agent::start(const Options& options,
                                            std::unique_ptr<linux::PrivilegedHelper> privileged_helper,
                                            ServiceManager manager) {
    Result<RuntimeLock> lock = RuntimeLock::take();
    if (!lock) return lock.error();
    std::unique_ptr<Agent> agent(
        new Agent(std::move(lock).value(), options, std::move(privileged_helper), std::move(manager)));
    Result<void> open = agent->open(options);
    if (!open) return open.error();
    return agent;
}

Agent::Agent(RuntimeLock lock, const Options& options, std::unique_ptr<linux::PrivilegedHelper> privileged_helper,
             ServiceManager manager)
    : privileged_helper_(std::move(privileged_helper)),
      lock_(std::move(lock)),
      manager_(std::move(manager)),
      signals_(io_),
      retention_(options.limits),
      pipeline_(retention_, options.publish.wanted() ? options.publish.host : ""),
      configuration_(pipeline_, options),
      programs_(io_, [this](std::shared_ptr<source::Program> program) { pipeline_.add_program(std::move(program)); },
                {[this](const std::string& what) { pipeline_.notice(what); },
                 [this](const std::string& why) { pipeline_.turn_away(why); }}),
      server_(io_, retention_,
              {[this](wire::Mark mark, std::function<void()> taken) { pipeline_.mark(std::move(mark), std::move(taken)); },
               [this](stream::ControlRequest request) { pipeline_.control(std::move(request)); },
               [this] { boost::asio::post(io_, [this] { shut_down("a client asked for it"); }); },
               [this](std::int64_t ns) { return pipeline_.ticks_of(ns); }}),
      guest_stops_([this](const std::string& text) { pipeline_.notice(text); }, [this] { return ticks_per_second(); }),
      shot_actions_(retention_, [this](const std::string& name,
                                       const std::string& problem) { pipeline_.triggers().report(name, problem); }),
      skew_([this](const time::CoreSkew& skew) { pipeline_.skew(skew); }),
      goodbye_(io_) {
    for (const int fd : {STDIN_FILENO, STDERR_FILENO}) {
        if (::isatty(fd) == 1) terminal_ = fd;
    }
    retention_.on_publish([this] { server_.wake(); });
    pipeline_.act_on_shots_with([this](shots::ShotOrder order) { shot_actions_.add(std::move(order)); });
    pipeline_.stop_guests_with(
        [this](const wire::Shot& shot, const std::vector<EmulatedPc>& pcs) { guest_stops_.stop(shot, pcs); });
    if (options.publish.wanted()) pipeline_.notify_fleet_with([this](const wire::Shot& shot) { member_->on_shot(shot); });
    pipeline_.count_readers_with([this] { return server_.subscriber_count() + (recorder_ ? 1 : 0) + (publisher_ ? 1 : 0); });
}

Agent::~Agent() {
    stop_.store(true, std::memory_order_release);  // pairs with the draining thread's acquire
    if (drainer_.joinable()) drainer_.join();
}

Result<void> Agent::open(const Options& options) {
    if (Result<void> timers = try_timers(io_); !timers) return timers;
    if (Result<void> signals = signals_.start([this](int number) { on_signal(number); }); !signals) return signals;
    time::TscHealth health = time::tsc_health();
    if (!health.good()) {
        pipeline_.notice(health.text());
    } else if (time::stamp_clock() == time::StampClock::kMonotonicRaw) {
        pipeline_.notice("SLA_CLOCK=raw: events are stamped with CLOCK_MONOTONIC_RAW, a tick is a nanosecond");
    }
    for (const std::string& problem : time::clock_variable_problems()) pipeline_.notice(problem);
    if (const std::string problem = configuration_.begin(); !problem.empty()) return invalid_input(problem);
    Result<void> clock = say_clock(lock_.path(SLA_AGENT_CLOCK));
    if (!clock) return clock;
    if (Result<void> traced = trace_host(options.host); !traced) return traced;
    Result<void> publishing = options.publish.wanted() ? start_publishing(options) : Result<void>();
    if (!publishing) return publishing;
    Result<void> listening = listen(options);
    if (!listening || options.record.empty()) return listening;
    return start_recording(options);  // last: an agent that does not start leaves the file as it was
}

Result<void> Agent::start_recording(const Options& options) {
    Result<std::unique_ptr<stream::Recorder>> recorder = stream::Recorder::start(
        {options.record, options.record_limits, [this](const std::string& why) { pipeline_.notice(why); }}, retention_);
    if (!recorder) return recorder.error();
    recorder_ = std::move(recorder).value();
    return {};
}

double Agent::ticks_per_second() {
    return static_cast<double>(pipeline_.ticks_of(1'000'000'000));
}

Result<void> Agent::start_publishing(const Options& options) {
    const Machine machine = this_machine();
    Result<std::unique_ptr<publish::Publisher>> publisher =
        publish::Publisher::start(options.publish, retention_,
                                  {"sla-agent " + std::string(wire::kProductVersion), machine.host, machine.boot_id,
                                   ticks_per_second(), [this](const std::string& text) { pipeline_.notice(text); }});
    if (!publisher) return publisher.error();
    publisher_ = std::move(*publisher);
    pipeline_.ask_publisher_with([this] { return publisher_->figures(); });
    join_fleet(options.publish);
    return {};
}

void Agent::join_fleet(const publish::Options& options) {
    const Machine machine = this_machine();
    const publish::Figures published = publisher_->figures();
    const member::Identity self{options.fleet, published.host, options.host.empty() ? machine.host : options.host,
                                machine.boot_id};
    member_ = std::make_unique<member::Member>(
        member::Member::Options{options.servers, options.credentials, self, published.capture, options.control},
        ticks_per_second(), retention_,
        member::Member::Calls{[this](wire::Request request, member::ControlHandler::Answered answered) {
                                  pipeline_.control({std::move(request), false, std::move(answered), true});
                              },
                              [this](const std::string& text) { pipeline_.notice(text); }});
    pipeline_.report_clock_with([this](const time::ClockSnapshot& snapshot) { member_->on_clock(snapshot); });
    member_->start();
}

// What was typed wrong is an error; what this machine or user cannot do is said, and the rest goes on without it.
Result<void> Agent::trace_host(const linux::LinuxOptions& options) {
    if (!linux::wants_trace(options) && !linux::wants_perf(options)) return {};
    auto feed = LinuxFeed::start(options, privileged_helper_.get(), pipeline_.channels(), pipeline_.notices());
    if (feed) {
        pipeline_.set_source(std::move(*feed));
        spdlog::info("tracing this machine{}{}", options.events.empty() ? "" : ": ", options.events);
        return {};
    }
    // A process, file or symbol that is not there: to start with that is wrong use, as an unknown event is.
    if (feed.error().code == ErrorCode::kNotFound) return invalid_input(feed.error().message);
    if (feed.error().code != ErrorCode::kUnavailable) return feed.error();
    pipeline_.notice("kernel events are left out: " + feed.error().message);
    return {};
}

void Agent::drain_until_stopped() {
    DrainPace pace;
    while (!stop_.load(std::memory_order_acquire)) {  // pairs with the releases of those who stop it
        configuration_.apply_waiting();
        const Pipeline::Step step = pipeline_.step();
        pace.note(step);
        if (step.more) continue;
        std::this_thread::sleep_for(pace.next_sleep());  // one system call; whoever stops us waits this long at most
    }
}

Result<void> Agent::run() {
    drainer_ = std::thread([this] { drain_until_stopped(); });
    if (Result<void> sent = manager_.notifier.ready("collecting"); !sent) spdlog::warn("{}", sent.error().message);
    run_loop(io_);
    shot_actions_.finish();
    for (const std::string& text : pipeline_.triggers().take_unsaid()) spdlog::warn("{}", text);
    Result<void> recorded = recorder_ ? recorder_->join() : Result<void>();
    if (publisher_) publisher_->finish();
    const bool is_anew = recorder_ && recorder_->was_begun_anew();
    spdlog::info("{} events {}, {} lost{}", pipeline_.recorded(),
                 !recorded ? "collected, the recording lacks what came when it had stopped"
                 : is_anew ? "collected, the recording was begun anew and may lack what came before"
                           : "recorded",
                 pipeline_.lost(),
                 pipeline_.has_lost_more() ? ", and an unknown number of programs that were turned away" : "");
    return recorded;
}

}  // namespace sla::daemon
