#include "viewer/capture_tools/capture_merge.h"

#include "proto/wire/clock_codec.h"
#include "proto/wire/version.h"
#include "viewer/capture_tools/merge_input.h"
#include "viewer/capture_tools/notice.h"
#include "viewer/capture_tools/row_sender.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace sla::capture_tools {

namespace {

class Merger {
public:
    Merger(std::vector<std::unique_ptr<MergeInput>> inputs, capture::CaptureWriter writer, std::string to_file)
        : inputs_(std::move(inputs)), writer_(std::move(writer)), to_file_(std::move(to_file)) {}

    Result<MergeReport> run(const std::function<bool(double)>& progress);

private:
    Result<void> send_hello();
    Result<void> write_clocks();
    Result<void> send_hosts();
    Result<void> step(MergeInput& input);
    Result<void> send_watermark();
    Result<void> send_damage();
    [[nodiscard]] bool leaves_pending(const MergeInput& input) const;
    Result<void> send_end();
    [[nodiscard]] MergeInput& furthest_behind() const;
    [[nodiscard]] double share() const;
    Result<void> send(const wire::Frame& frame) { return writer_.append(frame.SerializeAsString()); }

    std::vector<std::unique_ptr<MergeInput>> inputs_;  // the first is the reference
    capture::CaptureWriter writer_;
    std::string to_file_;
    RowSender sender_{writer_};
    std::map<const MergeInput*, std::uint64_t> missing_in_;  // rows of each for which a gap row stands
    std::uint64_t watermark_ = 0;
    MergeReport report_;
};

Result<void> Merger::send_hello() {
    wire::Frame frame;
    wire::Hello& hello = *frame.mutable_hello();
    const store::Origin& origin = inputs_.front()->names().origin();
    hello.set_version(wire::kWireVersion);
    hello.set_agent(origin.agent);
    hello.set_host(origin.host);
    hello.set_agent_pid(origin.agent_pid);
    std::uint64_t id = 1;
    std::uint64_t start = store::kNever;
    std::uint64_t begin = store::kNever;
    for (const auto& input : inputs_) {
        id = id * 0x9e3779b97f4a7c15ULL + input->names().origin().capture_id;
        start = std::min(start, input->start());
        begin = std::min(begin, input->begin());
    }
    hello.set_capture_id(id);
    hello.set_start_tick(start);
    if (begin > start) hello.set_begin_tick(begin);
    return send(frame);
}

// In the file and to the person who merges: what the times of different inputs mean to each other.
Result<void> Merger::write_clocks() {
    for (const auto& input : inputs_) {
        if (input == inputs_.front()) continue;
        std::string text = "'" + input->path() + "': stamped by the same counter as '" + inputs_.front()->path() + "'";
        if (!input->clock().same_clock()) {
            text = "'" + input->path() + "': another machine or boot than '" + inputs_.front()->path() + "', " +
                   input->clock().text();
        }
        report_.remarks.push_back(text);
        if (Result<void> sent = send(notice(0, text, NoticeAbout::kAnything)); !sent) return sent;
    }
    return {};
}

// One host for all files of a recording; how well its stamps were moved is said before any of them.
Result<void> Merger::send_hosts() {
    std::map<std::uint32_t, std::pair<const MergeInput*, time::HostErrors>> hosts;
    for (const auto& input : inputs_) {
        const std::uint32_t id = input->host_id();
        if (id == 0) continue;
        const time::HostErrors& errors = input->clock().errors();
        auto& [newest, all] = hosts.try_emplace(id, input.get(), time::HostErrors{}).first->second;
        newest = input.get();
        all.steps.insert(all.steps.end(), errors.steps.begin(), errors.steps.end());
        all.jumps.insert(all.jumps.end(), errors.jumps.begin(), errors.jumps.end());
        all.is_bounded = all.is_bounded && errors.is_bounded;
        all.stretch_ppb = std::max(all.stretch_ppb, errors.stretch_ppb);
    }
    for (auto& [id, one] : hosts) {
        auto& [input, errors] = one;
        std::stable_sort(errors.steps.begin(), errors.steps.end(),
                         [](const auto& a, const auto& b) { return a.tick < b.tick; });
        wire::Frame frame;
        wire::Host& host = *frame.mutable_host();
        host.set_id(id);
        host.set_name(input->names().origin().host);
        host.set_boot_id(input->names().origin().boot_id);
        host.set_placed_by(input->clock().placed_by());
        wire::fill_errors(errors, host);
        wire::fill_wall(input->names().wall().newest(), *host.mutable_wall());
        if (Result<void> sent = send(frame); !sent) return sent;
    }
    return {};
}

MergeInput& Merger::furthest_behind() const {
    return **std::min_element(inputs_.begin(), inputs_.end(),
                              [](const auto& a, const auto& b) { return a->reached() < b->reached(); });
}

Result<void> Merger::step(MergeInput& input) {
    ingest::FrameItem item;
    bool keep = false;
    if (!input.next(item, keep) || !keep) return {};
    if (item.what == ingest::FrameItem::What::kMessage) return send(item.message);
    if (item.batch.ticks.back() > SLA_TICK_MASK) {
        return damaged("'" + input.path() + "': its ticks do not fit into the other capture's time");
    }
    const std::uint64_t missing = sender_.missing();
    Result<void> sent = sender_.send(item.batch, 0, item.batch.size());
    missing_in_[&input] += sender_.missing() - missing;
    return sent;
}

Result<void> Merger::send_watermark() {
    const std::uint64_t reached = furthest_behind().reached();
    if (reached <= watermark_ || reached == store::kNever) return {};
    watermark_ = reached;
    wire::Frame frame;
    frame.mutable_watermark()->set_tick(watermark_);
    return send(frame);
}

// Rows of it are gone and no gap row stands for them: at its edges, or nobody knows how many. What another file of the same
// recording has is not gone.
bool Merger::leaves_pending(const MergeInput& input) const {
    const auto same = [&](const auto& other) { return other->recording() == input.recording(); };
    const bool alone = std::count_if(inputs_.begin(), inputs_.end(), same) == 1;
    std::uint64_t gone = 0;
    for (const capture::Damage& damage : input.reader().damage()) {
        if (damage.is_pending()) return true;
        for (const capture::LostRows& lost : damage.lost) gone += lost.rows;
    }
    const auto reported = missing_in_.find(&input);
    return alone && gone > (reported == missing_in_.end() ? 0 : reported->second);
}

// What was wrong with the inputs and left no gap row, so that the merged file does not look whole.
Result<void> Merger::send_damage() {
    const auto report = [&](const std::string& text, bool pending) -> Result<void> {
        report_.remarks.push_back("damage: " + text);
        if (!pending) return {};
        return send(notice(watermark_, text, NoticeAbout::kDamage));
    };
    for (const auto& input : inputs_) {
        const std::vector<capture::Damage>& damage = input->reader().damage();
        if (!damage.empty()) {
            const std::string count = damage.size() == 1 ? "1 place" : std::to_string(damage.size()) + " places";
            const bool pending = leaves_pending(*input);
            Result<void> sent =
                report("'" + input->path() + "' is damaged in " + count + "; sla verify of it says more", pending);
            if (!sent) return sent;
        }
        if (input->reader().finished()) continue;
        if (Result<void> sent = report("'" + input->path() + "' was not finished", true); !sent) return sent;
    }
    return {};
}

Result<void> Merger::send_end() {
    wire::Frame frame;
    frame.mutable_end()->set_tick(watermark_);
    frame.mutable_end()->set_reason("merged");
    return send(frame);
}

double Merger::share() const {
    double done = 0;
    double all = 1;
    for (const auto& input : inputs_) {
        done += static_cast<double>(input->reader().position());
        all += static_cast<double>(input->reader().file_bytes());
    }
    return done / all;
}

Result<MergeReport> Merger::run(const std::function<bool(double)>& progress) {
    if (Result<void> sent = send_hello(); !sent) return sent.error();
    if (Result<void> sent = send_hosts(); !sent) return sent.error();
    if (Result<void> sent = write_clocks(); !sent) return sent.error();
    constexpr int kFramesPerLook = 64;
    for (int i = 0; furthest_behind().reached() != store::kNever; ++i) {
        if (Result<void> sent = step(furthest_behind()); !sent) return sent.error();
        if (Result<void> sent = send_watermark(); !sent) return sent.error();
        if (i % kFramesPerLook == 0 && progress && !progress(share())) {
            return unavailable("stopped; '" + to_file_ + "' was not made");
        }
    }
    if (Result<void> sent = send_damage(); !sent) return sent.error();
    if (Result<void> sent = send_end(); !sent) return sent.error();
    if (Result<void> finished = writer_.finish(); !finished) return finished.error();
    report_.rows = sender_.rows();
    report_.missing = sender_.missing();
    return std::move(report_);
}

}  // namespace

