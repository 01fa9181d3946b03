#include "viewer/ui/desk.h"

#include "viewer/ingest/caches.h"
#include "viewer/ui/settings.h"
#include "viewer/ui/view_file.h"

namespace sla::ui {

namespace {

constexpr std::chrono::milliseconds kExportBudget{8};
constexpr std::chrono::microseconds kSearchBudget{3000};

// An address as a file's name.
std::string file_name_of(const std::string& address) {
    std::string name;
    for (const char c : address) {
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
        name += plain ? c : '_';
    }
    return name;
}

}  // namespace

Desk::Desk(std::unique_ptr<Feed> from, bool motion)
    : feed(std::move(from)),
      table(feed->session(), [this] { return feed->another(ingest::kWalkCache); }),
      search(feed->session(), SearchOver::kEverything, [this] { return feed->another(ingest::kWalkCache); }),
      agent(feed->address()) {
    for (Pane& pane : panes) pane.view.set_motion(motion);
    view().set_follow(feed->can_run());
}

Desk::~Desk() {
    job.reset();  // it reads the session
}

void Desk::take_data(std::chrono::milliseconds budget, double seconds) {
    if (job && !job->result()) {
        job->step(kExportBudget);
    } else {
        feed->poll(budget);
    }
    tree.refresh(feed->session());
    rates.refresh(feed->session(), seconds);
    catching_up.refresh(feed->session(), seconds);
    search.step(kSearchBudget);
}

bool Desk::is_busy() const {
    const FeedState state = feed->status().state;
    const bool is_written = job && !job->result();
    const auto refines = [](const Pane& pane) { return pane.lanes.pictures().is_refining(); };
    return is_running(state) || state == FeedState::kLoading || search.busy() || table.shown_rows().busy() || is_written ||
           std::any_of(panes.begin(), panes.end(), refines);
}

ViewState Desk::state() const {
    const View& view = panes[0].view;
    return {tree.arrangement, view.notes,
            view.cursors,     view.place(),
            table.filter(),   table.shown_rows().collapsed(),
            view.folds(),     counting,
            two_panes,        two_panes ? panes[1].view.place() : ShownPlace()};
}

void Desk::set_state(const ViewState& state) {
    tree.arrangement = state.lanes;
    view().notes = state.notes;
    view().cursors = state.cursors;
    view().stuck.reset();
    view().set_folds(state.folds);
    if (!(view().place() == state.shown)) view().go_back_to(state.shown);
    table.set_filter(state.table_filter);
    table.set_collapsed(state.table_collapsed);
    counting = state.counting;
    tree.refresh(feed->session());
    set_panes(state);
}

void Desk::set_panes(const ViewState& state) {
    View& below = panes[1].view;
    if (state.two_panes && !two_panes) below.begin_like(view());
    two_panes = state.two_panes;
    if (!two_panes) return;
    below.share(view());
    if (!(below.place() == state.shown_below)) below.go_back_to(state.shown_below);
}

std::string Desk::view_path() const {
    const std::string target = feed->target();
    if (target.empty() || passing) return {};
    if (!feed->can_run()) return target + ".view.json";
    return config_path("views/" + file_name_of(target) + ".json");
}

Result<void> Desk::restore() {
    restored = true;
    const std::string path = view_path();
    if (path.empty()) return {};
    auto loaded = load_view(path, feed->session().origin().capture_id);
    if (!loaded) return loaded.error();
    if (!*loaded) return {};
    ViewState state = std::move(**loaded);
    if (feed->can_run()) state.shown = state.shown_below = view().place();  // live, one looks at what is new
    set_state(state);
    kept_ = this->state();
    return {};
}

Result<void> Desk::keep() {
    const std::string path = view_path();
    const ViewState now = state();
    if (!restored || path.empty() || now == kept_ || feed->session().lanes().empty()) return {};
    ViewState before = kept_;
    kept_ = now;
    before.shown = now.shown;
    before.shown_below = now.shown_below;
    if (before == now && feed->can_run()) return {};  // of an agent the place alone is nothing to keep
    return save_view(now, feed->session().origin().capture_id, path);
}

}  // namespace sla::ui
