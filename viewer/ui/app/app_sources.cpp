// What is open: opened, given up again, closed, opened again.
#include "viewer/ui/app/app.h"

#include "proto/wire/address.h"
#include "viewer/fleet/fleet_address.h"

#include <algorithm>

namespace sla::ui {

namespace {

constexpr std::size_t kMaxClosed = 20;

// Nothing is in it, and nothing that was asked for can still come: this user's own agent is looked for unasked.
bool gives_way(const Document& document) {
    if (document.counters->is_logging()) return false;
    DataSource& source = *document.source;
    const SourceState state = source.status().state;
    if (!source.session().lanes().empty() || is_running(state) || state == SourceState::kLoading) return false;
    const bool is_tried_again = source.can_run() && (state == SourceState::kLost || state == SourceState::kEnded);
    return !is_tried_again || source.target() == wire::default_address().text();
}

}  // namespace

void App::open(std::unique_ptr<DataSource> source) {
    auto document = std::make_unique<Document>(std::move(source));
    if (gives_way(this->document())) {
        forget(documents_[shown_].get());
        documents_[shown_] = std::move(document);
        return;
    }
    documents_.push_back(std::move(document));
    shown_ = documents_.size() - 1;
}

Document* App::document_of(const DataSource* source) const {
    const auto found = std::find_if(documents_.begin(), documents_.end(),
                                    [&](const auto& document) { return document->source.get() == source; });
    return found == documents_.end() ? nullptr : found->get();
}

bool App::show_open(const std::string& target) {
    for (std::size_t i = 0; i < documents_.size(); ++i) {
        if (target.empty() || documents_[i]->source->target() != target) continue;
        shown_ = i;
        if (documents_[i]->source->status().state == SourceState::kLost) documents_[i]->source->run();
        return true;
    }
    return false;
}

void App::open(const std::string& target) {
    if (show_open(target)) return;
    std::unique_ptr<DataSource> source = open_source(target, settings_.memory());
    const SourceStatus status = source->status();
    if (status.state == SourceState::kLost && !source->can_run())
        return report_unopened(target, source->target(), status.message);
    if (show_open(source->target())) return;  // by another path
    const std::size_t before = shown_;
    open(std::move(source));
    document().on_trial = true;
    document().opened_from = before;
}

// Nothing is open that was not before; what was typed can be mended. `again` is "" of what never can be opened.
void App::report_unopened(const std::string& typed, const std::string& again, const std::string& why) {
    errors_.add({why.empty() ? fleet::shown_address(typed) + " cannot be opened" : why, Severity::kError, nullptr, again});
    sources_dialog_.suggest(typed);
}

// An agent that never answered leaves no empty source behind.
void App::end_trials() {
    for (std::size_t i = 0; i < documents_.size(); ++i) {
        Document& document = *documents_[i];
        const SourceStatus status = document.source->status();
        if (!document.on_trial || status.state == SourceState::kConnecting) continue;
        document.on_trial = false;
        if (status.state != SourceState::kLost || !document.source->can_run() ||
            !document.source->session().lanes().empty() || document.counters->is_logging())
            continue;
        const std::size_t before = document.opened_from;
        const bool shown = i == shown_;
        const std::string target = document.source->target();
        remove(i);
        if (shown) shown_ = std::min(before, documents_.size() - 1);
        report_unopened(target, target, status.message);
        return;
    }
}

// What is dragged or typed belongs to the document as it is: until that is over the older rows wait.
void App::take_older(std::size_t at) {
    Document& document = *documents_[at];
    const bool is_held = ImGui::IsAnyMouseDown() || ImGui::GetIO().WantTextInput ||
                         ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup) || document.marks.follows_mouse;
    if (is_held) return;
    std::unique_ptr<DataSource> longer = document.source->take_longer();
    if (longer == nullptr) return;
    std::unique_ptr<Document> next = document.go_on_with(std::move(longer));
    const bool is_beside = beside_ == &document;
    const auto panels = panels_.extract(&document);
    errors_.hand_on(&document, next.get());
    forget(&document);
    documents_[at] = std::move(next);
    if (!panels.empty()) panels_of(*documents_[at]).go_on_from(*panels.mapped());
    if (is_beside) beside_ = documents_[at].get();
}

App::Rest::Rest(App& app) : app_(app) {
    for (const auto& document : app_.documents_) document->source->begin_rest();
}

App::Rest::~Rest() {
    for (const auto& document : app_.documents_) document->source->end_rest();
}

void App::forget(const Document* document) {
    if (beside_ == document) beside_ = nullptr;
    errors_.forget(document);
    panels_.erase(document);
}

void App::remove(std::size_t at) {
    forget(documents_[at].get());
    documents_.erase(documents_.begin() + static_cast<std::ptrdiff_t>(at));
    if (documents_.empty()) documents_.push_back(std::make_unique<Document>(no_source()));
    if (shown_ > at || shown_ == documents_.size()) --shown_;
}

void App::close_shown() {
    for (const Error& problem : end(document())) errors_.add(problem.message);
    if (const std::string target = source().target(); !target.empty()) {
        std::erase(closed_, target);
        closed_.push_back(target);
        if (closed_.size() > kMaxClosed) closed_.erase(closed_.begin());
    }
    remove(shown_);
}

}  // namespace sla::ui
