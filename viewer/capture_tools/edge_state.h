// What holds at a moment on each channel: the newest level, value and text before it, the spans open across it, and the losses
// that last beyond it (one that does not say until when: until a row of its thread), as the very rows that say so.
#pragma once

#include "proto/capture/capture_index.h"
#include "proto/capture/chunk_reader.h"
#include "proto/wire/event.h"
#include "viewer/store/rows/row_types.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace sla::capture_tools {

// Rows of these kinds hold until the next one of the kind.
inline constexpr unsigned kHolding =
    store::kind_bit(wire::Kind::kLevel) | store::kind_bit(wire::Kind::kValue) | store::kind_bit(wire::Kind::kText);
constexpr bool holds_until_next(wire::Kind kind) {
    return (kHolding & store::kind_bit(kind)) != 0;
}

struct EdgeStates {
    std::vector<wire::EventBatch> rows;  // of those channels where anything holds, a batch each
    std::vector<ChannelId> late;         // whose level is not known, though rows before the moment may have told it
};

// Of those channels. Reads each chunk once at most, from the moment on back, and those alone that may
// say something. Rows stand in order of time, before `tick`; what damage took is not among them. `go_on` is asked now and then; false:
// nothing is returned.
std::optional<EdgeStates> states_before(std::uint64_t tick, const capture::CaptureIndex& index,
                                        const std::set<ChannelId>& channels, capture::ChunkReader& chunks,
                                        const std::function<bool()>& go_on);

// From where on a source has all rows: as its Hello says it (`begin_tick`), or, of one that began long after its agent did, which
// the numbers of its rows say, its first row by the machine's clock, as store::late_begin does of a session. 0: it has all.
// `names`: of the source.
std::uint64_t begin_of(const capture::CaptureIndex& index, const store::Session& names, std::uint64_t begin_tick);

}  // namespace sla::capture_tools
