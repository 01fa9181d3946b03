#include "viewer/capture_tools/capture_merge.h"

#include "proto/wire/batch_cut.h"
#include "viewer/capture_tools/edge_state.h"
#include "viewer/capture_tools/merged_head.h"
#include "viewer/capture_tools/merged_recordings.h"
#include "viewer/capture_tools/notice.h"
#include "viewer/capture_tools/row_sender.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

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
    void expect_rows(MergeInput& input);
    Result<void> end(MergeInput& input);
    Result<void> end_damaged(MergeInput& input);
    Result<void> send_end_of(MergeInput& input, const RowSender::Promised& promised);
    [[nodiscard]] ingest::KnownRows::Missing missing(ChannelId channel, std::uint64_t first, std::uint64_t end);
    [[nodiscard]] bool may_have_others_before(const MergeInput& input) const;
    Result<void> send_held(const wire::EventBatch& batch, std::size_t begin, std::size_t end);
    Result<void> send_watermark(std::uint64_t tick);
    Result<void> send_damage();
    [[nodiscard]] bool leaves_pending(const MergeInput& input) const;
    Result<void> send_end();
    [[nodiscard]] MergeInput& furthest_behind() const;
    [[nodiscard]] bool may_go_on(const MergeInput& input) const;
    [[nodiscard]] MergeInput& next_input() const;
    [[nodiscard]] double share() const;
    Result<void> send(const wire::Frame& frame) { return writer_.append(frame.SerializeAsString()); }

    MergeInputs inputs_;  // the first is the reference
    MergedRecordings recordings_;
    capture::CaptureWriter writer_;
    std::string to_file_;
    MergeInput* source_ = nullptr;  // of the rows that are sent
    RowSender sender_{
        writer_, [this](ChannelId channel, std::uint64_t first, std::uint64_t end) { return missing(channel, first, end); }};
    std::set<const MergeInput*> expected_;  // damaged ones, of which the sender knows where their channels begin
    std::set<ChannelId> whole_;             // those of them that have a first row
    std::map<const MergeInput*, std::uint64_t> missing_in_;  // rows of each for which a gap row stands
    std::uint64_t begin_ = 0;                                // rows before this only tell what held there
    // By the machine's clock; kNever: no source makes up its time.
    std::uint64_t known_ = store::kNever;
    std::uint64_t watermark_ = 0;
    MergeReport report_;
};

// The rows of a part come behind all of those that it follows on, also where these reach into its time.
bool Merger::may_go_on(const MergeInput& input) const {
    const auto behind = recordings_.behind.find(&input);
    if (behind == recordings_.behind.end() || (input.is_part() && !input.follows_others())) return true;
    return std::all_of(behind->second.begin(), behind->second.end(),
                       [](const MergeInput* before) { return before->reached() == store::kNever; });
}

// That which is furthest behind of those that may; all but the first parts wait for others, never in a circle.
MergeInput& Merger::next_input() const {
    MergeInput* next = nullptr;
    for (const auto& input : inputs_) {
        if (!may_go_on(*input) || (next != nullptr && next->reached() <= input->reached())) continue;
        next = input.get();
    }
    return *next;
}

MergeInput& Merger::furthest_behind() const {
    return **std::min_element(inputs_.begin(), inputs_.end(),
                              [](const auto& a, const auto& b) { return a->reached() < b->reached(); });
}

Result<void> Merger::step(MergeInput& input) {
    const std::optional<MergeInput::Item> item = input.next();
    if (input.is_damaged() && !input.is_part()) expect_rows(input);
    if (!item) return end(input);
    if (!item->is_kept) return {};
    if (item->frame.what == ingest::FrameItem::What::kMessage) return send(item->frame.message);
    const wire::EventBatch& batch = item->frame.batch;
    if (batch.ticks.back() > SLA_TICK_MASK) {
        return damaged("'" + input.path() + "': its ticks do not fit into the other capture's time");
    }
    if (!item->counts) return send_held(batch, 0, batch.size());
    if (batch.first_index > 0 && !whole_.contains(batch.channel)) sender_.begin_late(batch.channel);
    std::size_t begin = item->begin;
    if (input.held_until() > begin_) {
        const auto held = std::lower_bound(batch.ticks.begin(), batch.ticks.end(), input.held_until()) - batch.ticks.begin();
        begin = std::max(begin, std::min(static_cast<std::size_t>(held), item->end));
        if (Result<void> sent = send_held(batch, item->begin, begin); !sent) return sent;
    }
    const std::uint64_t missing = sender_.missing();
    source_ = &input;
    Result<void> sent = sender_.send(batch, begin, item->end, input.numbering());
    missing_in_[&input] += sender_.missing() - missing;
    return sent;
}

// Rows [begin, end), which only told what held where their part begins. Where the whole begins before it they would count as
// events: of these only losses and the begins of spans stay, which count as they are.
Result<void> Merger::send_held(const wire::EventBatch& batch, std::size_t begin, std::size_t end) {
    const auto is_left_out = [&](std::size_t row) {
        return batch.ticks[row] >= begin_ && holds_until_next(wire::kind_of(batch.codes[row]));
    };
    for (std::size_t row = begin; row < end; ++row) {
        if (is_left_out(row)) sender_.begin_late(batch.channel);
    }
    for (std::size_t row = begin; row < end; ++row) {
        if (is_left_out(row)) continue;
        if (Result<void> sent = sender_.send_states(wire::rows_at(batch, row, row + 1)); !sent) return sent;
    }
    return {};
}

