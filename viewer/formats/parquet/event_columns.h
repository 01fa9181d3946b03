// The columns of our event tables in Parquet: those of `sla table`, typed, and what a capture needs to come back.
#pragma once

#include "viewer/formats/parquet/layout.h"

#include <array>

namespace sla::formats::parquet {

enum EventColumn : std::size_t {
    kTick,
    kTimeNs,
    kTimePs,
    kUtcNs,
    kSource,
    kThread,
    kChannel,
    kKind,
    kValue,
    kValueInt,
    kValueUnsigned,
    kText,
    kDeltaAnyNs,
    kDeltaChannelNs,
    kErrorNs,
    kDetail0,
    kDetail1,
    kUntilTick,
    kPid,
    kEventColumns
};

inline constexpr std::array<ColumnSpec, kEventColumns> kEventColumnSpecs = {{
    {"tick", Meaning::kInteger, false},
    {"time_ns", Meaning::kReal, false},
    {"time_ps", Meaning::kInteger, false},
    {"utc_ns", Meaning::kInteger, true},  // nothing where the wall clock is not known
    {"source", Meaning::kName, false},
    {"thread", Meaning::kName, false},
    {"channel", Meaning::kName, false},
    {"kind", Meaning::kName, false},
    {"value", Meaning::kReal, true},               // of every event that has a value, as near as a double comes to it
    {"value_int", Meaning::kInteger, true},        // whole numbers, exactly
    {"value_unsigned", Meaning::kUnsigned, true},  // whole numbers from 2^63 on
    {"text", Meaning::kText, true},
    {"delta_any_ns", Meaning::kReal, true},
    {"delta_channel_ns", Meaning::kReal, true},
    {"error_ns", Meaning::kReal, true},
    {"detail0", Meaning::kUnsigned, true},  // nothing where both are 0
    {"detail1", Meaning::kUnsigned, true},
    {"until_tick", Meaning::kInteger, true},  // of a loss: the last tick that it may have happened at
    {"pid", Meaning::kInteger, true},         // of the source: several may have one name
}};

// Keys of the file's metadata: the clock and where the rows come from.
inline constexpr const char* kOriginTickKey = "sla.origin_tick";
inline constexpr const char* kTicksPerSecondKey = "sla.ticks_per_second";
inline constexpr const char* kClockErrorKey = "sla.clock_error_ppb";
inline constexpr const char* kOriginRealtimeKey = "sla.origin_realtime_ns";
inline constexpr const char* kStampErrorsKey = "sla.stamp_errors";  // see stamp_errors.h
inline constexpr const char* kSourcesKey = "sla.sources";           // see source_facts.h
inline constexpr const char* kHostKey = "sla.host";
inline constexpr const char* kCaptureKey = "sla.capture_id";

}  // namespace sla::formats::parquet
