#include "viewer/ui/app/bench.h"

#include "viewer/ui/app/bench_tour.h"
#include "viewer/ui/app/screen.h"

#include <fmt/format.h>
#include <imgui.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace sla::ui {

namespace {

using BenchClock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kFrame{16'667};
constexpr double kMib = 1024.0 * 1024.0;

// CPU time of this thread alone: what else the machine does is not in it. Of all threads with CLOCK_PROCESS_CPUTIME_ID.
double thread_cpu_ms(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double status_mib(const std::string& field) {
    std::ifstream in("/proc/self/status");
    for (std::string word; in >> word;) {
        double kib = 0;
        if (word == field && in >> kib) return kib / 1024;
    }
    return 0;
}

void print_percentiles(std::vector<double> ms) {
    std::sort(ms.begin(), ms.end());
    const auto rank = [&](double share) {
        return ms[std::min(ms.size() - 1, static_cast<std::size_t>(share * static_cast<double>(ms.size())))];
    };
    fmt::print("a frame's CPU time: p50 {:.2f} ms, p99 {:.2f} ms, max {:.2f} ms ({} frames)\n", rank(0.5), rank(0.99),
               ms.back(), ms.size());
}

// The whole capture in sight, until every lane of it is exact.
void measure_refinement(Screen& screen) {
    constexpr std::chrono::seconds kTimeout{60};
    screen.app().view().fit();
    const auto begin = BenchClock::now();
    const auto& pictures = screen.app().panels().lanes[0].pictures();
    for (int i = 0; i < 10; ++i) screen.build_frame();
    while (pictures.is_refining() && BenchClock::now() - begin < kTimeout) {
        screen.build_frame();
        std::this_thread::sleep_for(kFrame);
    }
    fmt::print("all of it in sight, exact to {:.0f} % after {:.1f} s\n", 100 * pictures.refined(),
               std::chrono::duration<double>(BenchClock::now() - begin).count());
}

// CPU times of so many frames, one each 1/60 s, in milliseconds.
std::vector<double> time_frames(Screen& screen, int frames, const std::function<void()>& before_each) {
    std::vector<double> ms;
    auto next = BenchClock::now();
    for (int i = 0; i < frames; ++i) {
        before_each();
        const double before = thread_cpu_ms();
        screen.build_frame();
        ms.push_back(thread_cpu_ms() - before);
        next = std::max(next + kFrame, BenchClock::now());
        const App::Rest rest(screen.app());
        std::this_thread::sleep_until(next);
    }
    return ms;
}

// The table's scroll bar, held and pulled to another place anywhere in the capture in every frame; the lanes go along.
void measure_table(Screen& screen, int frames) {
    const Layout& layout = screen.app().layout();
    if (layout.table.height <= 0) return;
    ImGuiIO& io = ImGui::GetIO();
    std::mt19937_64 random(1);
    const float x = layout.table.right() - 4 * layout.scale;
    const auto anywhere = [&] {
        const double share = static_cast<double>(random() % 1'000'000) / 1e6;
        const float space = layout.table.height - 40 * layout.scale;
        io.MousePos = {x, layout.table.y + 32 * layout.scale + static_cast<float>(share) * space};
    };
    anywhere();
    screen.build_frame();
    io.MouseDown[0] = true;
    fmt::print("the table's scroll bar pulled anywhere; ");
    print_percentiles(time_frames(screen, frames, anywhere));
    io.MouseDown[0] = false;
    screen.build_frame();
}

// The two lanes with most rows; nobody where there are not so many.
std::pair<const store::Lane*, const store::Lane*> busiest(const store::Session& session) {
    std::pair<const store::Lane*, const store::Lane*> two{nullptr, nullptr};
    for (const store::Lane* lane : session.lanes()) {
        if (two.first == nullptr || lane->size() > two.first->size()) {
            two = {lane, two.first};
        } else if (two.second == nullptr || lane->size() > two.second->size()) {
            two.second = lane;
        }
    }
    return two;
}

// All that a person may have running at a time, with `act` in each frame: statistics of a lane, pairs of two, a search, an
// export, which begins anew when it is done.
void measure_work(Screen& screen, int frames, const std::function<void()>& act) {
    App& app = screen.app();
    Document& document = app.document();
    store::Session& session = document.source->session();
    const auto [first, second] = busiest(session);
    if (first == nullptr) return;
    document.marks.focus = first;
    document.panels.bottom_tab = BottomTab::kPairs;
    document.panels.pair_from = document.tree.key_of(*first);
    document.panels.pair_to = document.tree.key_of(second == nullptr ? *first : *second);
    document.search.set("value > 0");
    int exports = 0;
    const auto keep_exporting = [&] {
        if (document.job && !document.job->result()) return;
        const auto everything = analysis::select(session, {});
        if (!everything) return;
        ++exports;
        document.job = std::make_unique<ExportJob>(session, *everything, formats::ExportOptions{}, "/dev/null");
    };
    fmt::print("with statistics, pairs, a search and an export; ");
    print_percentiles(time_frames(screen, frames, [&] {
        keep_exporting();
        act();
    }));
    fmt::print("exports begun meanwhile: {}\n", exports);
    document.job.reset();
    document.search.set("");
}

// Every tenth frame folds all groups or unfolds them.
void measure_folding(Screen& screen, int frames) {
    int frame = 0;
    fmt::print("all groups folded and unfolded again; ");
    print_percentiles(time_frames(screen, frames, [&] {
        if (++frame % 10 == 0) screen.app().run("fold-all");
    }));
}

Result<void> measure_live(Screen& screen, const BenchOptions& options) {
    const store::Session& session = screen.app().source().session();
    const auto begin = BenchClock::now();
    const int frames = options.frames / 5;
    fmt::print("the newest is followed; ");
    print_percentiles(time_frames(screen, frames, [] {}));
    measure_folding(screen, frames);
    measure_work(screen, frames, [] {});
    screen.app().view().set_follow(false);
    BenchTour tour(screen.app().view());
    fmt::print("a tour through what is there; ");
    print_percentiles(time_frames(screen, frames, [&] { tour.step(); }));
    measure_work(screen, frames, [&] { tour.step(); });
    const double seconds = std::chrono::duration<double>(BenchClock::now() - begin).count();
    const SourceStatus status = screen.app().source().status();
    fmt::print("{} events in {:.1f} s on {} channels, {} lost\n", session.events(), seconds, session.lanes().size(),
               session.lost());
    fmt::print("rows take {:.0f} of {:.0f} MiB, {:.0f} MiB are on disk\n", static_cast<double>(status.memory_bytes) / kMib,
               static_cast<double>(status.memory_limit) / kMib, static_cast<double>(status.disk_bytes) / kMib);
    fmt::print("pages that a frame had to wait for: {}\n", session.page_waits());
    fmt::print("resident {:.0f} MiB, at most {:.0f} MiB\n", status_mib("VmRSS:"), status_mib("VmHWM:"));
    if (status.state == SourceState::kLost || !status.message.empty()) return unavailable(status.message);
    return {};
}

Result<void> first_paint(Screen& screen) {
    while (screen.app().source().status().state == SourceState::kLoading) screen.frame();
    const SourceStatus status = screen.app().source().status();
    if (status.state == SourceState::kLost) return unavailable(status.message);
    screen.frame();
    return {};
}

}  // namespace

Result<void> run_bench(const BenchOptions& options) {
    const auto start = BenchClock::now();
    const double cpu = thread_cpu_ms();
    ScreenOptions how;
    how.width = options.width;
    how.height = options.height;
    how.scale = 1;
    how.headless = true;
    how.target = options.target;
    how.settings = options.settings;
    how.settings.motion = false;
    auto screen = Screen::open(how);
    if (!screen) return screen.error();
    if ((*screen)->app().source().can_run()) return measure_live(**screen, options);
    if (Result<void> painted = first_paint(**screen); !painted) return painted;
    const store::Session& session = (*screen)->app().source().session();
    fmt::print("{}: {} events on {} channels\n", options.target, session.events(), session.lanes().size());
    fmt::print("first paint: {:.0f} ms ({:.0f} ms of CPU), {:.0f} MiB resident\n",
               std::chrono::duration<double, std::milli>(BenchClock::now() - start).count(), thread_cpu_ms() - cpu,
               status_mib("VmRSS:"));
    BenchTour tour((*screen)->app().view());
    const double all_before = thread_cpu_ms(CLOCK_PROCESS_CPUTIME_ID);
    print_percentiles(time_frames(**screen, options.frames, [&] { tour.step(); }));
    fmt::print("of all threads, with what is read ahead and made exact meanwhile: {:.2f} ms a frame\n",
               (thread_cpu_ms(CLOCK_PROCESS_CPUTIME_ID) - all_before) / options.frames);
    measure_table(**screen, options.frames / 4);
    BenchTour busy((*screen)->app().view());
    measure_work(**screen, options.frames / 2, [&] { busy.step(); });
    fmt::print("pages that a frame had to wait for: {}\n", session.page_waits());
    measure_refinement(**screen);
    fmt::print("resident {:.0f} MiB, at most {:.0f} MiB\n", status_mib("VmRSS:"), status_mib("VmHWM:"));
    return {};
}

}  // namespace sla::ui
