#include "viewer/workspace/jobs/export_job.h"

#include "viewer/analysis/event_walk.h"
#include "viewer/ingest/caches.h"

#include <atomic>
#include <new>
#include <utility>
#include <vector>

namespace sla::workspace {

struct ExportJob::State {
    std::atomic<std::uint64_t> done = 0;
    std::atomic<std::uint64_t> all = 0;
    std::uint64_t whole_until = 0;  // the job's while it runs
    // The job's while it runs; what stands here first is of one that was cancelled before it began.
    Result<formats::ExportReport> result = unavailable("the export was stopped");
};

namespace {

// The lanes of another session, and nothing that may still change its place.
analysis::Selection in_view(const store::Session& reader, analysis::Selection selection,
                            const std::vector<ChannelId>& channels) {
    selection.lanes.clear();
    for (const ChannelId channel : channels) selection.lanes.push_back(reader.lane(channel));
    const auto last = analysis::last_final_tick(reader, selection);
    selection.until = !last ? 0 : *last == store::kNever ? store::kNever : *last + 1;
    return selection;
}

// All of a session, in a format that holds values and texts too.
bool is_whole(const store::Session& session, const analysis::Selection& selection, formats::ExportFormat format) {
    return selection.lanes.size() == session.lanes().size() && selection.from == 0 && selection.until == store::kNever &&
           !selection.filter && format != formats::ExportFormat::kSr;
}

std::uint64_t events_of(const analysis::Selection& selection) {
    std::uint64_t events = 0;
    for (const store::Lane* lane : selection.lanes) events += lane->summarize(selection.from, selection.until).events;
    return events;
}

}  // namespace

ExportJob::ExportJob(const store::Session& session, const analysis::Selection& selection,
                     const formats::ExportOptions& options, std::string path)
    : path_(std::move(path)), state_(std::make_shared<State>()) {
    std::vector<ChannelId> channels;
    for (const store::Lane* lane : selection.lanes) channels.push_back(lane->channel().id);
    const bool is_all = is_whole(session, selection, options.format);
    job_ = JobRunner::shared().start("exporting", [state = state_, view = session.view(), selection, channels, options,
                                                   path = path_, is_all](JobRunner::Control& control) {
        const auto progress = [&](std::uint64_t done, std::uint64_t all) {
            state->done = done;
            state->all = all;
            return !control.is_cancelled();
        };
        try {
            store::Session reader;
            view.open(reader, ingest::kWalkCache);
            const analysis::Selection rows = in_view(reader, selection, channels);
            state->result = formats::export_capture(reader, rows, options, path, progress);
            if (state->result.ok() && is_all) state->whole_until = events_of(rows);
        } catch (const std::bad_alloc&) {
            state->result = unavailable("there is not enough memory to export to " + path);
        }
    });
}

std::uint64_t ExportJob::done() const {
    return state_->done;
}

std::uint64_t ExportJob::all() const {
    return state_->all;
}

const Result<formats::ExportReport>* ExportJob::result() const {
    return job_.is_running() ? nullptr : &state_->result;
}

std::uint64_t ExportJob::whole_until() const {
    return job_.is_running() ? 0 : state_->whole_until;
}

const Result<formats::ExportReport>* ExportJob::take_ending() {
    if (job_.is_running() || std::exchange(is_ending_taken_, true)) return nullptr;
    return job_.is_cancelled() ? nullptr : &state_->result;
}

}  // namespace sla::workspace
