// sla-viewer: the window.
#include "proto/base/control_characters.h"
#include "proto/base/heap_pages.h"
#include "proto/base/memory_reserve.h"
#include "proto/base/standard_streams.h"
#include "viewer/formats/endings.h"
#include "viewer/formats/output.h"
#include "viewer/ingest/standard_input.h"
#include "viewer/ui/app/arguments.h"
#include "viewer/ui/app/bench.h"
#include "viewer/ui/app/screen.h"
#include "viewer/workspace/kept_settings.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sla::ui {
namespace {

volatile std::sig_atomic_t asked_to_end = 0;

int complain(const Error& error) {
    std::fprintf(stderr, "sla-viewer: %s\n",
                 harmless_lines(error.message).c_str());  // no exception where nobody can be told
    return exit_code(error);
}

// The first is shown, the others lie behind it.
void open_others(App& app, const std::vector<std::string>& targets) {
    if (targets.size() < 2) return;
    for (std::size_t i = 1; i < targets.size(); ++i) app.open(targets[i]);
    app.show_first();
}

// What --from, --to and --export-table ask for is done to the source that was named first, once it is there: the table is written
// whatever is shown meanwhile, the range is shown when that source is.
class Beginning {
public:
    Beginning(Screen& screen, const PictureOptions& options)
        : screen_(screen), options_(options), source_(&screen.app().source()), owes_table_(!options.table_file.empty()) {}

    // After a frame.
    void go_on() {
        if (source_ == nullptr) return;
        Document* const document = screen_.app().document_of(source_);
        if (document == nullptr) {  // it was closed
            source_ = nullptr;
            return;
        }
        if (source_->session().lanes().empty() || source_->status().state == SourceState::kLoading) return;
        if (std::exchange(owes_table_, false)) {
            const Result<void> written = write_table_of(source_->session(), options_);
            if (!written) screen_.app().errors().add(written.error().message);
        }
        if (document != &screen_.app().document()) return;
        screen_.show_range(options_.from_ps, options_.to_ps);
        source_ = nullptr;
    }
    [[nodiscard]] bool owes_table() const { return owes_table_; }

private:
    Screen& screen_;
    const PictureOptions& options_;
    DataSource* source_;  // null: nothing is left to do
    bool owes_table_;
};

int run_window(const Arguments& arguments, const PictureOptions& picture) {
    // Before there is a window to end.
    const bool outlives_its_terminal = std::signal(SIGHUP, SIG_IGN) == SIG_IGN;  // nohup
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        if (number != SIGHUP || !outlives_its_terminal) std::signal(number, [](int) { asked_to_end = 1; });
    }
    ScreenOptions options;
    options.width = picture.width;
    options.height = picture.height;
    options.target = first_target(arguments);
    workspace::KeptSettings kept(settings_path());
    Result<workspace::Settings> settings = kept.load();
    if (settings) options.settings = *settings;
    if (!arguments.theme.empty()) options.settings.theme = picture.settings.theme;
    if (Result<void> memory = set_live_data(arguments, options.settings); !memory) return complain(memory.error());
    kept.begin_with(options.settings);
    options.scale = arguments.scale > 0 ? arguments.scale : options.settings.scale;
    options.keeping = true;
    // For an agent one may wait; a file that cannot be opened leaves nothing to wait for.
    const bool agent = options.target.empty() || wire::parse_address(options.target).ok();
    auto screen = agent ? Screen::open(options) : Screen::open(options, no_source());
    if (!screen) return complain(screen.error());
    if (!agent) (*screen)->app().open(options.target);
    Beginning beginning(**screen, picture);
    open_others((*screen)->app(), arguments.targets);
    const std::string keys = config_path("keys.json");
    if (!keys.empty()) {
        const Result<void> loaded = (*screen)->app().keys().load(keys);
        if (!loaded) (*screen)->app().errors().add(loaded.error().message);
    }
    if (!settings) (*screen)->app().errors().add(settings.error().message);
    while (asked_to_end == 0 && (*screen)->frame()) beginning.go_on();
    int code = 0;
    if (beginning.owes_table())
        code =
            complain(unavailable(picture.table_file + " is not written: there was nothing of what was to be shown first"));
    for (const Error& problem : (*screen)->app().keep()) code = complain(problem);
    if (settings_path().empty()) return code;
    const Result<void> saved = kept.save((*screen)->settings());
    return saved ? code : complain(saved.error());
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
    if (Result<void> taken = take_standard_input(arguments.targets); !taken) return complain(taken.error());
    const Result<PictureOptions> options = picture_options(arguments);
    if (!options) return complain(options.error());
    if (!arguments.headless) return run_window(arguments, *options);
    formats::keep_from_outputs(options->target);
    const Result<void> named = arguments.screenshot.empty() ? Result<void>()
                                                            : formats::check_ending(arguments.screenshot, {"png"},
                                                                                    "the picture is a PNG, name it .png");
    if (!named) return complain(named.error());
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
    app.version(std::string("sla-viewer ") + SLA_VERSION);
    app.action([&arguments] { return act(arguments); });
    return app.run(count, words);
}

// Larger blocks go back to the system at once: by malloc's own choice a window on a billion events took a fifth more.
constexpr int kLargestInHeap = 1 << 20;  // bytes

}  // namespace
}  // namespace sla::ui

int main(int count, char** words) {
    sla::hold_standard_streams();
    sla::set_up_heap(sla::ui::kLargestInHeap);
    sla::hold_memory_reserve();
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);  // errors of write, not a death
    try {
        return sla::ui::run(count, words);
    } catch (const std::system_error& problem) {
        const bool is_thread = problem.code() == std::errc::resource_unavailable_try_again;
        std::fprintf(stderr, "sla-viewer: cannot go on: %s%s\n", problem.what(),
                     is_thread ? "; it may have no more threads (see `ulimit -u`, and pids.max of its cgroup)" : "");
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "sla-viewer: cannot go on: %s\n", problem.what());
    }
    return 3;
}