// Some other file of the same numbers is not known to come behind it.
bool Merger::may_have_others_before(const MergeInput& input) const {
    return std::ranges::any_of(inputs_, [&](const auto& other) {
        if (other.get() == &input || other->numbering() != input.numbering()) return false;
        const auto behind = recordings_.behind.find(other.get());
        return behind == recordings_.behind.end() || std::ranges::count(behind->second, &input) == 0;
    });
}

// The first rows of its channels may be damaged.
void Merger::expect_rows(MergeInput& input) {
    if (!expected_.insert(&input).second || may_have_others_before(input)) return;
    for (const auto& [channel, extent] : input.extents()) {
        sender_.begin_at(channel, extent.first_ordinal, extent.first_tick, input.numbering());
        if (extent.first_ordinal == 0) whole_.insert(channel);
    }
}

// Of rows between two files of a recording either may know.
ingest::KnownRows::Missing Merger::missing(ChannelId channel, std::uint64_t first, std::uint64_t end) {
    ingest::KnownRows::Missing best = source_->missing(channel, first, end);
    for (const auto& other : inputs_) {
        const bool may_know = other->is_damaged() && other.get() != source_ && other->numbering() == source_->numbering();
        if (best.unknown_rows == 0 || !may_know) continue;
        ingest::KnownRows::Missing known = other->missing(channel, first, end);
        if (known.unknown_rows < best.unknown_rows) best = std::move(known);
    }
    return best;
}

Result<void> Merger::send_end_of(MergeInput& input, const RowSender::Promised& promised) {
    const std::uint64_t missing = sender_.missing();
    source_ = &input;
    Result<void> sent = sender_.end(promised, input.numbering());
    missing_in_[&input] += sender_.missing() - missing;
    return sent;
}

Result<void> Merger::end_damaged(MergeInput& input) {
    for (const auto& [channel, extent] : input.extents()) {
        sender_.begin_at(channel, extent.first_ordinal, extent.first_tick, input.numbering());  // of which no row came
        const RowSender::Promised promised{channel, extent.next_ordinal, extent.first_tick, extent.last_tick};
        if (Result<void> sent = send_end_of(input, promised); !sent) return sent;
    }
    return {};
}

// What others of the same numbers have is not missing: of these the last one to end tells it for all.
Result<void> Merger::end(MergeInput& input) {
    for (const RowSender::Promised& promised : input.promised()) {
        if (Result<void> sent = send_end_of(input, promised); !sent) return sent;
    }
    const auto is_same = [&](const auto& other) { return !other->is_part() && other->numbering() == input.numbering(); };
    const auto goes_on = [&](const auto& other) { return is_same(other) && other->reached() != store::kNever; };
    if (std::ranges::any_of(inputs_, goes_on)) return {};
    for (const auto& other : inputs_) {
        if (!is_same(other) || !other->is_damaged()) continue;
        if (Result<void> sent = end_damaged(*other); !sent) return sent;
    }
    return {};
}

Result<void> Merger::send_watermark(std::uint64_t tick) {
    if (tick <= watermark_) return {};
    watermark_ = tick;
    wire::Frame frame;
    frame.mutable_watermark()->set_tick(watermark_);
    return send(frame);
}

// Rows of it are gone and no gap row stands for them: at its edges, or nobody knows how many. What another file of the same
// recording has is not gone.
bool Merger::leaves_pending(const MergeInput& input) const {
    const auto same = [&](const auto& other) { return other->numbering() == input.numbering(); };
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
    for (const std::string& missing : recordings_.missing) {  // loss rows stand for it
        report_.remarks.push_back("damage: " + missing);
        if (Result<void> sent = send(notice(watermark_, missing, NoticeAbout::kAnything)); !sent) return sent;
    }
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

// Silence at its end is known as far as any of the inputs is. Parts of one file know by it how far they have all of that file.
Result<void> Merger::send_end() {
    std::uint64_t known = watermark_;
    for (const auto& input : inputs_) known = std::max(known, input->known());
    if (Result<void> sent = send_watermark(known); !sent) return sent;
    std::uint64_t tick = std::max(watermark_, sender_.newest_tick());
    for (const auto& input : inputs_) tick = std::max(tick, input->end_tick());
    const auto& whole = recordings_.whole;
    if (whole && whole->file.id != 0 && !whole->file.to_its_end) tick = std::max(tick, whole->file_until);
    wire::Frame frame;
    frame.mutable_end()->set_tick(tick);
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
    for (const wire::Frame& frame : merged_head(inputs_, recordings_, report_.remarks)) {
        if (frame.has_hello()) begin_ = frame.hello().begin_tick();
        if (Result<void> sent = send(frame); !sent) return sent.error();
    }
    constexpr int kFramesPerLook = 64;
    for (int i = 0; furthest_behind().reached() != store::kNever; ++i) {
        if (Result<void> sent = step(next_input()); !sent) return sent.error();
        const std::uint64_t reached = furthest_behind().reached();
        if (reached == store::kNever) break;
        if (Result<void> sent = send_watermark(std::min(reached, known_)); !sent) return sent.error();
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
