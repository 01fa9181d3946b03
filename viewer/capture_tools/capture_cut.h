// A part of a capture file as a file of its own: a range of time, some of its channels. Streams: only the chunks of
// that part are read, one at a time.
//
// What holds where the part begins is kept by the very rows that say so, with their own, earlier ticks: the begin of each
// open span, the newest level, value and text, losses that last into it. Times count from where they counted. Rows get new
// ordinals; what damage took of the source becomes a gap row. Of which recording it is, and from where to where it has all
// of it, stands in its Hello. Names, clocks and their health, notices and shots are kept, the
// agent's ledger is not: it is about the whole.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/capture_store.h"
#include "viewer/analysis/selection.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sla::capture_tools {

struct CutPlan {
    std::string from_file;
    std::string to_file;
    std::vector<std::string> channels;  // globs; none: all
    analysis::TimeRange range;
    struct Ticks {
        std::uint64_t first = 0;
        std::uint64_t last = 0;
    };
    std::optional<Ticks> ticks = std::nullopt;  // instead of the range
};

struct CutReport {
    std::uint64_t rows = 0;
    std::uint64_t states = 0;  // of these, rows from before that say what holds
    std::size_t channels = 0;
    std::vector<std::string> damage;  // of the source, within the part
};

// `progress` receives 0..1 now and then; false stops with an error, and no file is left.
Result<CutReport> cut_capture(const CutPlan& plan, const std::function<bool(double)>& progress);
// The same of a capture that is kept elsewhere: the plan's from_file is what people call it.
Result<CutReport> cut_capture(const capture::CaptureStore& store, const CutPlan& plan,
                              const std::function<bool(double)>& progress);

}  // namespace sla::capture_tools
