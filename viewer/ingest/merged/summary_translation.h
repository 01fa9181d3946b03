// What summaries say of a capture's rows, as it stands where its ids and ticks are others (StreamTranslation).
#pragma once

#include "proto/capture/capture_index.h"
#include "proto/capture/summary/chunk_summary.h"
#include "viewer/ingest/merged/stream_translation.h"

namespace sla::ingest {

// Times at a level or within spans are sums, of which only the edges can be moved: where another counter stamped them they
// may come out longer by some ticks, never shorter and never longer than the interval they lie in.
void translate(const StreamTranslation& by, capture::CaptureIndex::Lane& lane);
// But for its place and its frames. Sums over intervals are kept where the ticks stay what they are, else there are none.
void translate(const StreamTranslation& by, capture::ChunkDetail& detail);

}  // namespace sla::ingest