Result<MergeReport> merge_captures(const std::vector<NamedFile>& files, const std::string& to_file,
                                   const std::function<bool(double)>& progress) {
    MergedIds ids;
    std::vector<std::unique_ptr<MergeInput>> inputs;
    for (const NamedFile& file : files) {
        std::error_code ignored;
        if (std::filesystem::equivalent(file.path, to_file, ignored))
            return invalid_input("'" + to_file + "' is one of the captures to merge; name another file");
        auto input = MergeInput::open(file, inputs.size() + 1);
        if (!input) return input.error();
        inputs.push_back(std::move(*input));
    }
    const auto began = [](const auto& input) {
        const time::ClockMap& clock = input->names().clock();
        return std::pair(clock.origin_realtime_ns(), input->names().origin().start_tick);
    };
    std::stable_sort(inputs.begin(), inputs.end(), [&](const auto& a, const auto& b) { return began(a) < began(b); });
    for (const auto& input : inputs) {
        if (Result<void> matched = input->match(*inputs.front(), ids); !matched) return matched.error();
    }
    auto writer = capture::CaptureWriter::create_hidden(to_file);
    if (!writer) return writer.error();
    return Merger(std::move(inputs), std::move(*writer), to_file).run(progress);
}

}  // namespace sla::capture_tools
