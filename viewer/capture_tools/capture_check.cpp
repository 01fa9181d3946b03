#include "viewer/capture_tools/capture_check.h"

#include "proto/base/how_many.h"
#include "proto/capture/capture_index.h"
#include "proto/capture/capture_reader.h"
#include "viewer/capture_tools/row_ledger.h"
#include "viewer/ingest/frame_applier.h"
#include "viewer/ingest/frame_item.h"
#include "viewer/ingest/known_rows.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace sla::capture_tools {

namespace {

constexpr std::size_t kMaxFindings = 100'000;

// Where rows are missing by their ordinals.
struct Hole {
    std::uint64_t offset = 0;
    ChannelId channel;
    std::uint64_t first_index = 0;
    std::uint64_t rows = 0;
    std::uint64_t from_tick = 0;
    std::uint64_t until_tick = 0;
    std::string what;
};

class Checker {
public:
    Checker(capture::CaptureReader reader, std::string path) : reader_(std::move(reader)), path_(std::move(path)) {}

    Result<CheckReport> run(const std::function<bool(double)>& progress);

private:
    void take(std::string_view frame);
    void take_batch(const wire::EventBatch& batch);
    void compare_with_index();
    void note(ChannelId channel, std::string what, std::uint64_t first_index, std::uint64_t rows, std::uint64_t from,
              std::uint64_t until);
    void report_damage(const capture::Damage& damage, CheckReport& report);
    void expect_by_index();
    void note_missing_ends();
    [[nodiscard]] std::uint64_t rows_reported_of(const Hole& hole);
    void report_hole(const Hole& hole, CheckReport& report);
    [[nodiscard]] std::string name_of(ChannelId channel) const;
    CheckReport report();

