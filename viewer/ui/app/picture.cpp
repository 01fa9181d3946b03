#include "viewer/ui/app/picture.h"

#include "proto/base/control_characters.h"
#include "viewer/analysis/event_walk.h"
#include "viewer/analysis/selection.h"
#include "viewer/ingest/open.h"
#include "viewer/ui/app/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <unordered_set>

namespace sla::ui {

namespace {

constexpr std::chrono::microseconds kPictureFrame{16'667};
constexpr int kSettlingFrames = 20;  // panels that spread their work over frames

ScreenOptions screen_options(const PictureOptions& options) {
    ScreenOptions out;
    out.width = options.width;
    out.height = options.height;
    out.scale = options.scale;
    out.headless = true;
    out.target = options.target;
    out.settings = options.settings;
    out.settings.motion = false;
    out.settings.splits.inspector_open = options.inspector;
    out.settings.splits.table_open = options.table;
    return out;
}

// At the pace of a display where nothing comes in meanwhile, as from servers that are asked: drawing takes a core.
void load(Screen& screen) {
    double before = -1;
    while (screen.app().source().status().state == SourceState::kLoading) {
        screen.frame();
        const double progress = screen.app().source().status().progress;
        if (progress == before) {
            const App::Rest rest(screen.app());
            std::this_thread::sleep_for(kPictureFrame);
        }
        before = progress;
    }
}

// A file: until it is read. An agent, and a fleet that is still publishing: so many frames at the pace of a display, from its
// first answer on.
void run_frames(Screen& screen, const PictureOptions& options) {
    using Clock = std::chrono::steady_clock;
    load(screen);
    if (!screen.app().source().can_run()) return;
    auto next = Clock::now();
    const auto answers_by =
        next + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.wait_seconds));
    for (int counted = 0; counted < options.frames;) {
        screen.frame();
        const bool is_awaited =
            screen.app().source().status().state == SourceState::kConnecting && Clock::now() < answers_by;
        if (!is_awaited) ++counted;
        next += kPictureFrame;
        const App::Rest rest(screen.app());
        std::this_thread::sleep_until(next);
    }
}

void place_cursors(App& app, const PictureOptions& options) {
    const store::Session& session = app.source().session();
    const auto place = [&](std::optional<timeline::Cursor>& cursor, const std::optional<std::int64_t>& ps) {
        if (ps) cursor = timeline::Cursor{session.clock().to_tick(*ps), false};
    };
    place(app.document().marks.cursors.a, options.cursor_a_ps);
    place(app.document().marks.cursors.b, options.cursor_b_ps);
}

// Of thousands of lanes some get their places a frame: waits until all that are there now have one.
void wait_for_places(Screen& screen, double seconds) {
    const auto begin = std::chrono::steady_clock::now();
    const std::size_t wanted = screen.app().source().session().lanes().size();
    for (std::size_t placed = 0; placed < wanted;) {
        const auto& lanes = screen.app().source().session().lanes();
        if (placed >= lanes.size()) return;
        if (!screen.app().document().tree.key_of(*lanes[placed]).empty()) {
            ++placed;
            continue;
        }
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() >= seconds) {
            fmt::print(stderr, "sla-viewer: after {:.0f} s not all lanes have their places; --wait gives it more time\n",
                       seconds);
            return;
        }
        screen.frame();
        const App::Rest rest(screen.app());
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

// Lanes of rows that stay in the file are drawn from sums first, the table's are fetched, and the strip above looks at some lanes
// a frame: waits until all are there, or says how far it came.
void wait_for_rows(Screen& screen, double seconds) {
    const auto begin = std::chrono::steady_clock::now();
    const DocumentPanels& panels = screen.app().panels();
    const LanePictures& lanes = panels.lanes[0].pictures();
    const std::uint64_t revision = screen.app().source().session().revision();
    const auto is_waiting = [&] {
        return lanes.is_refining() || panels.bottom.table().is_waiting() || !panels.minimap.is_whole_since(revision);
    };
    while (is_waiting() && std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < seconds) {
        screen.frame();
        const App::Rest rest(screen.app());
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (lanes.is_refining()) {
        fmt::print(
            stderr,
            "sla-viewer: after {:.0f} s the lanes are exact to {:.0f} %, the rest is drawn from sums; --wait gives it "
            "more time\n",
            seconds, 100 * lanes.refined());
    } else if (is_waiting()) {
        const bool is_table = panels.bottom.table().is_waiting();
        fmt::print(stderr, "sla-viewer: after {:.0f} s {}; --wait gives it more time\n", seconds,
                   is_table ? "the table's rows are not read yet" : "the strip above the lanes is not whole yet");
    }
    for (int i = 0; i < kSettlingFrames; ++i) screen.frame();
}

// Until each question has its answer, is wrong, or was never asked, as nothing has come: both is said.
Result<void> ask_questions(Screen& screen, const std::vector<KeptQuestion>& questions) {
    if (questions.empty()) return {};
    Document& document = screen.app().document();
    document.set_questions(questions);
    do {
        screen.frame();
        const App::Rest rest(screen.app());
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (document.kept_answers->is_busy());
    for (std::size_t i = 0; i < questions.size(); ++i) {
        if (document.kept_answers->has_failed(i))
            return invalid_input("the question " + questions[i].name +
                                 " has no answer: " + document.kept_answers->problem(i));
        if (!document.kept_answers->has_answer(i))
            fmt::print(stderr, "sla-viewer: the question {} has no answer: there are no events to ask\n",
                       harmless_lines(questions[i].name));
    }
    return {};
}

Result<void> check_size(const PictureOptions& options) {
    const ImVec2 least = least_window(options.scale);
    const auto width = static_cast<int>(least.x);
    const auto height = static_cast<int>(least.y);
    if (options.png.empty() || (options.width >= width && options.height >= height)) return {};
    return invalid_input(fmt::format("{}x{} pixels have no space for a lane at scale {:.4g}: {}x{} are the least",
                                     options.width, options.height, options.scale, std::max(width, options.width),
                                     std::max(height, options.height)));
}

Result<analysis::Selection> rows_of(const store::Session& session, const PictureOptions& options) {
    return analysis::select(session, options.channels, {options.from_ps, options.to_ps});
}

// The others are hidden.
Result<void> show_only(App& app, const std::vector<std::string>& channels) {
    if (channels.empty()) return {};
    const store::Session& session = app.source().session();
    const Result<analysis::Selection> chosen = analysis::select(session, channels);
    if (!chosen) return chosen.error();
    const std::unordered_set<const store::Lane*> shown(chosen->lanes.begin(), chosen->lanes.end());
    for (const store::Lane* lane : session.lanes()) {
        if (shown.contains(lane)) continue;
        app.document().tree.change_style(*lane, [](timeline::LaneStyle& style) { style.hidden = true; });
    }
    return {};
}

// A picture of a time without events is as empty as one that went wrong.
void say_if_empty(const store::Session& session, const PictureOptions& options) {
    if (!options.from_ps && !options.to_ps) return;
    const Result<analysis::Selection> chosen = rows_of(session, options);
    if (chosen && analysis::count_rows(session, *chosen) == 0)
        fmt::print(stderr, "sla-viewer: no events there; `sla channels` lists what there is\n");
}

Result<void> focus_lane(App& app, const std::string& channel) {
    if (channel.empty()) return {};
    app.document().marks.focus = app.source().session().lane_named(channel);
    if (app.document().marks.focus != nullptr) return {};
    return not_found("there is no channel named " + channel + "; `sla channels` lists them");
}

}  // namespace

Result<void> write_table_of(const store::Session& session, const PictureOptions& options) {
    if (options.table_file.empty()) return {};
    const Result<analysis::Selection> rows = rows_of(session, options);
    if (!rows) return rows.error();
    const Result<std::uint64_t> written = export_table(session, *rows, options.table_file, options.table_format);
    return written ? Result<void>() : Result<void>(written.error());
}

Result<void> render_to_png(const PictureOptions& options) {
    if (Result<void> good = check_size(options); !good) return good;
    auto screen = Screen::open(screen_options(options));
    if (!screen) return screen.error();
    (*screen)->app().hide_frame_time();
    run_frames(**screen, options);
    (*screen)->app().panels().minimap.count_anew();
    (*screen)->app().document().tree.colour_anew();
    (*screen)->frame();
    (*screen)->show_range(options.from_ps, options.to_ps);
    place_cursors((*screen)->app(), options);
    for (const std::string& line : ingest::damage_lines((*screen)->app().source().session()))
        fmt::print(stderr, "sla-viewer: {}\n", harmless_lines(line));
    wait_for_places(**screen, options.wait_seconds);
    if (Result<void> asked = ask_questions(**screen, options.questions); !asked) return asked;
    if (Result<void> chosen = show_only((*screen)->app(), options.channels); !chosen) return chosen;
    if (Result<void> focused = focus_lane((*screen)->app(), options.focus); !focused) return focused;
    say_if_empty((*screen)->app().source().session(), options);
    for (int i = 0; i < kSettlingFrames; ++i) (*screen)->frame();
    wait_for_rows(**screen, options.wait_seconds);
    if (!options.png.empty()) {
        if (Result<void> written = write_png((*screen)->pixels(), options.png); !written) return written;
    }
    if (Result<void> written = write_table_of((*screen)->app().source().session(), options); !written) return written;
    const SourceStatus status = (*screen)->app().source().status();
    if (status.state == SourceState::kLost) return unavailable(status.message);
    if (status.state == SourceState::kConnecting)
        return unavailable(status.name + " has not answered; --wait gives it more time");
    return {};
}

}  // namespace sla::ui
