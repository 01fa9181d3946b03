// sla record --trigger: one file with the windows of shots, of the running agent or of a program with an agent of its own.
#include "proto/base/runtime_dir.h"
#include "proto/capture/capture_writer.h"
#include "proto/common/trigger/doubts.h"
#include "proto/common/trigger/trigger_words.h"
#include "viewer/analysis/selection.h"
#include "viewer/capture_tools/capture_facts.h"
#include "viewer/capture_tools/shot_filter.h"
#include "viewer/cli/command.h"
#include "viewer/cli/commands/record/record.h"
#include "viewer/cli/commands/record/recorded_program.h"
#include "viewer/cli/commands/record/written_name.h"
#include "viewer/cli/input.h"
#include "viewer/cli/interrupt.h"
#include "viewer/ingest/request.h"
#include "viewer/ingest/stream_client.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace sla::cli {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Everything that both ways share: the agent's stream, the triggers, the file.
class ShotRecording {
public:
    ShotRecording(const RecordOptions& options, const wire::Address& agent)
        : options_(options), agent_(agent), client_(stream_of(agent)) {
        client_.keep_raw();
    }
    ~ShotRecording() {
        for (const std::string& name : set_) {
            wire::Request request;
            request.mutable_control_trigger()->set_name(name);
            request.mutable_control_trigger()->set_what(wire::ControlTrigger::REMOVE);
            static_cast<void>(ingest::send_request(agent_, request));  // an agent that is gone has no triggers
        }
    }
    ShotRecording(const ShotRecording&) = delete;
    ShotRecording& operator=(const ShotRecording&) = delete;

    // Listens to the agent, sets the triggers, opens the file: what was there under its name is replaced once the agent has
    // taken them all.
    Result<void> begin() {
        client_.start();
        if (const auto there = wait_for_agent(client_, agent_); !there.ok()) return there;
        if (const auto set = set_triggers(); !set.ok()) return set;
        auto writer = capture::CaptureWriter::create(options_.file);
        if (!writer.ok()) return writer.error();
        writer_.emplace(std::move(*writer));
        name_.emplace(options_.file);
        filter_.emplace(*writer_, pre_ns_ * 1000, set_);
        return {};
    }
    // What has arrived, into the file; as often as a flush is due, a look at whether the file is still there.
    void pour() {
        std::string message;
        while (failed_.ok() && client_.next_raw(message)) {
            failed_ = filter_->take(message);
            received_at_ = Clock::now();
        }
        if (!failed_.ok() || Clock::now() < flush_at_) return;
        failed_ = writer_->flush();
        if (kept_.ok()) kept_ = name_->look(options_.file);
        flush_at_ = Clock::now() + kFlushEvery;
    }
    void wait(milliseconds time) { client_.wait(time); }
    // Why a trigger may never fire, each word of it once: channels that nobody has yet.
    void report_problems() {
        for (const auto& [trigger, problem] : filter_->problems()) {
            if (problem.empty() || std::exchange(reported_[trigger], problem) == problem) continue;
            warn(problem);
        }
    }
    [[nodiscard]] bool over() const { return !failed_.ok() || !kept_.ok() || client_.drained(); }
    [[nodiscard]] bool has_all_shots() const { return wanted_ != 0 && filter_->shots() >= wanted_; }

    Result<void> finish(const std::string& reason) {
        pour();
        if (!failed_.ok()) return failed_;
        trouble_ = trouble_of(client_.report(), Clock::now() - received_at_);
        if (!trouble_.empty()) {
            warn(trouble_);
            if (const auto noted = filter_->note_damage(trouble_); !noted.ok()) return noted;
        }
        if (const auto ended = filter_->finish(trouble_.empty() ? reason : ""); !ended.ok()) return ended;
        if (const auto written = writer_->finish(); !written.ok()) return written;
        if (kept_.ok()) kept_ = name_->look(options_.file);
        if (kept_.ok()) remark(fmt::format("{} shots", filter_->shots()));
        return kept_;
    }
    // Once it is finished: nothing of the stream is missing.
    [[nodiscard]] bool is_whole() const { return trouble_.empty(); }
    void forget_triggers() { set_.clear(); }

private:
    static ingest::StreamOptions stream_of(const wire::Address& agent) {
        ingest::StreamOptions stream;
        stream.address = agent;
        stream.client = "sla record --trigger";
        stream.skip_history = true;
        return stream;
    }
    Result<void> set_triggers() {
        for (std::size_t i = 0; i < options_.triggers.size(); ++i) {
            wire::Request request;
            wire::SetTrigger& trigger = *request.mutable_set_trigger();
            trigger = options_.triggers[i];
            trigger.set_name(fmt::format("record-{}-{}", getpid(), i + 1));
            const auto window_pre =
                static_cast<std::int64_t>(static_cast<double>(trigger.window_ns()) * trigger.pre_share());
            pre_ns_ = std::max({pre_ns_, trigger.pre_ns(), window_pre});
            wanted_ += trigger.shots();
            if (const auto set = ingest::send_request(agent_, request); !set.ok()) return set;
            set_.insert(trigger.name());
        }
        if (std::any_of(options_.triggers.begin(), options_.triggers.end(),
                        [](const auto& one) { return one.shots() == 0; })) {
            wanted_ = 0;
        }
        return {};
    }

