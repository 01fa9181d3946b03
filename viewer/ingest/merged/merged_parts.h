// MergedParts: the captures that a merged one is made of, and how the ids and ticks of each become those of the whole. The
// reference, onto whose clock the others are moved, is the one that began first.
//
//   ids    part 0   0 3 6 9 ...      part 1   1 4 7 ...      part 2   2 5 8 ...        of three; "none" stays 0
#pragma once

#include "proto/base/result.h"
#include "proto/capture/capture_index.h"
#include "proto/capture/capture_store.h"
#include "viewer/ingest/merged/stream_translation.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sla::ingest {

// A capture, and what its host is called.
struct MergedInput {
    std::string host;
    std::shared_ptr<const capture::CaptureStore> store;
};

struct MergedPart {
    MergedInput of;
    std::shared_ptr<const capture::CaptureIndex> index;
    std::unique_ptr<store::Session> names;    // and clocks; no events
    std::optional<wire::Frame> clock_status;  // its newest; nothing: it has none
    std::uint64_t first_tick = 0;             // its own
    std::uint64_t last_tick = 0;
    StreamTranslation translation;

    // What the whole has of its own, or has from its reference alone, is not wanted.
    [[nodiscard]] bool translate(wire::Frame& frame) const;
    // But for its place.
    void translate(capture::Damage& damage) const;
    [[nodiscard]] bool is_reference() const { return translation.host() == 0; }
};

// Immutable once made; any thread.
class MergedParts {
public:
    // Those that cannot be read, or share no clock with the reference, are left out and noted, as is what was `left_out` before
    // (reasons); an error when none is left.
    static Result<std::shared_ptr<const MergedParts>> open(std::string name, std::vector<MergedInput> inputs,
                                                           const std::vector<std::string>& left_out,
                                                           const capture::CaptureStore::Progress& progress);

    [[nodiscard]] const std::string& name() const { return name_; }
    // The reference first.
    [[nodiscard]] const std::vector<MergedPart>& parts() const { return parts_; }
    // Hello, the other hosts, how their clocks were matched and how far cores are apart; serialized frames.
    [[nodiscard]] const std::vector<std::string>& head() const { return head_; }

    // Places of chunks: which part's, and its own.
    [[nodiscard]] std::uint64_t place(std::size_t part, std::uint64_t own) const { return own * parts_.size() + part; }
    [[nodiscard]] std::pair<std::size_t, std::uint64_t> part_of(std::uint64_t place) const {
        return {place % parts_.size(), place / parts_.size()};
    }

private:
    explicit MergedParts(std::string name) : name_(std::move(name)) {}
    Result<void> add(const MergedInput& input, const capture::CaptureStore::Progress& progress);
    void match();
    void make_head();
    void add_skew();
    void note(const std::string& text, bool is_damage);

    std::string name_;
    std::vector<MergedPart> parts_;
    std::vector<std::string> head_;
    std::vector<std::string> notes_;
};

}  // namespace sla::ingest
