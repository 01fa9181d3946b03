#include "viewer/workspace/document.h"

#include "viewer/fleet/fleet_address.h"
#include "viewer/workspace/settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace sla::workspace {

namespace {

// An address, or a part of a path, as a file's name.
std::string plain_name(const std::string& text) {
    std::string name;
    for (const char c : text) {
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
        name += plain ? c : '_';
    }
    return name;
}

// Its end for people, and a number of all of it: no two share one, and none is too long for a file system.
std::string short_name(const std::string& text) {
    constexpr std::size_t kEnd = 100;
    std::uint64_t number = 14'695'981'039'346'656'037U;  // FNV-1a, of 64 bits
    for (const char c : text) number = (number ^ static_cast<unsigned char>(c)) * 1'099'511'628'211U;
    return plain_name(text.substr(text.size() - std::min(text.size(), kEnd))) + fmt::format("-{:016x}", number);
}

std::string beside(const std::string& capture) {
    return capture + ".view.json";
}

bool takes_files(const std::filesystem::path& folder) {
    return access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) == 0;
}

}  // namespace

Document::Document(std::unique_ptr<DataSource> from)
    : source(std::move(from)),
      rows(source->session()),
      search(source->session()),
      agent(std::make_unique<AgentLink>(source->address())),
      could_run_(source->can_run()) {
    view().set_follow(source->can_run());
}

Document::~Document() = default;

void Document::take_data(std::chrono::milliseconds budget, double seconds) {
    kept_answers->step(*source);
    take_answers();
    fetch_what_is_seen();  // before anything comes: the views were placed by what was there
    source->poll(budget);
    if (source->can_run() && !std::exchange(could_run_, source->can_run()))
        view().set_follow(true);  // known late, of a fleet
    if (source->can_run()) source->session().note_shown();
    tree.is_live = source->can_run();
    tree.refresh(source->session());
    rates.refresh(source->session(), seconds);
    gone.refresh(source->session());
    catching_up.refresh(source->session(), seconds, source->status().held_back);
    search.step();
    question->poll();
    counters->poll(source->session());
    registers->poll();
}

void Document::fetch_what_is_seen() {
    const std::optional<store::History>& part = source->session().history();
    for (std::size_t i = 0; part && i < (two_panes ? 2U : 1U); ++i) {
        if (!views[i].is_placed()) continue;
        const std::uint64_t first = views[i].target().visible().first;
        if (first < part->from_tick) source->fetch_back_to(first);
    }
}

bool Document::is_busy() const {
    return is_running(source->status().state) || is_working() || counters->is_running();
}

bool Document::is_working() const {
    const SourceStatus status = source->status();
    const bool is_written = job && !job->result();
    const bool comes = status.state == SourceState::kLoading || status.state == SourceState::kConnecting || status.fetched ||
                       (is_running(status.state) && catching_up.now());
    return comes || search.busy() || rows.busy() || is_written || question->is_busy() || kept_answers->is_busy() ||
           (gone.is_looking() && !source->can_run());
}

void Document::observe(double seconds, bool gesture) {
    history.pass(seconds);
    const auto stands = [&](const ViewField& field) { return field.stands(*this, history.current()); };
    if (!history.wants_state() && (gesture || std::ranges::all_of(view_fields(), stands))) return;
    history.observe(state(), gesture);
}

std::unique_ptr<Document> Document::go_on_with(std::unique_ptr<DataSource> longer) {
    auto next = std::make_unique<Document>(std::move(longer));
    store::Session& session = next->source->session();
    session.note_shown_as(source->session());
    next->tree.is_live = true;
    next->set_state(state());
    next->rows.set_order(rows.order());
    next->views = views;
    next->marks = marks;
    for (const store::Lane* lane : tree.derived()) next->marks.follow(*lane, nullptr);
    next->marks.move_to(session);
    std::swap(next->agent, agent);  // with what waits to be asked, and an answer that comes yet
    next->counters = std::move(counters);
    next->registers = std::move(registers);
    next->question = std::exchange(question, std::make_unique<SqlQuestion>());
    next->job = std::move(job);
    next->active = active;
    next->history = std::move(history);
    next->panels = panels;
    next->panels.lane_menu = nullptr;
    next->search.set(search.text());
    next->overlay = overlay;
    next->shot = shot;
    next->losses_seen = losses_seen;
    next->uncounted_seen = uncounted_seen;
    next->reported = reported;
    next->reported_keeping = reported_keeping;
    next->told_notes = told_notes;
    next->restored = restored;
    next->on_trial = on_trial;
    next->opened_from = opened_from;
    next->is_temporary = is_temporary;
    next->kept_ = kept_;
    next->file_ = file_;
    next->could_run_ = true;  // whether it follows is the person's choice by now
    return next;
}

