// Lets of a live stream only that through which lies in the windows of shots; what is between them is left out on purpose.
//
//   stream   · · · · · [· · t=0 · · · ·] · · · · · · · [· · t=0 · · · ·] · · ·
//   file             G  · · t=0 · · · ·              G  · · t=0 · · · ·   G
//
//   G: a gap row of value 0, "left out", in each channel that had events there
//
// A loss that began there and lasts into a window is a row of its own where the window begins, of value 0 too.
// Holds the newest events for as long as a shot may still reach back to them. Events are numbered anew. A window is one of its
// time: by the machine's clock it has no events of a source that makes up its time, and by such a time only those of that
// source. One owner, one thread.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/capture_writer.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/event.h"
#include "proto/wire/own_recording.h"

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace sla::capture_tools {

class ShotFilter {
public:
    // `pre_ps`: how far before its tick a shot may begin, at most. Shots of other triggers are nobody's business here.
    ShotFilter(capture::CaptureWriter& writer, std::int64_t pre_ps, std::set<std::string> triggers)
        : writer_(writer), pre_ps_(pre_ps), triggers_(std::move(triggers)) {}

    // A serialized wire::Frame.
    Result<void> take(std::string_view message);
    // So that the file does not look whole.
    Result<void> note_damage(const std::string& text);
    // Writes the windows as far as they got, and an End; without a reason none: the stream was cut off.
    Result<void> finish(const std::string& reason);

    [[nodiscard]] std::uint64_t shots() const { return shots_; }  // whose windows are written
    [[nodiscard]] std::uint64_t events() const { return events_; }
    // Of each of our triggers what the agent has last said of it; empty: nothing is wrong with it.
    [[nodiscard]] const std::map<std::string, std::string>& problems() const { return problems_; }

private:
    // The machine's clock, or a time that a source makes up.
    struct Time {
        std::uint64_t now = 0;        // all before it was received
        bool is_over = false;         // nothing of it follows
        std::deque<wire::Shot> open;  // by begin: what is before the first one's is needed no more
        // Of a time that a source makes up: the newest tick received, and by the watermark before the newest one. The channels
        // of one moment may come on both sides of a watermark; the word that the source has ended some watermarks before.
        std::uint64_t newest = 0;
        std::uint64_t newest_before = 0;
        int watermarks_to_end = 0;
        [[nodiscard]] bool has(const wire::Shot& shot) const { return is_over || shot.end_tick() < now; }
    };
    struct Channel {
        std::uint32_t time = 0;  // in times_
        std::deque<wire::EventBatch> held;
        bool has_begun = false;
        std::uint64_t next_index = 0;  // from 1 where the stream's rows had begun before
        bool left_out = false;
        std::uint64_t left_out_from = 0;  // ticks
        std::uint64_t left_out_until = 0;
        wire::EventBatch lasting;  // gap rows of what was left out that may last into a window
    };
    void learn(const wire::Source& source);
    void hold(wire::EventBatch batch);
    void keep_open(const wire::Shot& shot);
    void go_on(Time& time);
    Result<void> go_on_to(std::uint64_t watermark);
    Result<void> write_complete(std::uint32_t time_id, Time& time);
    Result<void> write_window(const wire::Shot& shot);
    Result<void> write_part(Channel& channel, const wire::Shot& shot);
    Result<void> write_rows(Channel& channel, wire::EventBatch rows);
    Result<void> write_gap(ChannelId id, Channel& channel);
    static void leave_out(Channel& channel, const wire::EventBatch& rows);
    static void drop_before(Channel& channel, std::uint64_t tick);

    capture::CaptureWriter& writer_;
    const std::int64_t pre_ps_;
    const std::set<std::string> triggers_;
    const wire::OwnRecording own_recording_;
    std::map<std::string, std::string> problems_;
    double ticks_per_second_ = 0;  // 0: not known yet
    std::uint64_t watermark_ = 0;
    std::map<std::uint32_t, Channel> channels_;
    std::map<std::uint32_t, Time> times_;  // by the source that makes it up; 0: the machine's
    std::uint64_t written_until_ = 0;      // ticks
    std::uint64_t shots_ = 0;
    std::uint64_t events_ = 0;
    bool ended_ = false;
};

}  // namespace sla::capture_tools
