// sla-viewer: the window.
#include "proto/base/size.h"
#include "proto/common/command_line.h"
#include "proto/time/duration.h"
#include "viewer/formats/output.h"
#include "viewer/ingest/remote/credentials.h"
#include "viewer/ingest/standard_input.h"
#include "viewer/ui/app/bench.h"
#include "viewer/ui/app/picture.h"
#include "viewer/ui/app/screen.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <string>
#include <vector>

namespace sla::ui {
namespace {

volatile std::sig_atomic_t asked_to_end = 0;

struct Arguments {
    std::vector<std::string> targets;
    std::string size = "1280x720";
    std::string theme;
    std::string from;
    std::string to;
    std::string cursor_a;
    std::string cursor_b;
    std::string focus;
    std::vector<std::string> lanes;
    std::vector<std::string> columns;
    std::string screenshot;
    std::string export_table;
    std::string memory;
    std::string spill;
    std::string history;
    float scale = 0;
    int frames = 60;
    double wait = 30;
    bool headless = false;
    bool bench = false;
};

int complain(const Error& error) {
    fmt::print(stderr, "sla-viewer: {}\n", error.message);
    return exit_code(error);
}

std::string first_target(const Arguments& arguments) {
    return arguments.targets.empty() ? std::string() : arguments.targets.front();
}

void describe(common::Command& app, Arguments& arguments) {
    app.add_option("capture", arguments.targets,
                   "Captures: files, the name, folder or 'pattern' (in quotes) of a rotated one's files, "
                   "fleet:nats://SERVER/FLEET[/HOST[/CAPTURE]] (without HOST all of its hosts), - for one that is piped in, "
                   "or agents' addresses "
                   "(unix:PATH, ssh:HOST, tls:HOST:PORT, "
                   "tcp:HOST:PORT); "
                   "nothing: your agent")
        .value_name("CAPTURE|ADDRESS");
    app.add_option("--token-file", sla::ingest::token_file(),
                   "For tls: addresses, the token in this file (mode 0600); default: SLA_TOKEN or SLA_TOKEN_FILE")
        .value_name("FILE");
    app.add_flag("--headless", arguments.headless, "Draw into memory; needs no display");
    app.add_flag("--bench", arguments.bench,
                 "With --headless on a capture: measure a tour through it and print the figures");
    app.add_option("--wait", arguments.wait,
                   "With --headless on a large capture: seconds to wait, at most, until all lanes are exact (30)")
        .range(0.0, 86400.0)
        .value_name("SECONDS");
    app.add_option("--frames", arguments.frames, "With --headless on an agent: frames to run, 60 a second")
        .range(1, 1'000'000)
        .value_name("N");
    app.add_option("--screenshot", arguments.screenshot, "With --headless: write the last frame to this PNG")
        .value_name("F.png");
    app.add_option("--export-table", arguments.export_table, "Write the table as `sla table` does, then go on")
        .value_name("F.csv");
    app.add_option(
           "--history", arguments.history,
           "Of an agent that has run for long, at first so much of the past, or all; what is older is fetched when you "
           "look there (30s)")
        .value_name("TIME|all");
    app.add_option("--memory", arguments.memory,
                   "For live rows: what they may take in memory, at least 64MiB (48MiB as long as the disk keeps up, else a "
                   "quarter of the machine's, 2GiB at most)")
        .value_name("SIZE");
    app.add_option("--spill", arguments.spill,
                   "Where older live rows go that do not fit, in a file without a name ($TMPDIR or /var/tmp)")
        .value_name("DIRECTORY");
    app.add_option("--size", arguments.size, "Of the window or picture").value_name("WxH").show_default();
    app.add_option("--scale", arguments.scale, "Of text and controls; default: what the display asks for")
        .range(0.5, 4.0)
        .value_name("FACTOR");
    app.add_option("--theme", arguments.theme, "dark or light").one_of({"dark", "light"});
    app.add_option("--from", arguments.from, "Show from this time, counted from the capture's start").value_name("TIME");
    app.add_option("--to", arguments.to, "Show to this time").value_name("TIME");
    app.add_option("--cursor-a", arguments.cursor_a, "With --headless: place cursor A").value_name("TIME");
    app.add_option("--cursor-b", arguments.cursor_b, "With --headless: place cursor B").value_name("TIME");
    app.add_option("--focus", arguments.focus, "With --headless: show this channel's statistics").value_name("CHANNEL");
    app.add_option(
           "--lane", arguments.lanes,
           "With --headless: draw the answer to this question in SQL as a lane, from columns tick and value, level or "
           "text, or begin_tick and end_tick (repeatable)")
        .value_name("NAME=SQL")
        .one_each();
    app.add_option("--column", arguments.columns,
                   "With --headless: a column of the table by an expression in SQL, as in 'double=value * 2' (repeatable)")
        .value_name("NAME=SQL")
        .one_each();
    app.version(std::string("sla-viewer ") + SLA_VERSION);
}

Result<void> parse_pixels(const std::string& text, int& width, int& height) {
    char rest = 0;
    const bool two = std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) == 2;
    if (!two || width < 320 || height < 240 || width > 16384 || height > 16384) {
        return invalid_input("--size wants WIDTHxHEIGHT in pixels, from 320x240 to 16384x16384, not \"" + text + "\"");
    }
    return {};
}

Result<void> parse_time(const std::string& text, std::optional<std::int64_t>& ps) {
    if (text.empty()) return {};
    const Result<std::int64_t> parsed = time::parse_duration(text);
    if (!parsed) return parsed.error();
    ps = *parsed;
    return {};
}

Result<void> set_live_data(const Arguments& arguments, workspace::Settings& settings) {
    if (!arguments.spill.empty()) settings.spill_directory = arguments.spill;
    if (arguments.history == "all") settings.history_seconds = 0;
    if (!arguments.history.empty() && arguments.history != "all") {
        const Result<std::int64_t> ps = time::parse_duration(arguments.history);
        if (!ps) return invalid_input("--history wants a time, as 30s, or all: " + ps.error().message);
        constexpr std::int64_t kSecondPs = 1'000'000'000'000;
        settings.history_seconds = static_cast<std::uint64_t>(std::max<std::int64_t>(1, (*ps + kSecondPs - 1) / kSecondPs));
    }
    if (arguments.memory.empty()) return {};
    const Result<std::uint64_t> bytes = parse_size(arguments.memory);
    if (!bytes) return bytes.error();
    if (*bytes < SourceMemory::kMinBytes)
        return invalid_input("--memory wants 64MiB at least, not \"" + arguments.memory + "\"");
    settings.memory_mib = *bytes >> 20;
    return {};
}

Result<void> take_questions(const std::vector<std::string>& texts, QuestionForm form, std::vector<KeptQuestion>& questions) {
    for (const std::string& text : texts) {
        const Result<KeptQuestion> question = workspace::parse_kept_question(text, form);
        if (!question) return question.error();
        if (!workspace::keep_question(questions, *question))
            return invalid_input("there is no room for the question " + question->name + ": " +
                                 workspace::space_for_questions());
    }
    return {};
}

Result<PictureOptions> picture_options(const Arguments& arguments) {
    PictureOptions options;
    options.target = first_target(arguments);
    options.png = arguments.screenshot;
    options.table_file = arguments.export_table;
    options.frames = arguments.frames;
    options.wait_seconds = arguments.wait;
    options.scale = arguments.scale > 0 ? arguments.scale : 1.0F;
    options.settings.theme = arguments.theme == "light" ? ThemeName::kLight : ThemeName::kDark;
    if (Result<void> size = parse_pixels(arguments.size, options.width, options.height); !size) return size.error();
    if (Result<void> memory = set_live_data(arguments, options.settings); !memory) return memory.error();
    if (Result<void> from = parse_time(arguments.from, options.from_ps); !from) return from.error();
    if (Result<void> to = parse_time(arguments.to, options.to_ps); !to) return to.error();
    if (Result<void> a = parse_time(arguments.cursor_a, options.cursor_a_ps); !a) return a.error();
    if (Result<void> b = parse_time(arguments.cursor_b, options.cursor_b_ps); !b) return b.error();
    options.focus = arguments.focus;
    if (Result<void> lanes = take_questions(arguments.lanes, QuestionForm::kLane, options.questions); !lanes)
        return lanes.error();
    if (Result<void> columns = take_questions(arguments.columns, QuestionForm::kColumn, options.questions); !columns)
        return columns.error();
    return options;
}

// The first is shown, the others lie behind it.
void open_others(App& app, const std::vector<std::string>& targets) {
    if (targets.size() < 2) return;
    for (std::size_t i = 1; i < targets.size(); ++i) app.open(targets[i]);
    app.show_first();
}

int run_window(const Arguments& arguments, const PictureOptions& picture) {
    for (const int number : {SIGINT, SIGTERM}) std::signal(number, [](int) { asked_to_end = 1; });  // before there is a window to end
    ScreenOptions options;
    options.width = picture.width;
    options.height = picture.height;
    options.target = first_target(arguments);
    const std::string kept = settings_path();
    Result<workspace::Settings> settings = load_settings(kept);
    if (settings) options.settings = *settings;
    if (!arguments.theme.empty()) options.settings.theme = picture.settings.theme;
    if (Result<void> memory = set_live_data(arguments, options.settings); !memory) return complain(memory.error());
    options.scale = arguments.scale > 0 ? arguments.scale : options.settings.scale;
    options.keeping = true;
    // For an agent one may wait; a file that cannot be opened leaves nothing to wait for.
    const bool agent = options.target.empty() || wire::parse_address(options.target).ok();
    auto screen = agent ? Screen::open(options) : Screen::open(options, no_source());
    if (!screen) return complain(screen.error());
    if (!agent) (*screen)->app().open(options.target);
    open_others((*screen)->app(), arguments.targets);
    const std::string keys = config_path("keys.json");
    if (!keys.empty()) {
        const Result<void> loaded = (*screen)->app().keys().load(keys);
        if (!loaded) (*screen)->app().errors().add(loaded.error().message);
    }
    if (!settings) (*screen)->app().errors().add(settings.error().message);
    bool shown = false;
    while (asked_to_end == 0 && (*screen)->frame()) {
        if (shown || (*screen)->app().source().session().lanes().empty()) continue;
        if ((*screen)->app().source().status().state == SourceState::kLoading) continue;
        shown = true;
        (*screen)->show_range(picture.from_ps, picture.to_ps);
        if (picture.table_file.empty()) continue;
        const auto written = export_table((*screen)->app().source().session(), picture.table_file);
        if (!written) (*screen)->app().errors().add(written.error().message);
    }
    (*screen)->app().keep();
    if (kept.empty()) return 0;
    const Result<void> saved = save_settings((*screen)->settings(), kept);
    return saved ? 0 : complain(saved.error());
}

// "-" becomes the path of what is piped in.
Result<void> take_standard_input(std::vector<std::string>& targets) {
    const auto at = std::find(targets.begin(), targets.end(), "-");
    if (at == targets.end()) return {};
    if (std::count(at, targets.end(), "-") > 1) return invalid_input("'-' is standard input: there is one only");
    Result<std::string> path = ingest::keep_standard_input([] { return true; });
    if (!path) return path.error();
    *at = *path;
    return {};
}

int act(Arguments& arguments) {
    if (!arguments.headless && !arguments.screenshot.empty()) {
        return complain(invalid_input("--screenshot needs --headless"));
    }
    if (Result<void> taken = take_standard_input(arguments.targets); !taken) return complain(taken.error());
    const Result<PictureOptions> options = picture_options(arguments);
    if (!options) return complain(options.error());
    if (arguments.bench && !arguments.headless) return complain(invalid_input("--bench needs --headless"));
    if (!arguments.headless) return run_window(arguments, *options);
    formats::keep_from_outputs(options->target);
    if (formats::is_kept_from_outputs(arguments.screenshot))
        return complain(invalid_input("--screenshot " + arguments.screenshot + " is the capture itself; name another file"));
    if (arguments.targets.size() > 1) return complain(invalid_input("--headless draws one capture, not several"));
    if (arguments.bench) {
        const Result<void> measured =
            run_bench({options->target, options->settings, 1920, 1080, std::max(arguments.frames, 600)});
        return measured ? 0 : complain(measured.error());
    }
    const Result<void> rendered = render_to_png(*options);
    return rendered ? 0 : complain(rendered.error());
}

int run(int count, char** words) {
    common::Command app("sla-viewer", "Shows an agent's events live, or a capture: lanes, cursors, delta-time table.");
    Arguments arguments;
    describe(app, arguments);
    app.action([&arguments] { return act(arguments); });
    return app.run(count, words);
}

// Of glibc's malloc: what one thread has freed is there for the others, and large blocks go back to the system at once. By its
// own choice a window on a billion events took a fifth more.
void share_memory() {
    constexpr int kArenas = 2;
    constexpr int kLarge = 1 << 20;  // bytes
    mallopt(M_ARENA_MAX, kArenas);
    mallopt(M_MMAP_THRESHOLD, kLarge);
}

}  // namespace
}  // namespace sla::ui

int main(int count, char** words) {
    sla::ui::share_memory();
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);  // errors of write, not a death
    try {
        return sla::ui::run(count, words);
    } catch (const std::exception& problem) {
        fmt::print(stderr, "sla-viewer: cannot go on: {}\n", problem.what());
        return 3;
    }
}
