#include "viewer/capture_tools/capture_merge.h"

#include "viewer/capture_tools/merge_rows.h"
#include "viewer/capture_tools/merge_turns.h"
#include "viewer/capture_tools/merged_head.h"
#include "viewer/capture_tools/merged_recordings.h"
#include "viewer/capture_tools/notice.h"

#include <algorithm>
#include <filesystem>

namespace sla::capture_tools {

namespace {

class Merger {
public:
    Merger(MergeInputs inputs, MergedRecordings recordings, capture::CaptureWriter writer, std::string to_file)
        : inputs_(std::move(inputs)),
          recordings_(std::move(recordings)),
          writer_(std::move(writer)),
          to_file_(std::move(to_file)) {
        report_.remarks = recordings_.remarks;
        if (std::ranges::any_of(inputs_, [](const auto& input) { return input->has_own_times(); })) {
            known_ = 0;
            for (const auto& input : inputs_) known_ = std::max(known_, input->known());
        }
    }

    Result<MergeReport> run(const std::function<bool(double)>& progress);

private:
    Result<void> step(MergeInput& input);
    Result<void> send_watermark(std::uint64_t tick);
    Result<void> send_damage();
    Result<void> send_end();
    Result<void> send(const wire::Frame& frame) { return writer_.append(frame.SerializeAsString()); }

    MergeInputs inputs_;  // the first is the reference
    MergedRecordings recordings_;
    capture::CaptureWriter writer_;
    std::string to_file_;
    MergeTurns turns_{inputs_, recordings_};
    MergeRows rows_{inputs_, recordings_, writer_};
    // By the machine's clock; kNever: no source makes up its time.
    std::uint64_t known_ = store::kNever;
    std::uint64_t watermark_ = 0;
    MergeReport report_;
};

Result<void> Merger::step(MergeInput& input) {
    const std::optional<MergeInput::Item> item = input.next();
    if (input.is_damaged() && !input.is_part()) rows_.expect(input);
    if (!item) return rows_.end(input);
    if (!item->is_kept) return {};
    if (item->frame.what == ingest::FrameItem::What::kMessage) return send(item->frame.message);
    return rows_.send(input, *item);
}

Result<void> Merger::send_watermark(std::uint64_t tick) {
    if (tick <= watermark_) return {};
    watermark_ = tick;
    wire::Frame frame;
    frame.mutable_watermark()->set_tick(watermark_);
    return send(frame);
}

// What was wrong with the inputs and left no gap row, so that the merged file does not look whole.
Result<void> Merger::send_damage() {
    const auto report = [&](const std::string& text, bool pending) -> Result<void> {
        report_.remarks.push_back("damage: " + text);
        if (!pending) return {};
        return send(notice(watermark_, text, NoticeAbout::kDamage));
    };
    for (const std::string& missing : recordings_.missing) {  // loss rows stand for it
        report_.remarks.push_back("damage: " + missing);
        if (Result<void> sent = send(notice(watermark_, missing, NoticeAbout::kAnything)); !sent) return sent;
    }
    for (const auto& input : inputs_) {
        const std::vector<capture::Damage>& damage = input->reader().damage();
        if (!damage.empty()) {
            const std::string count = damage.size() == 1 ? "1 place" : std::to_string(damage.size()) + " places";
            const bool pending = rows_.leaves_pending(*input);
            Result<void> sent =
                report("'" + input->path() + "' is damaged in " + count + "; sla verify of it says more", pending);
            if (!sent) return sent;
        }
        if (input->reader().finished()) continue;
        if (Result<void> sent = report("'" + input->path() + "' was not finished", true); !sent) return sent;
    }
    return {};
}

// Silence at its end is known as far as any of the inputs is. Parts of one file know by it how far they have all of that file.
Result<void> Merger::send_end() {
    std::uint64_t known = watermark_;
    for (const auto& input : inputs_) known = std::max(known, input->known());
    if (Result<void> sent = send_watermark(known); !sent) return sent;
    std::uint64_t tick = std::max(watermark_, rows_.newest_tick());
    for (const auto& input : inputs_) tick = std::max(tick, input->end_tick());
    const auto& whole = recordings_.whole;
    if (whole && whole->file.id != 0 && !whole->file.to_its_end) tick = std::max(tick, whole->file_until);
    wire::Frame frame;
    frame.mutable_end()->set_tick(tick);
    frame.mutable_end()->set_reason("merged");
    return send(frame);
}

Result<MergeReport> Merger::run(const std::function<bool(double)>& progress) {
    for (const wire::Frame& frame : merged_head(inputs_, recordings_, report_.remarks)) {
        if (frame.has_hello()) rows_.begin_at(frame.hello().begin_tick());
        if (Result<void> sent = send(frame); !sent) return sent.error();
    }
    constexpr int kFramesPerLook = 64;
    for (int i = 0; turns_.reached() != store::kNever; ++i) {
        if (Result<void> sent = step(turns_.next()); !sent) return sent.error();
        const std::uint64_t reached = turns_.reached();
        if (reached == store::kNever) break;
        if (Result<void> sent = send_watermark(std::min(reached, known_)); !sent) return sent.error();
        if (i % kFramesPerLook == 0 && progress && !progress(turns_.share())) {
            return unavailable("stopped; '" + to_file_ + "' was not made");
        }
    }
    if (Result<void> sent = send_damage(); !sent) return sent.error();
    if (Result<void> sent = send_end(); !sent) return sent.error();
    if (Result<void> finished = writer_.finish(); !finished) return finished.error();
    report_.rows = rows_.rows();
    report_.missing = rows_.missing();
    return std::move(report_);
}

}  // namespace

Result<MergeReport> merge_captures(const std::vector<NamedFile>& files, const std::string& to_file,
                                   const std::function<bool(double)>& progress) {
    MergedIds ids;
    MergeInputs inputs;
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
    auto recordings = match_recordings(inputs, ids);
    if (!recordings) return recordings.error();
    auto writer = capture::CaptureWriter::create_hidden(to_file);
    if (!writer) return writer.error();
    return Merger(std::move(inputs), std::move(*recordings), std::move(*writer), to_file).run(progress);
}

}  // namespace sla::capture_tools
