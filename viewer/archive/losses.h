// What a run finds missing of a capture: rows that were there behind those in the folder, and were gone before the run came.
//
//   in parts             │ gone │ in the capture now
//                   next ▲      ▲ first
//
// Each channel's ordinals tell how many they were. Of channels of which nothing is there (any more) a fleet's registry tells the
// sum: what it counts beyond all that is in parts, there now, or counted as gone. Never more than are gone: what it does not tell
// in one run, while the capture grows, it tells in a later one.
#pragma once

#include "proto/base/result.h"
#include "proto/base/strong_id.h"
#include "proto/capture/capture_index.h"
#include "viewer/archive/manifest.h"
#include "viewer/formats/output.h"
#include "viewer/formats/parquet/parquet.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace sla::archive {

// Of a channel's rows in the capture.
struct Ordinals {
    std::uint64_t first = 0;
    std::uint64_t end = 0;  // behind the last one
};

// What there is of a capture as it was opened.
struct Found {
    std::map<ChannelId, Ordinals> channels;    // that have rows
    std::optional<std::uint64_t> origin_tick;  // of its Hello
    // Events, by the registry as of before it was opened; nothing: nobody counts them.
    std::optional<std::uint64_t> published;
    bool is_over = false;  // that is the registry's last word
};
// Without what the registry says.
Found found_in(const capture::CaptureIndex& index);

struct Loss {
    const store::Lane* lane = nullptr;  // null: of channels that are not known
    std::uint64_t events = 0;
    std::uint64_t until_tick = 0;  // 0: not known
};

struct Missing {
    std::uint64_t before = 0;  // events, before the first part that is written now: history, no loss
    std::vector<Loss> losses;  // behind the last part

    [[nodiscard]] std::uint64_t lost() const;
};

using Lanes = std::vector<const store::Lane*>;

// Of a manifest of a version that did not count: no less than it has.
Taken taken_before(const Manifest& manifest);
// The manifest as it was before the run, the lanes of what was found.
Missing missing_in(const Manifest& manifest, const Found& found, const Lanes& lanes);
// Rows of these ticks are in a part now.
void take_rows(const Found& found, const Lanes& lanes, std::uint64_t from, std::uint64_t until, Taken& taken);
// Losses are.
void take_losses(const Found& found, const std::vector<Loss>& losses, Taken& taken);

// A part of nothing but loss rows, one a loss, all of that tick. `names` has the lanes, and the clock.
Result<formats::ParquetPart> write_losses(const store::Session& names, const std::vector<Loss>& losses, std::uint64_t tick,
                                          formats::Output& output);

}  // namespace sla::archive
