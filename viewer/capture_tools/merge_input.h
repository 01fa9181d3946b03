// One input of a merge: its frames, with its own ids and ticks, and how those become the merged ones.
#pragma once

#include "proto/capture/capture_reader.h"
#include "proto/wire/capture.pb.h"
#include "viewer/capture_tools/capture_merge.h"
#include "viewer/ingest/frame_applier.h"
#include "viewer/ingest/frame_item.h"
#include "viewer/ingest/merged/stream_translation.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>

namespace sla::capture_tools {

// Ids given out so far, over all inputs.
struct MergedIds {
    // (recording, kind of thing, its own id) to the merged id.
    std::map<std::tuple<std::uint64_t, ingest::NamedThing, std::uint32_t>, std::uint32_t> given;
    std::map<ingest::NamedThing, std::uint32_t> newest;
    std::map<std::string, std::uint64_t> source_names;  // and the recording that has it
};

class MergeInput {
public:
    // Reads the names and clocks, no events.
    static Result<std::unique_ptr<MergeInput>> open(const NamedFile& file, std::size_t number);

    // `ids` outlives the input.
    Result<void> match(const MergeInput& reference, MergedIds& ids);
    [[nodiscard]] const ingest::ClockMatch& clock() const { return translation_.clock(); }
    // Of the merged stream, for its own host's sources; 0: the reference's.
    [[nodiscard]] std::uint32_t host_id() const { return translation_.host(); }
    [[nodiscard]] const store::Session& names() const { return names_; }
    [[nodiscard]] std::uint64_t start() const { return clock().to_reference(names_.origin().start_tick); }
    // Where its rows begin, in merged ticks: a part that was cut out, or one that does not reach back to its agent's start,
    // begins later.
    [[nodiscard]] std::uint64_t begin() const { return clock().to_reference(begin_tick_); }
    [[nodiscard]] const std::string& path() const { return file_.path; }
    [[nodiscard]] std::uint64_t recording() const { return recording_; }  // what tells recordings apart
    [[nodiscard]] const capture::CaptureReader& reader() const { return reader_; }

    // Nothing of this input from before this is still to be read; ~0 at its end.
    [[nodiscard]] std::uint64_t reached() const { return reached_; }
    // The next frame, in merged ids and ticks; false at the end. `keep` is false for frames that the merged stream has of
    // its own: Hello, Watermark, Status, End.
    bool next(ingest::FrameItem& item, bool& keep);

private:
    MergeInput(NamedFile file, capture::CaptureReader reader) : file_(std::move(file)), reader_(std::move(reader)) {}
    bool translate(wire::Frame& frame);
    void name_source(wire::Source& source);

    NamedFile file_;
    capture::CaptureReader reader_;
    store::Session names_;
    ingest::StreamTranslation translation_;
    MergedIds* ids_ = nullptr;
    std::uint64_t recording_ = 0;   // what tells recordings apart
    std::uint64_t begin_tick_ = 0;  // its own
    std::uint64_t first_tick_ = 0;
    std::uint64_t last_tick_ = 0;
    std::uint64_t reached_ = 0;
};

}  // namespace sla::capture_tools
