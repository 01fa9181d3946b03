#include "agent/linux/linux_source.h"

#include <algorithm>

namespace sla::linux {
namespace {

constexpr std::size_t kBytesPerRound = std::size_t{32} << 10;  // of each CPU: some 650 events, which fit the nearest cache
constexpr std::size_t kRoundsPerStep = 32;
constexpr std::uint64_t kTicksBetweenSettling = 1'000'000'000;  // some 0.4 s
constexpr std::uint64_t kTicksToNextTry = 100'000'000;

}  // namespace

Result<std::unique_ptr<LinuxSource>> LinuxSource::start(OpenedTrace opened, LaneSink& sink) {
    std::unique_ptr<LinuxSource> source(new LinuxSource(std::move(opened), sink));
    if (Result<void> set = source->set_up(sink); !set) return set.error();
    return source;
}

Result<std::unique_ptr<LinuxSource>> LinuxSource::start(const LinuxOptions& options, LaneSink& sink) {
    OpenedTrace opened;
    auto session = TraceSession::open(options, opened);
    if (!session) return session.error();
    auto source = start(std::move(opened), sink);
    if (source) (*source)->session_ = std::move(*session);
    return source;
}

Result<void> LinuxSource::set_up(LaneSink& sink) {
    for (const OpenedTrace::Event& event : opened_.events) {
        auto format = parse_event_format(event.system, event.format);
        if (!format) {  // the others can be read all the same
            sink.notice("left out: " + format.error().message);
            continue;
        }
        if (event.lane.empty()) {
            translator_.add_event(*format);
        } else {
            translator_.add_function(*format, event.lane, event.edge);
        }
    }
    for (OpenedTrace::Cpu& cpu : opened_.cpus)
        stream_.add(CpuReader(cpu.number, read_descriptor(std::move(cpu.pages)), opened_.page_bytes));
    return opened_.set_running(true);
}

LinuxSource::Step LinuxSource::step(std::uint64_t now) {
    const bool settles = stopped_ || now >= next_settle_;  // at the end there may be no later step
    const std::vector<CpuLosses> reported = settles ? opened_.losses() : std::vector<CpuLosses>{};
    const std::uint64_t before = translator_.events();
    // Little by little: what was read is taken while it is still in the processor's nearest cache.
    const auto reach = settles ? TraceStream::Reach::kToTheEnd : TraceStream::Reach::kWhatCanBeTaken;
    TraceStream::Filled filled;
    std::uint64_t bound = 0;
    std::size_t pages = 0;
    for (std::size_t round = 0; round < kRoundsPerStep; round++) {
        const auto ask = round == 0 ? TraceStream::Ask::kAll : TraceStream::Ask::kThoseWithMore;
        filled = stream_.fill(now, std::max<std::size_t>(kBytesPerRound / opened_.page_bytes, 1), reach, ask);
        pages += filled.pages;
        bound = std::max(bound, stopped_ && filled.drained ? now : filled.bound);
        stream_.take(bound, [this](int cpu, const auto& what) { translator_.take(cpu, what); });
        if (!filled.pressed) break;
    }
    if (settles) settle(now, reported, filled);
    const bool more = filled.pressed || (stopped_ && !filled.drained);  // at the end everything is taken
    const auto read = static_cast<double>(pages * opened_.page_bytes);
    const double fullness = opened_.buffer_bytes > 0 ? read / static_cast<double>(opened_.buffer_bytes) : 0;
    return {translator_.events() - before, bound, more, fullness};
}

// Only when nothing was overrun while we read: then every loss so far has been met in a page.
void LinuxSource::settle(std::uint64_t now, const std::vector<CpuLosses>& reported, const TraceStream::Filled& filled) {
    next_settle_ = now + kTicksToNextTry;
    if (!filled.drained || reported != opened_.losses()) return;
    next_settle_ = now + kTicksBetweenSettling;
    for (std::size_t i = 0; i < reported.size(); i++) {
        const CpuReader& cpu = stream_.cpus()[i];
        const std::uint64_t all = reported[i].overrun + reported[i].commit_overrun + reported[i].dropped;
        translator_.settle(cpu.cpu(), all - std::min(all, cpu.lost_reported()), filled.bound);
    }
}

void LinuxSource::stop() {
    (void)opened_.set_running(false);  // at worst more is traced
    stopped_ = true;
}

}  // namespace sla::linux
