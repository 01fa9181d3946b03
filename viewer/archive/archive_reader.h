// ArchiveReader: captures of an archive as captures again. What a manifest says is held against the files: it names parts,
// but which rows a part has, and when, its own statistics say. Contradictions are errors; parts that were moved elsewhere are
// reported.
#pragma once

#include "proto/base/result.h"
#include "viewer/archive/manifest.h"
#include "viewer/formats/parquet/parquet.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::archive {

struct ArchivedCapture {
    std::string folder;  // of the archive
    Manifest manifest;

    [[nodiscard]] std::string name() const { return manifest.host + "/" + manifest.capture; }
};

// A folder that `sla archive` wrote, or one capture of it: FOLDER/manifest/HOST.CAPTURE.json.
bool is_archive(const std::string& path);
// Those of a folder in order of their names, or the one.
Result<std::vector<ArchivedCapture>> captures_of(const std::string& path);

struct ReadReport {
    std::uint64_t rows = 0;
    std::size_t groups = 0;            // row groups of all parts that are there
    std::size_t groups_read = 0;       // of them, those that may have rows of the time that was asked for
    std::vector<std::string> missing;  // a sentence for each part that is not there
};

// Row groups that may have rows of that time become the capture file `to`. The clock is that of the newest part.
Result<ReadReport> read_capture(const ArchivedCapture& capture, const formats::ParquetRange& range, const std::string& to,
                                const formats::Progress& progress = {});

}  // namespace sla::archive