    const RecordOptions& options_;
    const wire::Address agent_;
    ingest::StreamClient client_;
    std::optional<capture::CaptureWriter> writer_;
    std::optional<capture_tools::ShotFilter> filter_;
    std::optional<WrittenName> name_;
    std::int64_t pre_ns_ = 0;    // how far before its tick a shot begins, at most
    std::set<std::string> set_;  // to be removed again
    std::map<std::string, std::string> reported_;
    std::uint64_t wanted_ = 0;  // 0: no end
    Result<void> failed_;
    Result<void> kept_;  // an error: its file is no more where it was
    Clock::time_point flush_at_ = Clock::now() + kFlushEvery;
    Clock::time_point received_at_ = Clock::now();
    std::string trouble_;  // what keeps it from being whole
};

// A trigger on a name with a slip in it never fires. An error: the file cannot be read.
Result<void> report_shots(const RecordOptions& options) {
    const auto facts = capture_tools::facts_of(options.file);
    if (!facts.ok()) return facts.error();
    const bool is_marked = !facts->channels.empty();
    report_summary(options.file, is_marked ? "no trigger fired, so that nothing was kept" : kNothingMarked);
    if (!is_marked || facts->events > 0) return {};
    for (const wire::SetTrigger& one : options.triggers) {
        const auto tree = trigger::parse(one);
        if (!tree.ok()) continue;
        for (const trigger::Name& name : trigger::channels_of(*tree)) {
            if (!is_there(name, facts->channels)) warn(analysis::unknown_channel(name.text, facts->channels).message);
        }
    }
    return {};
}

// Of a recording whose stream is over. An error: there is no file, or not one of all that was recorded.
Result<void> finish_and_report(ShotRecording& recording, const std::string& reason, const RecordOptions& options) {
    const auto finished = recording.finish(reason);
    return finished.ok() ? report_shots(options) : finished;
}

int record_from_agent(const RecordOptions& options) {
    const auto address = agent_address(options.address);
    if (!address.ok()) return complain(address.error());
    ShotRecording recording(options, *address);
    if (const auto begun = recording.begin(); !begun.ok()) return complain(begun.error());
    const auto until = options.end();
    while (interrupted() == 0 && Clock::now() < until && !recording.over() && !recording.has_all_shots()) {
        recording.wait(milliseconds(100));
        recording.pour();
        recording.report_problems();
    }
    const bool all = recording.has_all_shots();
    const auto finished = finish_and_report(recording, all ? "all shots are there" : "recording stopped", options);
    if (!finished.ok()) {
        complain(finished.error());
        return kOutsideFailed;
    }
    return recording.is_whole() ? kDone : kOutsideFailed;
}

int record_from_program(const RecordOptions& options) {
    auto recorded = RecordedProgram::prepare(options, "");
    if (!recorded.ok()) return complain(recorded.error());
    wire::Address address;
    address.path = recorded->agent().runtime_dir() + "/" SLA_AGENT_SOCKET;
    ShotRecording recording(options, address);
    if (const auto begun = recording.begin(); !begun.ok()) return complain(begun.error());
    if (const auto begun = recorded->begin(); !begun.ok()) return complain(begun.error());
    // A program needs a moment until it has its channels; of one that is over before report_shots() tells.
    const auto has_begun = Clock::now() + std::chrono::seconds(1);
    const ProgramEnd end = run_to_end(recorded->program(), recorded->agent(), options, [&] {
        recording.pour();
        if (Clock::now() >= has_begun) recording.report_problems();
    });
    recording.forget_triggers();
    const auto agent_ended = recorded->agent().finish();
    if (!agent_ended.ok()) complain(agent_ended.error());
    for (const auto until = Clock::now() + std::chrono::seconds(10); !recording.over() && Clock::now() < until;) {
        recording.pour();
        recording.wait(milliseconds(20));
    }
    const auto finished = finish_and_report(recording, "the agent is gone", options);
    if (!finished.ok()) complain(finished.error());
    const bool is_whole = agent_ended.ok() && finished.ok() && recording.is_whole();
    return code_of(end, options, is_whole ? kDone : kOutsideFailed);
}

}  // namespace

int record_shots(const RecordOptions& options) {
    return options.program.empty() ? record_from_agent(options) : record_from_program(options);
}

}  // namespace sla::cli