    capture::CaptureReader reader_;
    std::string path_;
    store::Session session_;  // names and clocks; no events
    ingest::FrameApplier applier_{session_};
    std::map<ChannelId, RowLedger> ledgers_;
    std::optional<ingest::KnownRows> promised_;  // where something is damaged, by the index
    std::vector<Hole> holes_;
    std::uint64_t more_holes_ = 0;  // than are listed
    std::uint64_t more_rows_ = 0;   // that are missing there
    // By damaged chunks' summaries: rows, by the channel and the first of them.
    std::map<std::pair<ChannelId, std::uint64_t>, std::uint64_t> reported_;
    std::size_t damage_known_ = 0;  // of the reader's, what is in it
    std::uint64_t first_tick_ = store::kNever;
    std::uint64_t newest_tick_ = 0;
    bool index_made_anew_ = false;
};

void Checker::note(ChannelId channel, std::string what, std::uint64_t first_index, std::uint64_t rows, std::uint64_t from,
                   std::uint64_t until) {
    Hole hole{reader_.position(), channel, first_index, rows, from, until, std::move(what)};
    if (holes_.size() < kMaxFindings) {
        holes_.push_back(std::move(hole));
        return;
    }
    const std::uint64_t reported = rows_reported_of(hole);
    if (reported == rows && rows > 0) return;
    ++more_holes_;
    more_rows_ += rows - reported;
}

void Checker::take_batch(const wire::EventBatch& batch) {
    if (session_.lane(batch.channel) == nullptr) {
        return note(batch.channel, "events of a channel that was never announced", batch.first_index, batch.size(),
                    batch.ticks.front(), batch.ticks.back());
    }
    const RowLedger::Step step = ledgers_[batch.channel].take(batch);
    if (step.missing > 0) {
        note(batch.channel, "rows are missing", batch.first_index - step.missing, step.missing, step.from_tick,
             batch.ticks.front());
    }
    if (step.known > 0) {
        note(batch.channel, std::to_string(step.known) + " rows came twice", batch.first_index, 0, batch.ticks.front(),
             batch.ticks.back());
    }
    if (step.back)
        note(batch.channel, "ticks go back", batch.first_index, batch.size(), batch.ticks.front(), step.from_tick);
    first_tick_ = std::min(first_tick_, batch.ticks.front());
    newest_tick_ = std::max(newest_tick_, batch.ticks.back());
}

void Checker::take(std::string_view frame) {
    const ingest::FrameItem item = ingest::decode_frame(frame);
    switch (item.what) {
        case ingest::FrameItem::What::kBatch: return take_batch(item.batch);
        case ingest::FrameItem::What::kDamage: return note({}, item.damage, 0, 0, 0, 0);
        default: applier_.apply(item);
    }
}

// A finished file's index says the same as its rows.
void Checker::compare_with_index() {
    const auto index = capture::CaptureIndex::open(path_);
    if (!index.ok()) return note({}, index.error().message, 0, 0, 0, 0);
    index_made_anew_ = index->made_anew();
    if (index->made_anew()) return;
    for (const capture::CaptureIndex::Lane& lane : index->lanes()) {
        capture::LaneSummary sum;
        for (const capture::LaneSummary& summary : lane.summaries) sum.absorb(summary);
        const RowLedger& ledger = ledgers_[lane.channel];
        const bool same =
            sum.opaque || (sum.rows == ledger.rows() && sum.gap_rows == ledger.gap_rows() && sum.lost == ledger.lost());
        if (same || !reader_.damage().empty()) continue;
        note(lane.channel,
             "the index counts " + std::to_string(sum.rows) + " rows, there are " + std::to_string(ledger.rows()), 0, 0, 0,
             0);
    }
}

std::string Checker::name_of(ChannelId channel) const {
    const store::Lane* lane = session_.lane(channel);
    return lane == nullptr ? "channel " + std::to_string(channel.value) : lane->channel().name;
}

// What is damaged may have had names and a channel's first or last rows.
void Checker::expect_by_index() {
    promised_.emplace();
    auto opened = capture::CaptureIndex::open(path_);
    if (!opened.ok() || !ingest::is_of_one_agent(*opened)) return;
    const auto index = std::make_shared<const capture::CaptureIndex>(std::move(opened).value());
    promised_->add(index);
    applier_.expect(index);
    for (const auto& [channel, extent] : promised_->extents())
        ledgers_[channel].start_at(extent.first_ordinal, extent.first_tick);
}

void Checker::note_missing_ends() {
    if (!promised_) return;
    for (const auto& [channel, extent] : promised_->extents()) {
        const RowLedger& ledger = ledgers_[channel];
        const std::uint64_t missing = ledger.missing_of(extent.next_ordinal);
        if (missing == 0) continue;
        note(channel, "rows are missing", extent.next_ordinal - missing, missing, ledger.last_tick(), extent.last_tick);
    }
}

std::uint64_t Checker::rows_reported_of(const Hole& hole) {
    for (; damage_known_ < reader_.damage().size(); ++damage_known_) {
        for (const capture::LostRows& lost : reader_.damage()[damage_known_].lost)
            reported_[{lost.channel, lost.first_index}] += lost.rows;
    }
    std::uint64_t reported = 0;
    const auto end = reported_.lower_bound({hole.channel, hole.first_index + hole.rows});
    for (auto at = reported_.lower_bound({hole.channel, hole.first_index}); at != end; ++at) reported += at->second;
    return std::min(reported, hole.rows);
}

void Checker::report_damage(const capture::Damage& damage, CheckReport& report) {
    Finding finding;
    finding.offset = damage.offset;
    finding.bytes = damage.bytes;
    finding.chunk = damage.chunk;
    finding.what = damage.what;
    finding.harmless = damage.harmless;
    if (damage.lost.empty()) report.findings.push_back(finding);
    for (const capture::LostRows& lost : damage.lost) {
        finding.channel = name_of(lost.channel);
        finding.rows = lost.rows;
        finding.from_ps = session_.clock().to_ps(lost.first_tick);
        finding.until_ps = session_.clock().to_ps(lost.last_tick);
        report.rows_gone += lost.rows;
        report.findings.push_back(finding);
    }
}

void Checker::report_hole(const Hole& hole, CheckReport& report) {
    const std::uint64_t reported = rows_reported_of(hole);
    if (reported == hole.rows && hole.rows > 0) return;
    Finding finding;
    finding.offset = hole.offset;
    finding.what = hole.what;
    if (hole.channel != ChannelId{} || hole.rows > 0) finding.channel = name_of(hole.channel);
    finding.rows = hole.rows - reported;
    report.rows_gone += finding.rows;
    if (hole.until_tick > 0) {
        finding.from_ps = session_.clock().to_ps(hole.from_tick);
        finding.until_ps = session_.clock().to_ps(hole.until_tick);
    }
    report.findings.push_back(finding);
}

CheckReport Checker::report() {
    CheckReport report;
    report.finished = reader_.finished();
    report.index_made_anew = index_made_anew_;
    report.bytes = reader_.file_bytes();
    report.channels = session_.lanes().size();
    report.begin_ps = newest_tick_ == 0 ? 0 : session_.clock().to_ps(first_tick_);
    report.end_ps = newest_tick_ == 0 ? 0 : session_.clock().to_ps(newest_tick_);
    for (const auto& [channel, ledger] : ledgers_) {
        report.events += ledger.rows() - ledger.gap_rows();
        report.lost_before += ledger.lost() - ledger.not_kept();
        report.uncounted += ledger.uncounted();
        report.not_kept += ledger.not_kept();
    }
    for (const capture::Damage& damage : reader_.damage()) report_damage(damage, report);
    for (const Hole& hole : holes_) report_hole(hole, report);
    if (more_holes_ > 0) {
        Finding finding;
        finding.what = how_many(more_holes_, "more place") + " where rows are missing or wrong";
        finding.rows = more_rows_;
        report.rows_gone += more_rows_;
        report.findings.push_back(finding);
    }
    return report;
}

Result<CheckReport> Checker::run(const std::function<bool(double)>& progress) {
    constexpr int kFramesPerLook = 64;
    const double all = static_cast<double>(std::max<std::uint64_t>(reader_.file_bytes(), 1));
    for (int i = 0; const auto frame = reader_.next(); ++i) {
        if (!promised_ && !reader_.damage().empty()) expect_by_index();
        take(*frame);
        if (i % kFramesPerLook == 0 && progress && !progress(static_cast<double>(reader_.position()) / all)) {
            return unavailable("stopped while checking '" + path_ + "'");
        }
    }
    if (!promised_ && !reader_.damage().empty()) expect_by_index();
    note_missing_ends();
    if (reader_.finished()) compare_with_index();
    for (const store::Note& damage : session_.notes()) {
        if (damage.damage) note({}, damage.text, 0, 0, 0, 0);
    }
    return report();
}

}  // namespace

Result<CheckReport> check_capture(const std::string& path, const std::function<bool(double)>& progress) {
    auto reader = capture::CaptureReader::open(path);
    if (!reader.ok()) return reader.error();
    return Checker(std::move(*reader), path).run(progress);
}

}  // namespace sla::capture_tools
