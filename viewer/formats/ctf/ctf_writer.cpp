// A CTF 1.8 trace: `metadata`, and one stream file a lane, named after its channel's number.
#include "viewer/formats/ctf/ctf.h"
#include "viewer/formats/ctf/ctf_stream.h"
#include "viewer/formats/ctf/metadata_writer.h"

namespace sla::formats {

namespace {

Result<void> write_lane(const store::Session& session, const analysis::Selection& lane, const Progress& progress,
                        CtfStream& stream, std::uint64_t& events) {
    analysis::EventWalk walk(session, lane, progress);
    std::optional<store::RowRef> place = walk.next();
    while (place) {
        const store::RowRef current = *place;
        const store::Event event = walk.event();
        place = walk.next();
        if (auto put = stream.put(current, event, place ? place->tick : store::kNever); !put.ok()) return put;
        ++events;
    }
    if (walk.stopped()) return unavailable("stopped; nothing was written");
    return stream.finish();
}

}  // namespace

Result<ExportReport> write_ctf(const store::Session& session, const analysis::Selection& selection,
                               const std::string& directory, const Progress& progress) {
    ExportReport report;
    const std::uint64_t all = analysis::count_rows(session, selection);
    std::uint64_t before = 0;
    StreamSizes sizes;
    std::string classes;
    for (const store::Lane* lane : selection.lanes) {
        if (progress && !progress(before, all)) return unavailable("stopped; nothing was written");
        auto file = Output::open(directory + "/channel_" + std::to_string(lane->channel().id.value));
        if (!file.ok()) return file.error();
        CtfStream stream(*file, lane->channel().id.value);
        analysis::Selection one = selection;
        one.lanes = {lane};
        Progress of_all;
        if (progress) of_all = [&](std::uint64_t done, std::uint64_t) { return progress(before + done, all); };
        if (auto done = write_lane(session, one, of_all, stream, report.events); !done.ok()) return done.error();
        before += analysis::count_rows(session, one);
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
