#include "proto/base/environment.h"

#include <gtest/gtest.h>

#include <string>

namespace sla {
namespace {

std::string problem_of(const char* name, const char* value) {
    char words[160] = "not written";
    const int is_wrong = sla_variable_problem(name, value, words, sizeof words);
    EXPECT_EQ(is_wrong != 0, words[0] != '\0');
    return words;
}

TEST(Environment, SlotsAreAWholeNumberWithinARingsBounds) {
    EXPECT_EQ(sla_ring_slots_from(nullptr), 0u);
    EXPECT_EQ(sla_ring_slots_from(""), 0u);
    EXPECT_EQ(sla_ring_slots_from("4096"), 4096u);
    EXPECT_EQ(sla_ring_slots_from("1"), SLA_FEWEST_RING_SLOTS);
    EXPECT_EQ(sla_ring_slots_from("99999999999999999999999"), SLA_MOST_RING_SLOTS);
    for (const char* wrong : {"abc", "12abc", "-5", "+5", " 5", "0x10", "0", "1e3"})
        EXPECT_EQ(sla_ring_slots_from(wrong), 0u) << wrong;
}

TEST(Environment, WhatMeansNothingIsSaidInWords) {
    EXPECT_EQ(problem_of("SLA_RING_SLOTS", "abc"), "SLA_RING_SLOTS=abc is ignored: it is no number of slots, 2 to 16777216");
    EXPECT_EQ(problem_of("SLA_RING_SLOTS", "1"), "SLA_RING_SLOTS=1 is taken as 2: a ring has 2 to 16777216 slots");
    EXPECT_EQ(problem_of("SLA_CLOCK", "foo"), "SLA_CLOCK=foo is ignored: there is only raw, for CLOCK_MONOTONIC_RAW");
    EXPECT_EQ(problem_of("SLA_RING_SLOTS", "4096"), "");
    EXPECT_EQ(problem_of("SLA_CLOCK", "raw"), "");
    for (const char* name : {"SLA_RING_SLOTS", "SLA_CLOCK"}) {
        EXPECT_EQ(problem_of(name, nullptr), "");
        EXPECT_EQ(problem_of(name, ""), "");
        EXPECT_LT(problem_of(name, std::string(5000, 'x').c_str()).size(), 150u);
    }
    EXPECT_EQ(problem_of("SLA_DEBUG", "no"), "") << "whatever it is, it is on";
}

}  // namespace
}  // namespace sla
