// A CTF 1.8 trace: `metadata`, and one stream file a lane, named after its channel's number.
#include "viewer/formats/ctf/ctf.h"
#include "viewer/formats/ctf/ctf_stream.h"
#include "viewer/formats/ctf/metadata_writer.h"

namespace sla::formats {

namespace {

constexpr std::uint64_t kRowsPerLook = 1 << 14;

// Counts for all lanes together.
struct Looks {
    const Progress& progress;
    std::uint64_t all;
    std::uint64_t looked = 0;

    bool go_on() { return ++looked % kRowsPerLook != 0 || !progress || progress(looked, all); }
};

Result<void> write_lane(const store::Session& session, const analysis::Selection& selection, const store::Lane& lane,
                        CtfStream& stream, Looks& looks, std::uint64_t& events) {
    const auto last = analysis::last_final_tick(session, selection);
    const std::uint64_t end = last ? lane.upper_bound(*last) : 0;
    for (std::uint64_t index = lane.lower_bound(selection.from); index < end; ++index) {
        if (!looks.go_on()) return unavailable("stopped; nothing was written");
        const store::RowRef place{&lane, index, lane.tick(index)};
        if (selection.filter && !selection.filter->matches(session, place)) continue;
        const std::uint64_t next = index + 1 < end ? lane.tick(index + 1) : store::kNever;
        if (auto put = stream.put(lane, index, next); !put.ok()) return put;
        ++events;
    }
    return stream.finish();
}

}  // namespace

Result<ExportReport> write_ctf(const store::Session& session, const analysis::Selection& selection,
                               const std::string& directory, const Progress& progress) {
    ExportReport report;
    Looks looks{progress, analysis::count_rows(session, selection)};
    StreamSizes sizes;
    std::string classes;
    for (const store::Lane* lane : selection.lanes) {
        auto file = Output::open(directory + "/channel_" + std::to_string(lane->channel().id.value));
        if (!file.ok()) return file.error();
        CtfStream stream(*file, lane->channel().id.value);
        if (auto done = write_lane(session, selection, *lane, stream, looks, report.events); !done.ok()) return done.error();
        sizes[lane->channel().id.value] = file->bytes();
        classes += ctf_stream_class(*lane, stream.ids());
    }
    auto file = Output::open(directory + "/metadata");
    if (!file.ok()) return file.error();
    if (auto written = file->write(ctf_preamble(session, selection, sizes) + classes); !written.ok()) return written.error();
    if (auto finished = file->finish(); !finished.ok()) return finished.error();
    return report;
}

}  // namespace sla::formats
