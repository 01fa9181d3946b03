// Two sessions with the same rows answer every question alike, wherever the rows are.
#pragma once

#include "viewer/store/merged.h"
#include "viewer/store/merged_rows.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>

namespace sla::ingest {

inline void expect_same(const store::Span& a, const store::Span& b) {
    ASSERT_EQ(a.begin_index, b.begin_index);
    ASSERT_EQ(a.begin_tick, b.begin_tick);
    ASSERT_EQ(a.end_index, b.end_index);
    ASSERT_EQ(a.end_tick, b.end_tick);
    ASSERT_EQ(a.thread, b.thread);
    ASSERT_EQ(a.depth, b.depth);
    ASSERT_EQ(a.row, b.row);
    ASSERT_EQ(a.state, b.state);
}

inline void expect_same_gaps(const store::Lane& a, const store::Lane& b) {
    ASSERT_EQ(a.gaps().size(), b.gaps().size());
    for (std::size_t i = 0; i < b.gaps().size(); ++i) {
        ASSERT_EQ(a.gaps()[i].index, b.gaps()[i].index);
        ASSERT_EQ(a.gaps()[i].until_tick, b.gaps()[i].until_tick);
        ASSERT_EQ(a.gaps()[i].lost_before, b.gaps()[i].lost_before);
        ASSERT_EQ(a.gaps()[i].cause, b.gaps()[i].cause);
    }
}

inline void expect_same_rows(const store::Session& in_a, const store::Session& in_b) {
    ASSERT_EQ(in_a.lanes().size(), in_b.lanes().size());
    for (std::size_t lane = 0; lane < in_b.lanes().size(); ++lane) {
        const store::Lane& a = *in_a.lanes()[lane];
        const store::Lane& b = *in_b.lanes()[lane];
        ASSERT_EQ(a.size(), b.size());
        ASSERT_EQ(a.events(), b.events());
        for (std::uint64_t i = 0; i < b.size(); ++i) {
            ASSERT_EQ(a[i].tick, b[i].tick);
            ASSERT_EQ(a[i].value, b[i].value);
            ASSERT_EQ(a[i].thread, b[i].thread);
            ASSERT_EQ(a[i].code, b[i].code);
            ASSERT_EQ(a.text(i), b.text(i));
            ASSERT_EQ(a.details(i), b.details(i));
        }
        expect_same_gaps(a, b);
        EXPECT_EQ(a.has_values(), b.has_values());
        EXPECT_EQ(a.has_levels(), b.has_levels());
        EXPECT_EQ(a.has_texts(), b.has_texts());
    }
    EXPECT_EQ(in_a.events(), in_b.events());
    EXPECT_EQ(in_a.lost(), in_b.lost());
    EXPECT_EQ(in_a.first_tick(), in_b.first_tick());
    EXPECT_EQ(in_a.last_tick(), in_b.last_tick());
}

inline void expect_same_sums(const store::Session& in_a, const store::Session& in_b, std::mt19937_64& random) {
    for (std::size_t lane = 0; lane < in_b.lanes().size(); ++lane) {
        const store::Lane& a = *in_a.lanes()[lane];
        const store::Lane& b = *in_b.lanes()[lane];
        for (int round = 0; round < 1500; ++round) {
            const std::uint64_t from = random() % (b.last_tick() + 100);
            const std::uint64_t until = from + random() % (random() % 2 == 0 ? 500 : b.last_tick());
            ASSERT_EQ(a.lower_bound(from), b.lower_bound(from));
            ASSERT_EQ(a.upper_bound(until), b.upper_bound(until));
            const std::uint64_t hint = random() % (b.lower_bound(from) + 1);
            ASSERT_EQ(a.lower_bound(from, hint), b.lower_bound(from));
            const store::Summary x = a.summarize(from, until);
            const store::Summary y = b.summarize(from, until);
            ASSERT_EQ(x.first, y.first);
            ASSERT_EQ(x.last, y.last);
            ASSERT_EQ(x.events, y.events);
            ASSERT_EQ(x.lost, y.lost);
            ASSERT_EQ(x.has_value, y.has_value);
            ASSERT_EQ(x.min, y.min);
            ASSERT_EQ(x.max, y.max);
            ASSERT_EQ(a.level_at(from), b.level_at(from)) << from;
            ASSERT_EQ(a.level_over(from, until).high_ticks, b.level_over(from, until).high_ticks) << from;
            ASSERT_LE(a.least_before(from), b.lower_bound(from));
            ASSERT_GE(a.most_before(from), b.lower_bound(from));
        }
    }
}

inline void expect_same_spans(const store::Session& in_a, const store::Session& in_b, std::mt19937_64& random) {
    for (std::size_t i = 0; i < in_b.lanes().size(); ++i) {
        const store::Lane& lane = *in_b.lanes()[i];
        const store::LaneSpans a = in_a.lanes()[i]->spans();
        const store::LaneSpans b = lane.spans();
        ASSERT_EQ(a.size(), b.size());
        ASSERT_EQ(a.rows(), b.rows());
        ASSERT_EQ(a.unmatched_ends(), b.unmatched_ends());
        for (std::uint64_t id = 0; id < b.size(); ++id) expect_same(a[id], b[id]);
        for (std::uint64_t row = 0; row < lane.size(); ++row) {
            ASSERT_EQ(a.span_of_begin(row), b.span_of_begin(row));
            ASSERT_EQ(a.span_of_end(row), b.span_of_end(row));
        }
        for (int round = 0; round < 200; ++round) {
            const std::uint64_t from = random() % lane.last_tick();
            const std::uint64_t until = from + 1 + random() % 3000;
            const std::uint64_t width = random() % 300;
            ASSERT_EQ(a.lower_bound(from), b.lower_bound(from));
            std::set<std::uint64_t> of_a;
            std::set<std::uint64_t> of_b;
            a.visit_overlapping(from, until, width, [&](std::uint64_t id, const store::Span&) {
                EXPECT_TRUE(of_a.insert(id).second) << "twice";
                return true;
            });
            b.visit_overlapping(from, until, width,
                                [&](std::uint64_t id, const store::Span&) { return of_b.insert(id).second; });
            ASSERT_EQ(of_a, of_b);
        }
    }
}

inline void expect_same_table(const store::Session& in_a, const store::Session& in_b, std::mt19937_64& random) {
    const store::MergedIndex a(in_a);
    const store::MergedIndex b(in_b);
    ASSERT_EQ(a.rows(), b.rows());
    for (int round = 0; round < 400; ++round) {
        const std::uint64_t row = random() % b.rows();
        const auto x = a.place(row);
        const auto y = b.place(row);
        ASSERT_TRUE(x && y);
        ASSERT_EQ(x->index, y->index);
        ASSERT_EQ(x->tick, y->tick);
        ASSERT_EQ(x->lane->channel().id, y->lane->channel().id);
        ASSERT_EQ(a.row_of(*x->lane, x->index), row);
        ASSERT_EQ(a.row_at(x->tick), b.row_at(y->tick));
    }
    store::MergedCursor forward = a.cursor(0);
    store::MergedCursor other = b.cursor(0);
    while (const auto y = other.next()) {
        const auto x = forward.next();
        ASSERT_TRUE(x);
        ASSERT_EQ(x->index, y->index);
        ASSERT_EQ(x->lane->channel().id, y->lane->channel().id);
    }
    EXPECT_FALSE(forward.next());
    store::MergedRows rows({in_a.lanes().begin(), in_a.lanes().end()}, 0, store::kNever);
    other = b.cursor(0);
    while (const auto y = other.next()) {
        const store::MergedRows::Row* x = rows.next();
        ASSERT_NE(x, nullptr);
        ASSERT_EQ(x->index, y->index);
        ASSERT_EQ(rows.lanes()[x->lane]->channel().id, y->lane->channel().id);
        ASSERT_EQ(x->value, (*y->lane)[y->index].value);
    }
    EXPECT_EQ(rows.next(), nullptr);
}

}  // namespace sla::ingest
