// One input of a merge: its frames, with its own ids and ticks, and how those become the merged ones.
#pragma once

#include "proto/capture/capture_reader.h"
#include "proto/wire/capture.pb.h"
#include "viewer/capture_tools/capture_merge.h"
#include "viewer/capture_tools/recording_parts.h"
#include "viewer/capture_tools/row_sender.h"
#include "viewer/ingest/frame_applier.h"
#include "viewer/ingest/frame_item.h"
#include "viewer/ingest/known_rows.h"
#include "viewer/ingest/merged/stream_translation.h"
#include "viewer/store/machine_time.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sla::capture_tools {

// Ids given out so far, over all inputs. The first recording keeps its own where it can.
struct MergedIds {
    std::uint32_t give(std::uint64_t recording, ingest::NamedThing thing, std::uint32_t own);

    std::optional<std::uint64_t> first_recording;
    std::set<std::pair<ingest::NamedThing, std::uint32_t>> used;
    // (recording, kind of thing, its own id) to the merged id.
    std::map<std::tuple<std::uint64_t, ingest::NamedThing, std::uint32_t>, std::uint32_t> given;
    std::map<ingest::NamedThing, std::uint32_t> newest;
    std::map<std::string, std::uint64_t> source_names;  // and the recording that has it
};

// One owner, one thread.
class MergeInput {
public:
    // What comes next of an input. Of a batch the rows [begin, end) are to be sent, and all are to be counted, but of a batch
    // that does not count: rows of its own make.
    struct Item {
        ingest::FrameItem frame;
        bool is_kept = false;  // the merged stream has Hello, Watermark, Status and End of its own
        bool counts = true;
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    // Reads the names and clocks, no events.
    static Result<std::unique_ptr<MergeInput>> open(const NamedFile& file, std::size_t number);

    // A part of a recording that becomes one again: only what `shares` says of its rows, and instead of its other frames those
    // of `head`. Before match().
    void take_part(std::map<ChannelId, PartShare> shares, std::vector<std::string> head);
    // Rows of our own, in its own ids and ticks, behind its last ones. Before match().
    void add_behind(wire::EventBatch row) { behind_.push_back(std::move(row)); }
    // A recording of its own, although it says otherwise, or one with those of the same number. Before match().
    void stand_alone() { recording_ = numbering_; }
    void stand_apart(std::uint64_t recording) { recording_ = recording; }

    // `ids` outlives the input. From `first` to `last` there are stamps of it and of others with the same clock.
    Result<ingest::ClockMatch> find_clock(const MergeInput& reference, std::uint64_t first, std::uint64_t last) const;
    void match(ingest::ClockMatch clock, MergedIds& ids);
    [[nodiscard]] const ingest::ClockMatch& clock() const { return translation_.clock(); }
    // Of the merged stream, for its own host's sources; 0: the reference's.
    [[nodiscard]] std::uint32_t host_id() const { return translation_.host(); }
    [[nodiscard]] const store::Session& names() const { return names_; }
    [[nodiscard]] const std::optional<wire::Frame>& clock_status() const { return clock_status_; }
    [[nodiscard]] std::uint64_t start() const { return clock().to_reference(names_.origin().start_tick); }
    // Where its rows begin, in merged ticks: a part that was cut out, or one that does not reach back to its agent's start,
    // begins later.
    [[nodiscard]] std::uint64_t begin() const { return clock().to_reference(begin_tick_); }
    // Of a part that was cut out: rows before this only tell what held there. 0: all rows count.
    [[nodiscard]] std::uint64_t held_until() const {
        const std::uint64_t own = names_.origin().begin_tick;
        return own == 0 ? 0 : clock().to_reference(own);
    }
    [[nodiscard]] const std::string& path() const { return file_.path; }
    [[nodiscard]] const std::string& name() const { return file_.name; }
    [[nodiscard]] std::uint64_t recording() const { return recording_; }  // what tells recordings apart
    // The ordinals of its rows go on in those of the same.
    [[nodiscard]] std::uint64_t numbering() const { return numbering_; }
    [[nodiscard]] bool is_part() const { return is_part_; }
    [[nodiscard]] bool is_damaged() const { return !reader_.damage().empty(); }
    [[nodiscard]] Part as_part() const { return {file_.name, extent_, &names_, &*index_}; }
    [[nodiscard]] std::uint64_t first_tick() const { return first_tick_; }
    [[nodiscard]] std::uint64_t last_tick() const { return last_tick_; }
    [[nodiscard]] const capture::CaptureReader& reader() const { return reader_; }
    // The index is only there until all plans are made.
    void forget_index() { index_.reset(); }

