// The two ways to record, behind one command.
#pragma once

#include "proto/capture/pieces/capture_series.h"
#include "proto/wire/address.h"
#include "proto/wire/control.pb.h"
#include "viewer/process/child.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sla::ingest {
struct StreamReport;
class StreamClient;
}  // namespace sla::ingest

namespace sla::cli {

struct RecordOptions {
    std::string file;
    std::optional<std::int64_t> for_ps;
    capture::SeriesLimits rotation;
    std::string rotate;                      // its text, as typed
    std::uint64_t ring_slots = 0;            // 0: the marker library chooses
    std::vector<std::string> program;        // empty: from the running agent
    std::string address;                     // of that agent
    std::vector<wire::SetTrigger> triggers;  // record shots only
    std::string linux_events;                // the private agent traces this machine's kernel; empty: it does not
    std::vector<std::string> uprobes;        // functions it hooks, as sla-agent reads them
    std::vector<std::string> watches;        // variables, as sla-agent reads them
    std::vector<std::string> samples;        // likewise
    std::vector<std::uint32_t> pids;         // kernel events of these processes and their children only
    bool follow = false;                     // kernel events of the program and its children only
    std::string linux_buffer;                // of the kernel, for each CPU, as sla-agent reads it

    std::set<std::string> earlier_files;  // of a series of this name that was there before

    // That it has written, in order.
    [[nodiscard]] std::vector<std::string> recorded_files() const;
    // When its time is over, if it began now.
    [[nodiscard]] std::chrono::steady_clock::time_point end() const {
        using Clock = std::chrono::steady_clock;
        return for_ps ? Clock::now() + std::chrono::microseconds(*for_ps / 1'000'000) : Clock::time_point::max();
    }
    // Something of this machine is wanted beside the marked program.
    [[nodiscard]] bool traces_host() const {
        return !linux_events.empty() || !uprobes.empty() || !watches.empty() || !samples.empty();
    }
};

class PrivateAgent;

// What a private agent is started with for this recording, beside the file.
std::vector<std::string> agent_options(const RecordOptions& options);

// Watches without a process need a program.
Result<void> check_watches(const RecordOptions& options);

// A private agent, the program (or, with kernel events, only the time asked for), the file. The exit code.
int record_program(const RecordOptions& options);
// What the running agent sends, into the file. The exit code.
int record_stream(const RecordOptions& options);

// Only what lies in the windows of shots, from either. The exit code.
int record_shots(const RecordOptions& options);

// Until the agent answers; no file is made before. An error: it does not, or somebody stopped the waiting.
Result<void> wait_for_agent(ingest::StreamClient& client, const wire::Address& address);

// What a crash may cost of a stream that is recorded.
inline constexpr std::chrono::seconds kFlushEvery{1};

// What keeps the recording of a stream from being whole, which said nothing for so long at its end; "" when nothing does.
std::string trouble_of(const ingest::StreamReport& report, std::chrono::steady_clock::duration silence);

struct ProgramEnd {
    process::Ending ending;
    bool by_time = false;  // --for was over, so it was asked to end
};

// Waits for the program; passes signals on, ends it when its time is over. `meanwhile` (may be empty) is called ten times a
// second.
ProgramEnd run_to_end(process::Child& program, PrivateAgent& agent, const RecordOptions& options,
                      const std::function<void()>& meanwhile);

// Says how the program ended, unless all went well. The exit code of `sla record`: the program's own, 128 + n when signal n
// ended it; of one that ended as it should, `recorded`.
int code_of(const ProgramEnd& end, const RecordOptions& options, int recorded);

inline constexpr const char* kNothingMarked =
    "nothing was marked: does the program use sla/marker.h, and is it built without SLA_DISABLE?";
// What was recorded and what to type next, on stderr; of a file without events why that may be. Its events.
std::uint64_t report_summary(const std::string& file, const char* when_empty = kNothingMarked);
// The same of a recording that may have gone through several files. `why_empty`: what is known of why it is; null: nothing.
std::uint64_t report_recorded(const RecordOptions& options, const char* why_empty = nullptr);

}  // namespace sla::cli
