// Captures: what the tables are made of. Several stand side by side, each with its own axis of time; a column `capture` tells
// them apart. Texts that many rows share are made once and stand as long as the engine, because SQLite keeps pointers to them.
//
// Owner: the sessions' thread; the sessions do not change meanwhile.
#pragma once

#include "viewer/store/session.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace sla::sql {

// What the caller brings; the session outlives the engine.
struct Capture {
    std::string name;
    const store::Session* session = nullptr;
};

struct LaneTexts {
    const store::Lane* lane = nullptr;
    std::string channel;
    std::string source;
    std::uint64_t rows_before = 0;  // of all lanes before it, those of captures before too
};

class NamedCapture {
public:
    // `rows_before`: of all captures before it.
    NamedCapture(Capture capture, std::uint64_t rows_before);

    [[nodiscard]] const std::string& name() const { return capture_.name; }
    [[nodiscard]] const store::Session& session() const { return *capture_.session; }
    [[nodiscard]] const time::ClockMap& clock() const { return clock_; }
    // In order of channel id.
    [[nodiscard]] const std::vector<LaneTexts>& lanes() const { return lanes_; }
    // Up to the end of this one, of all captures.
    [[nodiscard]] std::uint64_t rows_until() const { return rows_until_; }
    // "name/tid"; rows may name threads that were never announced.
    [[nodiscard]] const std::string& thread_text(std::uint32_t id) const;

private:
    Capture capture_;
    time::ClockMap clock_;
    std::vector<LaneTexts> lanes_;
    std::uint64_t rows_until_;
    mutable std::unordered_map<std::uint32_t, std::string> threads_;
};

}  // namespace sla::sql