    // What is next are rows of channels whose earlier ones other parts have.
    [[nodiscard]] bool follows_others() const;
    // Of a part: the frames that stand before all rows of its recording.
    std::vector<wire::Frame> take_head();
    // Of a part at its end: what the merged stream should have had of it.
    [[nodiscard]] std::vector<RowSender::Promised> promised() const;
    // Nothing of this input from before this is still to be read; ~0 at its end.
    [[nodiscard]] std::uint64_t reached() const { return reached_; }
    // As far as it says that it reaches, silence at its end too; 0: it has not come to that.
    [[nodiscard]] std::uint64_t end_tick() const { return end_tick_; }
    // Some source makes up its time: rows, and the end, may lie behind what is known by the machine's clock.
    [[nodiscard]] bool has_own_times() const { return store::has_own_times(names_); }
    [[nodiscard]] std::uint64_t known() const { return clock().to_reference(known_); }
    // In merged ids and ticks; nothing: this time there was none.
    std::optional<Item> next();
    // What the file knows of rows that did not come; channel and losses as in the merged stream, ordinals as in the file.
    [[nodiscard]] ingest::KnownRows::Missing missing(ChannelId channel, std::uint64_t first, std::uint64_t end);
    // Of each channel, from which row to which the file has it, whether they can be read or not; in the merged stream's channels
    // and ticks, the ordinals as in the file.
    [[nodiscard]] std::map<ChannelId, ingest::KnownRows::Extent> extents();

private:
    MergeInput(NamedFile file, capture::CaptureReader reader, capture::CaptureIndex index)
        : file_(std::move(file)), reader_(std::move(reader)), index_(std::move(index)) {}
    bool translate(wire::Frame& frame);
    void name_source(wire::Source& source);
    [[nodiscard]] std::uint64_t next_tick() const;
    void reach(std::uint64_t tick);
    Item made(wire::EventBatch row) const;
    void set_rows(Item& item) const;
    [[nodiscard]] const ingest::KnownRows& known_rows();

    NamedFile file_;
    std::uint64_t end_tick_ = 0;
    capture::CaptureReader reader_;
    std::optional<capture::CaptureIndex> index_;
    store::Session names_;
    std::optional<wire::Frame> clock_status_;  // its newest
    PartExtent extent_;
    ingest::StreamTranslation translation_;
    MergedIds* ids_ = nullptr;
    std::uint64_t recording_ = 0;
    std::uint64_t numbering_ = 0;
    std::uint64_t begin_tick_ = 0;  // its own
    std::uint64_t first_tick_ = 0;
    std::uint64_t last_tick_ = 0;
    std::uint64_t known_ = 0;
    std::uint64_t reached_ = 0;
    std::optional<ingest::KnownRows> known_rows_;  // since rows were missing, and
    std::map<ChannelId, ChannelId> own_channels_;  // by the merged one, its channels

    bool is_part_ = false;
    std::map<ChannelId, PartShare> shares_;      // of a part
    std::vector<RowSender::Promised> promised_;  // in its own ids and ticks
    std::vector<std::string> head_;
    std::deque<wire::EventBatch> before_;  // single rows that are still to come before its own, by tick,
    std::deque<wire::EventBatch> behind_;  // and behind them
};

}  // namespace sla::capture_tools
