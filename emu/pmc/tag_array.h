// The tags of a set-associative memory: which keys it holds, and which it gives up for a new one (the one not used for
// longest). Caches, TLBs and the branch target buffer are made of these.
//
//   key ─► set (its low bits) ─► one of `ways` entries
#pragma once

#include "emu/bus/state_visitor.h"
#include "proto/base/check.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sla::pmc {

template <typename State>
class TagArray {
public:
    struct Entry {
        std::uint32_t key = 0;
        std::uint64_t used = 0;  // when, in lookups; 0: the entry is empty
        State state{};
    };

    // The number of sets is a power of two.
    TagArray(std::size_t sets, std::size_t ways) : sets_(sets), ways_(ways), entries_(sets * ways) {
        SLA_CHECK((sets & (sets - 1)) == 0 && ways > 0);
    }

    // The key's entry; null: a miss.
    Entry* find(std::uint32_t key) {
        for (std::size_t way = 0; way < ways_; ++way) {
            Entry& entry = entries_[first_of(key) + way];
            if (entry.used == 0 || entry.key != key) continue;
            entry.used = ++now_;
            return &entry;
        }
        return nullptr;
    }

    // Makes an entry for a key that has none; gives back what it took the place of (used == 0: nothing).
    Entry insert(std::uint32_t key, State state) {
        Entry* oldest = &entries_[first_of(key)];
        for (std::size_t way = 1; way < ways_; ++way) {
            Entry& entry = entries_[first_of(key) + way];
            if (entry.used < oldest->used) oldest = &entry;
        }
        return std::exchange(*oldest, Entry{key, ++now_, state});
    }

    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
    template <typename VisitState>
    void visit_state(bus::StateVisitor& state, VisitState visit) {
        state.field("lookups", now_);
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            state.part(std::to_string(i), [&] {
                state.field("key", entries_[i].key);
                state.field("used", entries_[i].used);
                visit(entries_[i].state);
            });
        }
    }
    void clear() { entries_.assign(entries_.size(), Entry{}); }

private:
    [[nodiscard]] std::size_t first_of(std::uint32_t key) const { return (key & (sets_ - 1)) * ways_; }

    std::size_t sets_;
    std::size_t ways_;
    std::vector<Entry> entries_;
    std::uint64_t now_ = 0;
};

}  // namespace sla::pmc
