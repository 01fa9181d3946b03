// What comes into the documents between frames, what is kept of them, and what a person is told about both.
#include "proto/base/memory_reserve.h"
#include "proto/wire/address.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/app/app.h"

#include <fmt/format.h>

#include <utility>

namespace sla::ui {

namespace {

constexpr std::chrono::milliseconds kDataBudget{6};
constexpr std::chrono::milliseconds kBehindBudget{2};  // of documents that are not shown
constexpr double kKeepSeconds = 10;

}  // namespace

std::vector<Error> App::keep() {
    std::vector<Error> problems;
    for (const auto& document : documents_) {
        const std::vector<Error> of_it = end(*document);
        problems.insert(problems.end(), of_it.begin(), of_it.end());
    }
    return problems;
}

std::vector<Error> App::end(Document& document) const {
    std::vector<Error> problems;
    const Result<void> kept = keeping_ ? document.keep() : Result<void>();
    if (!kept) problems.push_back(kept.error());
    const Result<void> logged = document.counters->end_log();
    if (!logged) problems.push_back(logged.error());
    return problems;
}

// What goes wrong is said once, not at every try.
void App::keep_now_and_then(double seconds) {
    since_kept_ += seconds;
    if (since_kept_ < kKeepSeconds || !keeping_) return;
    since_kept_ = 0;
    for (const auto& document : documents_) {
        const Result<void> kept = document->keep();
        const std::string problem = kept ? std::string() : kept.error().message;
        if (std::exchange(document->reported_keeping, problem) != problem && !problem.empty()) errors_.add(problem);
    }
}

void App::take_data() {
    const auto seconds = static_cast<double>(ImGui::GetIO().DeltaTime);
    for (std::size_t i = 0; i < documents_.size(); ++i) {
        take_older(i);
        Document& document = *documents_[i];
        for (View& one : document.views) one.set_motion(settings_.motion);
        document.take_data(i == shown_ ? kDataBudget : kBehindBudget, seconds);
        report_problems(document);
        report_export(document);
        if (const std::string problem = document.counters->take_log_problem(); !problem.empty())
            errors_.add({"The counters' log has ended: " + problem, Severity::kError, &document, {}});
        report_answer(document);
        const SourceState state = document.source->status().state;
        const bool there = state != SourceState::kLoading && !document.source->session().lanes().empty();
        if (!there || document.restored) continue;
        if (!document.is_temporary) settings_.remember(document.source->target());
        const Result<void> restored = keeping_ ? document.restore() : Result<void>();
        document.restored = true;
        if (!restored) errors_.add({restored.error().message, Severity::kError, &document, {}});
    }
    for (const std::string& what : JobRunner::shared().take_failures()) {
        errors_.add(
            {"There is not enough memory for " + what + ": a shorter range needs less", Severity::kError, nullptr, {}});
        hold_memory_reserve();
    }
    end_trials();
    keep_now_and_then(seconds);
}

void App::report_answer(Document& document) {
    const store::Health& health = document.source->session().health();
    if (const auto answer = document.agent->poll(health); answer && !*answer)
        errors_.add({answer->error().message, Severity::kError, &document, {}});
    for (const std::string& words : document.agent->take_outdated(health)) errors_.withdraw(&document, words);
}

void App::report_problems(Document& document) {
    const SourceStatus status = document.source->status();
    if (status.message != document.reported) {
        errors_.withdraw(&document, document.reported);
        document.reported = status.message;
        // The agent of this user is looked for unasked, and may come at any time.
        const bool is_early =
            document.source->target() == wire::default_address().text() && document.source->session().lanes().empty();
        errors_.add({status.message, is_early ? Severity::kInformation : severity_of(status.state), &document, {}});
    }
    for (const store::Note& note : document.told_notes.take_new(document.source->session().notes()))
        errors_.add({note.text, severity_of(note), &document, {}});
}

// Of one whose dialog was closed meanwhile, or that a document which is not shown has written.
void App::report_export(Document& document) {
    const auto* const ending = document.job ? document.job->take_ending() : nullptr;
    if (ending == nullptr || (&document == documents_[shown_].get() && export_.is_shown())) return;
    if (!ending->ok()) return errors_.add({ending->error().message, Severity::kError, &document, {}});
    errors_.notice(fmt::format("{} rows written to {}", timeline::grouped((*ending)->events), document.job->path()));
}

}  // namespace sla::ui
