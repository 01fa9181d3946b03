// SegmentForest<Node>: "what do leaves i..j add up to" in O(log n), append-only, with updates of single leaves.
//
//   level 0   n n n n n n n n n n n n n n n n n n      one node a leaf, appended
//   level 1   ────N────── ──────N──── ─..              one node per kFanOut below it; the last may be partial
//   level 2   ────────────N──────────..
//
// Node needs a default constructor (the neutral element) and `void absorb(const Node&)`, associative.
// Not thread-safe; one owner. Memory: leaves * (1 + 1/7).
#pragma once

#include "proto/base/check.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sla::store {

template <typename Node>
class SegmentForest {
public:
    static constexpr std::size_t kFanOut = 8;

    [[nodiscard]] std::size_t size() const { return levels_.empty() ? 0 : levels_[0].size(); }
    [[nodiscard]] const Node& leaf(std::size_t i) const { return levels_[0][i]; }

    void append(const Node& leaf) {
        if (levels_.empty()) levels_.emplace_back();
        levels_[0].push_back(leaf);
        std::size_t i = levels_[0].size() - 1;
        for (std::size_t level = 1; i != 0; ++level) {
            if (level == levels_.size()) grow(level);
            i /= kFanOut;
            if (levels_[level].size() == i) levels_[level].emplace_back();
            levels_[level][i].absorb(leaf);
        }
    }

    // Replaces a leaf and recomputes what stands above it.
    void update(std::size_t i, const Node& leaf) {
        SLA_CHECK(i < size());
        levels_[0][i] = leaf;
        for (std::size_t level = 1; level < levels_.size(); ++level) {
            i /= kFanOut;
            levels_[level][i] = sum(level - 1, i * kFanOut, (i + 1) * kFanOut);
        }
    }

    // The sum of leaves [begin, end).
    [[nodiscard]] Node query(std::size_t begin, std::size_t end) const {
        Node total;
        end = std::min(end, size());
        std::size_t level = 0;
        Node right;
        while (begin < end) {
            if (level + 1 >= levels_.size() || end - begin < kFanOut) {
                total.absorb(sum(level, begin, end));
                break;
            }
            const std::size_t up_begin = (begin + kFanOut - 1) / kFanOut;
            const std::size_t up_end = end / kFanOut;
            if (up_begin >= up_end) {
                total.absorb(sum(level, begin, end));
                break;
            }
            total.absorb(sum(level, begin, up_begin * kFanOut));
            Node tail = sum(level, up_end * kFanOut, end);
            tail.absorb(right);
            right = tail;
            begin = up_begin;
            end = up_end;
            ++level;
        }
        total.absorb(right);
        return total;
    }

    // Calls visit(i) for every leaf in [begin, end), in order, whose node satisfies `wanted`; skips subtrees that do not.
    // `wanted(sum of a subtree)` must be true whenever it is true for a leaf of it. visit returns false to stop.
    template <typename Wanted, typename Visit>
    void visit_where(std::size_t begin, std::size_t end, Wanted wanted, Visit visit) const {
        end = std::min(end, size());
        if (begin < end) descend(levels_.size() - 1, 0, begin, end, wanted, visit);
    }

private:
    // A new level starts with what the level below already holds, but for the leaf being appended (absorbed by the caller).
    void grow(std::size_t level) {
        levels_.emplace_back();
        Node first;
        const auto& below = levels_[level - 1];
        for (std::size_t k = 0; k + 1 < below.size(); ++k) first.absorb(below[k]);
        if (below.size() > 1) levels_[level].push_back(first);
    }
    Node sum(std::size_t level, std::size_t begin, std::size_t end) const {
        Node total;
        end = std::min(end, levels_[level].size());
        for (; begin < end; ++begin) total.absorb(levels_[level][begin]);
        return total;
    }
    template <typename Wanted, typename Visit>
    bool descend(std::size_t level, std::size_t first, std::size_t begin, std::size_t end, Wanted& wanted,
                 Visit& visit) const {
        std::size_t width = 1;
        for (std::size_t k = 0; k < level; ++k) width *= kFanOut;
        const std::size_t last =
            level + 1 == levels_.size() ? levels_[level].size() : std::min(first + kFanOut, levels_[level].size());
        for (std::size_t k = first; k < last; ++k) {
            if ((k + 1) * width <= begin) continue;
            if (k * width >= end) return true;
            if (!wanted(levels_[level][k])) continue;
            if (level == 0 ? !visit(k) : !descend(level - 1, k * kFanOut, begin, end, wanted, visit)) return false;
        }
        return true;
    }

    std::vector<std::vector<Node>> levels_;
};

}  // namespace sla::store
