// What a chunk's summary lists one by one beside its sums, as columns: spans open where it begins, spans that ended in
// another chunk than they began in, losses. Private to the room. decode: false for what no summary says.
#pragma once

#include "proto/capture/summary.pb.h"
#include "proto/capture/summary/chunk_summary.h"

#include <vector>

namespace sla::capture {

void encode_open(const std::vector<OpenSpan>& spans, ChunkSummary::Spans& out);
bool decode_open(const ChunkSummary::Spans& in, std::vector<OpenSpan>& out);

void encode_crossed(const std::vector<CrossedSpan>& spans, ChunkSummary::Crossed& out);
bool decode_crossed(const ChunkSummary::Crossed& in, std::vector<CrossedSpan>& out);

void encode_gaps(const std::vector<GapRow>& gaps, ChunkSummary::Gaps& out);
bool decode_gaps(const ChunkSummary::Gaps& in, std::vector<GapRow>& out);

}  // namespace sla::capture
