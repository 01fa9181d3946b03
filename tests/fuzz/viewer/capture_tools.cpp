// Files made of hostile files: parts that are cut out, recordings that are merged, whatever they say of which recording they
// are, and windows of shots out of a hostile stream. They are refused, or the new file is whole and holds what was reported.
#include "proto/base/check.h"
#include "proto/capture/capture_reader.h"
#include "tests/fuzz/pieces.h"
#include "viewer/capture_tools/capture_cut.h"
#include "viewer/capture_tools/capture_merge.h"
#include "viewer/capture_tools/shot_filter.h"
#include "viewer/ingest/frame_item.h"

#include <google/protobuf/stubs/logging.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace sla;

constexpr std::size_t kFiles = 4;
constexpr std::int64_t kPrePs = 1'000'000;

// In memory: each input makes several files.
class Scratch {
public:
    Scratch() { SLA_CHECK(mkdtemp(folder_) != nullptr); }
    ~Scratch() { std::filesystem::remove_all(folder_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    [[nodiscard]] std::string file(const std::string& name) const { return std::string(folder_) + "/" + name; }

private:
    char folder_[40] = "/dev/shm/sla-fuzz-tools-XXXXXX";
};

using Frames = std::vector<std::string_view>;

// An empty piece begins another file, one of a single byte a chunk.
std::vector<Frames> streams_of(const std::uint8_t* data, std::size_t size) {
    std::vector<Frames> streams(1);
    for (const std::string_view piece : fuzz::pieces_of(data, size)) {
        if (!piece.empty())
            streams.back().push_back(piece);
        else if (streams.size() == kFiles)
            break;
        else
            streams.emplace_back();
    }
    return streams;
}

void write_file(const std::string& path, const Frames& frames) {
    auto writer = capture::CaptureWriter::create(path);
    SLA_CHECK(writer.ok());
    for (const std::string_view frame : frames)
        SLA_CHECK((frame.size() == 1 ? writer->flush() : writer->append(frame)).ok());
    SLA_CHECK(writer->finish().ok());
}

struct Rows {
    std::uint64_t all = 0;
    std::uint64_t events = 0;  // those that are no gaps
};

Rows rows_of(const std::string& path) {
    Rows rows;
    auto reader = capture::CaptureReader::open(path);
    SLA_CHECK(reader.ok());
    while (const auto frame = reader->next()) {
        const ingest::FrameItem item = ingest::decode_frame(*frame);
        SLA_CHECK(item.what != ingest::FrameItem::What::kDamage);
        if (item.what != ingest::FrameItem::What::kBatch) continue;
        const auto gaps = std::count(item.batch.codes.begin(), item.batch.codes.end(), SLA_CODE_GAP);
        rows.all += item.batch.size();
        rows.events += item.batch.size() - static_cast<std::uint64_t>(gaps);
    }
    SLA_CHECK(reader->finished() && reader->damage().empty());
    return rows;
}

void filter_shots(const Frames& frames, const std::string& path) {
    auto writer = capture::CaptureWriter::create(path);
    SLA_CHECK(writer.ok());
    capture_tools::ShotFilter filter(*writer, kPrePs, {"t", ""});
    for (const std::string_view frame : frames) (void)filter.take(frame);
    SLA_CHECK(filter.finish("").ok() && writer->finish().ok());
    SLA_CHECK(rows_of(path).events == filter.events());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    google::protobuf::SetLogHandler(nullptr);
    static const Scratch scratch;
    const std::vector<Frames> streams = streams_of(data + 2, size - 2);
    std::vector<capture_tools::NamedFile> files;
    for (const Frames& frames : streams) {
        files.push_back({scratch.file(std::to_string(files.size())), std::to_string(files.size())});
        write_file(files.back().path, frames);
    }
    filter_shots(streams.front(), scratch.file("shots"));

    const std::string part = scratch.file("part");
    capture_tools::CutPlan plan{files.front().path, part, {}, {}, capture_tools::CutPlan::Ticks{data[0], data[1]}};
    if (data[0] % 2 == 1) plan.ticks->last *= 1000;
    if (const auto cut = cut_capture(plan, {}); cut.ok()) {
        SLA_CHECK(rows_of(part).all == cut->rows);
        files.push_back({part, "part"});
    }
    const std::string merged = scratch.file("merged");
    const auto report = merge_captures(files, merged, {});
    if (report.ok()) SLA_CHECK(rows_of(merged).all == report->rows);
    return 0;
}
