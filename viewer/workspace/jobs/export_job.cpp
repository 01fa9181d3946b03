#include "viewer/workspace/jobs/export_job.h"

#include "viewer/analysis/event_walk.h"

#include <new>
#include <utility>

namespace sla::workspace {

namespace {

// Without what comes while it is written.
analysis::Selection ended(const store::Session& session, analysis::Selection selection) {
    const auto last = analysis::last_final_tick(session, selection);
    selection.until = !last ? 0 : *last == store::kNever ? store::kNever : *last + 1;
    return selection;
}

}  // namespace

ExportJob::ExportJob(store::Session& session, analysis::Selection selection, formats::ExportOptions options,
                     std::string path)
    : session_(session),
      selection_(ended(session, std::move(selection))),
      hold_(session),
      options_(options),
      path_(std::move(path)),
      thread_([this] { run(); }) {}

ExportJob::~ExportJob() {
    cancelled_ = true;
    while (step(std::chrono::milliseconds(100))) {
    }
    thread_.join();
}

bool ExportJob::step(std::chrono::milliseconds budget) {
    if (result_) return false;
    std::unique_lock lock(mutex_);
    until_ = Clock::now() + budget;
    turn_ = Turn::kJob;
    turned_.notify_all();
    turned_.wait(lock, [this] { return turn_ == Turn::kWindow; });
    if (result_) hold_.reset();
    return !result_;
}

void ExportJob::run() {
    {
        std::unique_lock lock(mutex_);
        turned_.wait(lock, [this] { return turn_ == Turn::kJob; });
    }
    auto report = write();
    const std::lock_guard lock(mutex_);
    result_.emplace(std::move(report));
    turn_ = Turn::kWindow;
    turned_.notify_all();
}

Result<formats::ExportReport> ExportJob::write() {
    try {
        return formats::export_capture(session_, selection_, options_, path_,
                                       [this](std::uint64_t done, std::uint64_t all) { return progress(done, all); });
    } catch (const std::bad_alloc&) {
        return unavailable("there is not enough memory to export to " + path_);
    }
}

// The writers call this now and then, in the job's turn.
bool ExportJob::progress(std::uint64_t done, std::uint64_t all) {
    done_ = done;
    all_ = all;
    if (cancelled_) return false;
    if (Clock::now() < until_) return true;
    std::unique_lock lock(mutex_);
    turn_ = Turn::kWindow;
    turned_.notify_all();
    turned_.wait(lock, [this] { return turn_ == Turn::kJob; });
    return !cancelled_;
}

}  // namespace sla::workspace
