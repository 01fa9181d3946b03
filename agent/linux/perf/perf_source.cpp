#include "agent/linux/perf/perf_source.h"

#include "agent/linux/events/owner_name.h"
#include "agent/linux/perf/open_for_threads.h"
#include "agent/linux/tracefs/trace_stream.h"
#include "proto/time/tick_clock.h"

#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

namespace sla::linux {
namespace {

constexpr std::size_t kMaxEvents = 4096;  // descriptors: threads times CPUs

std::uint64_t raw_now() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

bool read_memory(pid_t pid, std::uint64_t address, std::uint64_t bytes, std::uint64_t& value) {
    value = 0;
    iovec here{&value, bytes};
    iovec there{reinterpret_cast<void*>(address), bytes};
    return ::process_vm_readv(pid, &here, 1, &there, 1, 0) == static_cast<ssize_t>(bytes);
}

// An ordinary user who may not have the whole machine may have his own processes.
PerfRefusal with_own_processes(PerfRefusal refusal, pid_t target) {
    if (target < 0 && refusal.access == Access::kNoPermission)
        refusal.fix += "; or sample your own processes alone, by --pid, or --follow behind sla record";
    return refusal;
}

}  // namespace

Result<std::unique_ptr<PerfSource>> PerfSource::start(const std::vector<std::string>& watches,
                                                      const std::vector<std::string>& samples,
                                                      const std::vector<pid_t>& pids, LaneSink& sink) {
    std::unique_ptr<PerfSource> source(new PerfSource(sink));
    for (const std::string& typed : watches) {
        auto hook = watch_hook(typed, source->symbols_, sink);
        if (!hook) return hook.error();
        source->hooks_.push_back(std::move(*hook));
    }
    for (const std::string& typed : samples) {
        auto hook = sample_hook(typed, pids, sink);
        if (!hook) return hook.error();
        source->hooks_.push_back(std::move(*hook));
    }
    for (std::size_t hook = 0; hook < source->hooks_.size(); hook++) {
        if (Result<void> opened = source->open(hook); !opened) return opened.error();
    }
    // A program that ends while they are read has no map any more by which its samples could be named.
    if (!samples.empty()) source->symbols_.read_kernel();
    for (const Event& event : source->events_) ::ioctl(event.fd.get(), PERF_EVENT_IOC_ENABLE, 0);
    source->report_errors();
    return source;
}

// With as much of what is wanted as this kernel and user have.
std::variant<UniqueFd, PerfRefusal> PerfSource::open_one(PerfHook& hook, pid_t target, int cpu) {
    for (;;) {
        auto opened = open_perf_event(hook.attribute, target, cpu, hook.what);
        const PerfRefusal* refusal = std::get_if<PerfRefusal>(&opened);
        if (refusal == nullptr) return opened;
        if (refusal->number == EINVAL && hook.attribute.read_format != 0) {
            hook.attribute.read_format = 0;  // before Linux 6.0: losses are those of a CPU, whichever hook they were of
        } else if (refusal->access == Access::kNoPermission && hook.attribute.exclude_kernel == 0) {
            hook.attribute.exclude_kernel = 1;  // an ordinary user has his own code's samples, not the kernel's
        } else {
            return opened;
        }
    }
}

// An event for each target and CPU; a thread that has ended since it was listed has none.
Result<std::vector<PerfSource::OpenedEvent>> PerfSource::open_all(PerfHook& hook, const std::vector<pid_t>& targets) const {
    const std::vector<int> cpus = online_cpus();
    std::vector<OpenedEvent> all;
    for (const pid_t target : targets) {
        for (const int cpu : cpus) {
            if (events_.size() + all.size() == kMaxEvents)
                return unavailable(hook.what + ": too many threads to follow; choose fewer processes with --pid");
            auto opened = open_one(hook, target, cpu);
            if (const PerfRefusal* refusal = std::get_if<PerfRefusal>(&opened)) {
                if (refusal->number != ESRCH) return as_error(with_own_processes(*refusal, target));
                break;
            }
            all.push_back({std::move(std::get<UniqueFd>(opened)), cpu});
        }
    }
    return all;
}

Result<void> PerfSource::open(std::size_t index) {
    PerfHook& hook = hooks_[index];
    const auto list = [&hook] {
        if (hook.pids.empty()) return std::vector<pid_t>{-1};
        std::vector<pid_t> threads;
        for (const pid_t pid : hook.pids) {
            const std::vector<pid_t> of_one = threads_of(pid);
            threads.insert(threads.end(), of_one.begin(), of_one.end());
        }
        return threads;
    };
    auto opened = open_for_threads<std::vector<OpenedEvent>>(
        list, [&](const std::vector<pid_t>& targets) { return open_all(hook, targets); });
    if (!opened) return opened.error();
    if (opened->opened.empty()) return as_error({Access::kNotPresent, hook.what + ": there is no such process", ""});
    if (!opened->is_whole)
        sink_.notice(hook.what + ": threads were started faster than they could be followed; some may be missing");
    for (OpenedEvent& event : opened->opened) {
        if (Result<void> done = attach(std::move(event.fd), event.cpu, index); !done) return done;
    }
    return {};
}

Result<void> PerfSource::attach(UniqueFd fd, int cpu, std::size_t hook) {
    std::uint64_t id = 0;
    if (::ioctl(fd.get(), PERF_EVENT_IOC_ID, &id) != 0) return system_error(hooks_[hook].what, errno);
    hook_of_id_[id] = hook;
    auto ring = std::find_if(rings_.begin(), rings_.end(), [cpu](const Ring& each) { return each.cpu == cpu; });
    if (ring == rings_.end()) {
        auto mapped = PerfRing::map(fd.get());
        if (!mapped) return mapped.error();
        rings_.push_back({cpu, fd.get(), std::move(*mapped)});
    } else if (::ioctl(fd.get(), PERF_EVENT_IOC_SET_OUTPUT, ring->leader) != 0) {
        return system_error(hooks_[hook].what + ": cannot share the buffer of CPU " + std::to_string(cpu), errno);
    }
    events_.push_back({std::move(fd), hook});
    return {};
}

void PerfSource::report_errors() {
    const double ns = static_cast<double>(clock_.error_ticks()) / clock_.ticks_per_second() * 1e9;
    const auto error = std::to_string(static_cast<long>(std::ceil(ns)));
    sink_.notice("watchpoints and samples are stamped by the kernel's raw clock: +-" + error +
                 " ns, and a watchpoint's stamp comes behind its access by what the processor's debug exception takes");
    for (const PerfHook& hook : hooks_) {
        if (hook.watched_pid == 0 && hook.attribute.exclude_kernel != 0)
            sink_.notice(hook.what + ": without the kernel's own code, which needs more permission");
    }
}

void PerfSource::collect(Ring& ring, std::uint64_t now_ns) {
    std::uint64_t newest_ns = 0;
    const bool whole = ring.ring.drain([&](const PerfRecord& record) {
        if (record.kind == PerfRecord::Kind::kOther) return;
        waiting_.push_back(record);
        if (record.kind == PerfRecord::Kind::kSample) newest_ns = record.time_ns;
        // These have no time: they stand where the ring has them.
        if (record.kind != PerfRecord::Kind::kSample) waiting_.back().time_ns = newest_ns != 0 ? newest_ns : now_ns;
    });
    if (whole || reported_damage_) return;
    reported_damage_ = true;
    sink_.notice("the kernel's buffer of watchpoints and samples was damaged; what it held is not known");
}

PerfSource::Step PerfSource::step(std::uint64_t now) {
    clock_.refresh(now);
    waiting_.clear();
    const std::uint64_t now_ns = raw_now();
    for (Ring& ring : rings_) collect(ring, now_ns);
    std::stable_sort(waiting_.begin(), waiting_.end(),
                     [](const PerfRecord& a, const PerfRecord& b) { return a.time_ns < b.time_ns; });
    std::map<std::uint64_t, std::size_t> newest;  // of each hook: the last in waiting_
    for (std::size_t i = 0; i < waiting_.size(); i++) {
        if (auto hook = hook_of_id_.find(waiting_[i].id); hook != hook_of_id_.end()) newest[hook->second] = i;
    }
    for (std::size_t i = 0; i < waiting_.size(); i++) {
        auto hook = hook_of_id_.find(waiting_[i].id);
        give(waiting_[i], hook != hook_of_id_.end() && newest[hook->second] == i);
    }
    if (stopped_) report_losses(now & SLA_TICK_MASK);  // behind the last one that found space nothing reports them
    return {waiting_.size(), now - kUnreadableTicks};
}

// A ring's own record of losses counts those of all hooks of its CPU, and comes with the next sample that finds space, if one
// does. The kernel's counters know which hook's they were.
void PerfSource::report_losses(std::uint64_t tick) {
    std::map<std::size_t, std::uint64_t> lost;  // by hook
    for (Event& event : events_) {
        struct {
            std::uint64_t value, lost;  // PERF_FORMAT_LOST
        } now{};
        if (hooks_[event.hook].attribute.read_format == 0) continue;
        if (::read(event.fd.get(), &now, sizeof now) != static_cast<ssize_t>(sizeof now)) continue;
        lost[event.hook] += now.lost - std::exchange(event.lost, now.lost);
    }
    for (const auto& [hook, count] : lost) {
        if (count > 0) report_loss(hooks_[hook], tick, count);
    }
}

void PerfSource::report_loss(const PerfHook& hook, std::uint64_t tick, std::uint64_t count) {
    sink_.add_gap(hook.lane, tasks_.cpu_thread(0), tick, tick, wire::LossCause::kOverrun, count);
}

void PerfSource::give(const PerfRecord& record, bool is_newest) {
    if (record.kind == PerfRecord::Kind::kRenamed) {
        symbols_.forget(record.pid);
        return;
    }
    auto found = hook_of_id_.find(record.id);
    if (found == hook_of_id_.end()) return;
    const PerfHook& hook = hooks_[found->second];
    const std::uint64_t tick = clock_.tick_of(record.time_ns) & SLA_TICK_MASK;
    if (record.kind == PerfRecord::Kind::kLost) {
        hook.attribute.read_format != 0 ? report_losses(tick) : report_loss(hook, tick, record.lost);
        return;
    }
    if (hook.watched_pid == 0 && record.pid == ::getpid()) return;
    wire::RowExtra extra;
    extra.text = symbols_.place_of(record.pid, record.ip).substr(0, SLA_TEXT_BYTES);
    std::uint64_t value = record.ip;
    bool has_value = hook.watched_pid == 0;
    if (hook.reports_value && is_newest)
        has_value = read_memory(hook.watched_pid, hook.attribute.bp_addr, hook.attribute.bp_len, value);
    sink_.add_with(hook.lane, tasks_.task(record.tid).thread, tick, has_value ? SLA_CODE_TICK_VALUE : SLA_CODE_TICK,
                   has_value ? value : 0, std::move(extra));
}

void PerfSource::stop() {
    for (const Event& event : events_) ::ioctl(event.fd.get(), PERF_EVENT_IOC_DISABLE, 0);
    stopped_ = true;
}

}  // namespace sla::linux
