// EventRows: rows of a walk as values of the event columns. Names are looked up once a row group. Owner: the session's thread.
#pragma once

#include "viewer/analysis/delta_tracker.h"
#include "viewer/formats/parquet/event_columns.h"
#include "viewer/formats/parquet/file_writer.h"
#include "viewer/store/merged_rows.h"

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

namespace sla::formats::parquet {

class EventRows {
public:
    // The lanes of the walk.
    // `source_facts`: see source_facts.h.
    EventRows(const store::Session& session, const std::vector<const store::Lane*>& lanes, std::string source_facts);

    // Deltas reach back to the last rows before this tick.
    void reach_back(std::uint64_t tick);
    Result<void> put(const store::MergedRows::Row& row, Output& output);
    // Writes and finishes.
    Result<void> finish(Output& output);

private:
    // The number of a text in the group that it was asked for.
    struct Name {
        std::string text;
        std::size_t group = SIZE_MAX;
        std::uint32_t number = 0;
    };
    struct LaneState {
        const store::Lane* lane = nullptr;
        Name source;
        Name channel;
        std::uint32_t pid = 0;
        bool has_text = false;
        analysis::DeltaTracker::Stamp last;
    };
    void put_name(EventColumn column, Name& name);
    Name& thread_of(std::uint32_t id);
    void put_time(std::uint64_t tick);
    void put_value(std::uint8_t code, std::uint64_t value);
    void put_text(const store::MergedRows::Row& row, const LaneState& state);
    void put_deltas(const analysis::DeltaTracker::TickDeltas& deltas);
    void put_rare(const store::MergedRows::Row& row, const LaneState& state);
    void put_ns(EventColumn column, bool is_known, std::int64_t ps);

    const store::Session& session_;
    time::ClockMap clock_;
    analysis::DeltaTracker deltas_;
    FileWriter file_{kEventColumnSpecs};
    std::string source_facts_;
    std::vector<LaneState> lanes_;
    std::array<Name, static_cast<std::size_t>(wire::Kind::kGap) + 1> kinds_;
    std::unordered_map<std::uint32_t, Name> threads_;
    std::uint32_t last_thread_ = 0;
    Name* last_thread_name_ = nullptr;
    std::string scratch_;
};

}  // namespace sla::formats::parquet