void Document::set_questions(const std::vector<KeptQuestion>& questions) {
    kept_answers->set(questions);
    take_answers();
}

void Document::take_answers() {
    if (std::exchange(answers_taken_, kept_answers->revision()) == kept_answers->revision()) return;
    for (const store::Lane* was : tree.derived()) {
        const store::Lane* now = kept_answers->successor_of(*was);
        if (now != was) marks.follow(*was, now);
        if (now != was && panels.lane_menu == was) panels.lane_menu = nullptr;
    }
    tree.set_derived(kept_answers->lanes());
    tree.refresh(source->session());
}

ViewState Document::state() const {
    ViewState state = history.current();
    for (const ViewField& field : view_fields()) field.take(*this, state);
    return state;
}

void Document::set_state(const ViewState& state) {
    for (const ViewField& field : view_fields()) field.apply(*this, state);
}

void Document::set_folds(const std::vector<timeline::TickRange>& folds) {
    for (View& one : views) one.set_folds(folds);
}

void Document::set_job(std::unique_ptr<ExportJob> next) {
    saved_until_ = saved_until();
    job = std::move(next);
}

std::uint64_t Document::saved_until() const {
    return job ? std::max(saved_until_, job->whole_until()) : saved_until_;
}

std::optional<std::size_t> Document::shown_shot() const {
    if (!shot) return std::nullopt;
    const store::Session& session = source->session();
    auto at = session.first_shot_from(shot->tick);
    while (at != session.shots().end() && at->tick == shot->tick && *at != *shot) ++at;
    if (at == session.shots().end() || at->tick != shot->tick) return std::nullopt;
    return static_cast<std::size_t>(at - session.shots().begin());
}

std::string Document::view_path() const {
    const std::string target = source->target();
    if (target.empty() || is_temporary) return {};
    if (is_remote()) return config_path("views/" + short_name(fleet::shown_address(target)) + ".json");
    if (takes_files(std::filesystem::path(target).parent_path())) return beside(target);
    std::error_code unknown;
    return config_path("views/" + short_name(std::filesystem::absolute(target, unknown).string()) + ".json");
}

bool Document::is_remote() const {
    return source->can_run() || fleet::is_fleet_address(source->target());
}

Result<void> Document::restore() {
    restored = true;
    const std::string path = view_path();
    if (path.empty()) return {};
    const std::uint64_t capture_id = source->session().origin().capture_id;
    auto loaded = file_.load(path, capture_id);
    if (loaded.ok() && !*loaded && !is_remote()) loaded = file_.load(beside(source->target()), capture_id);
    if (!loaded) return loaded.error();
    if (!*loaded) return {};
    ViewState state = std::move(**loaded);
    if (source->can_run()) state.shown = state.shown_below = view().place();  // live, one looks at what is new
    set_state(state);
    history = History();
    kept_ = this->state();
    return {};
}

Result<void> Document::keep() {
    const std::string path = view_path();
    const ViewState now = state();
    if (!restored || path.empty() || now == kept_ || source->session().lanes().empty()) return {};
    const bool is_nothing = source->can_run() && only_the_view_moved(kept_, now);  // of an agent the place alone
    Result<void> saved = is_nothing ? Result<void>() : file_.save(now, source->session().origin().capture_id, path);
    if (saved) kept_ = now;
    return saved;
}

}  // namespace sla::workspace
