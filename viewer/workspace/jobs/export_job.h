// An export that does not block the window: its own thread, but only while the window gives it a turn, so that the session
// is never looked at by two threads at once.
//
//   window   step(budget) ──turn──► waits                     ──► draws a frame …
//   job                             writes rows for the budget ──turn──►
//
// Between the turns the session may grow: what is written ends where it was final when the job began, with the clock as it
// was then. Writes byte for byte what `sla export` writes of the same selection. Cancelled or dropped, it leaves no file.
// Owner: the window's thread.
#pragma once

#include "viewer/analysis/selection.h"
#include "viewer/formats/catalog/export.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace sla::workspace {

class ExportJob {
public:
    ExportJob(store::Session& session, analysis::Selection selection, formats::ExportOptions options, std::string path);
    ~ExportJob();
    ExportJob(const ExportJob&) = delete;
    ExportJob& operator=(const ExportJob&) = delete;

    // Lets it work for about so long. True while there is more to do.
    bool step(std::chrono::milliseconds budget);
    void cancel() { cancelled_ = true; }

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::uint64_t done() const { return done_; }
    [[nodiscard]] std::uint64_t all() const { return all_; }
    // Nothing while it runs.
    [[nodiscard]] const std::optional<Result<formats::ExportReport>>& result() const { return result_; }

private:
    using Clock = std::chrono::steady_clock;
    enum class Turn { kWindow, kJob };
    void run();
    Result<formats::ExportReport> write();
    bool progress(std::uint64_t done, std::uint64_t all);

    const store::Session& session_;
    const analysis::Selection selection_;
    std::optional<store::Session::ClockHold> hold_;  // while it runs
    const formats::ExportOptions options_;
    const std::string path_;
    std::mutex mutex_;
    std::condition_variable turned_;
    Turn turn_ = Turn::kWindow;  // all below belongs to whose turn it is
    Clock::time_point until_;
    std::uint64_t done_ = 0;
    std::uint64_t all_ = 0;
    bool cancelled_ = false;
    std::optional<Result<formats::ExportReport>> result_;
    std::thread thread_;
};

}  // namespace sla::workspace
