// PassedRows: keeps the session of who walks over rows once, and never looks back, small: lanes seal what grows as pages, and
// a page leaves memory for good when all its rows were passed, and its loss rows with it. What is known of those rows together
// stays: how many there were, what was lost.
//
//   lane    ── gone ──┤ passed ├── page in memory ──┬── rows that grow ──►
//
// Owner: the session's thread. For a session that is empty and grows; goes before it.
#pragma once

#include "viewer/store/session.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <unordered_map>
#include <vector>

namespace sla::ingest {

class PassedRows {
public:
    // `memory_bytes`: about so much of rows that do not make a page yet; those that were not passed come to that.
    PassedRows(store::Session& session, std::uint64_t memory_bytes);

    // After a lane has grown.
    void tend(store::Lane& lane);
    // Rows up to that tick will not be asked for again. Rises.
    void pass(std::uint64_t tick);
    // Of pages that were not passed yet.
    [[nodiscard]] std::size_t pages_in_memory() const { return sealed_.size(); }

private:
    struct Sealed {
        store::Lane* lane = nullptr;
        std::uint64_t last_tick = 0;

        bool operator>(const Sealed& other) const { return last_tick > other.last_tick; }
    };
    [[nodiscard]] std::uint64_t page_rows() const;

    store::Session& session_;
    std::uint64_t memory_bytes_;
    std::shared_ptr<store::PageSource> gone_;
    // Those that end first stand first, of a lane in its order: one that is far ahead of others keeps none of theirs.
    std::priority_queue<Sealed, std::vector<Sealed>, std::greater<>> sealed_;
    std::unordered_map<store::Lane*, std::size_t> not_merged_;  // pages that are gone and have entries of their own
    std::uint32_t next_page_ = 0;
};

}  // namespace sla::ingest
