// Random captures of two channels, of which some events are lost, for as long as the loss says or nobody says how long; with
// all that happened.
#pragma once

#include "proto/common/trigger/parser.h"
#include "tests/support/capture_builder.h"
#include "viewer/analysis/filter/hit_search.h"
#include "viewer/analysis/intervals/intervals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sla::analysis {

class RandomLosses : public ::testing::Test {
protected:
    enum class Sort { kTicks, kSpans, kLevels };
    using Spots = std::set<std::pair<std::uint64_t, std::uint64_t>>;  // begin and end

    struct Happening {
        std::uint64_t tick = 0;
        std::uint8_t code = 0;
        std::uint64_t value = 0;
        std::uint32_t thread = 0;
        bool lost = false;
    };
    struct Loss {
        std::uint64_t tick = 0;
        std::uint64_t until = 0;  // 0: it does not say
        std::uint32_t thread = 0;
        std::uint64_t lost = 0;
    };
    struct Truth {
        std::vector<Happening> events;
        std::vector<Loss> losses;
    };

    // Of `threads` threads; ticks are those that leave `remainder` when divided by 4, so that no two lanes share one.
    Truth truth_of(Sort sort, std::uint64_t remainder, std::uint32_t threads) {
        Truth truth;
        std::uint64_t tick = 100;
        for (std::uint64_t i = 5 + random_() % 40; i > 0; --i) {
            tick += 1 + random_() % 20;
            Happening one{4 * tick + remainder, SLA_CODE_TICK, 0, 1 + static_cast<std::uint32_t>(random_() % threads)};
            if (sort == Sort::kSpans) one.code = random_() % 2 == 0 ? SLA_CODE_BEGIN : SLA_CODE_END;
            if (sort == Sort::kLevels) one.code = SLA_CODE_LEVEL;
            if (sort == Sort::kLevels) one.value = random_() % 2;
            truth.events.push_back(one);
        }
        for (std::uint64_t i = random_() % 3; i > 0; --i) lose_some(truth, threads);
        return truth;
    }
    // Some of those in a stretch of time; or, where it does not say how long it is, all up to the next that is not. Such a
    // one is alone: another loss would be word of its thread.
    void lose_some(Truth& truth, std::uint32_t threads) {
        Loss loss;
        loss.tick = truth.events[random_() % truth.events.size()].tick - 2;
        loss.thread = static_cast<std::uint32_t>(random_() % (threads + 1));
        if (!truth.losses.empty() && truth.losses.back().until == 0) return;
        const bool says = !truth.losses.empty() || random_() % 4 != 0;
        const std::uint64_t end = loss.tick + 4 * (1 + random_() % 150);
        if (says) loss.until = end;
        for (Happening& one : truth.events) {
            if (one.tick < loss.tick || one.tick >= end || (loss.thread != 0 && loss.thread != one.thread)) continue;
            if (!one.lost && random_() % 3 == 0) {
                if (!says) break;
                continue;
            }
            loss.lost += one.lost ? 0 : 1;
            one.lost = true;
        }
        if (loss.lost > 0) truth.losses.push_back(loss);
    }
    static void put(const Truth& truth, std::uint32_t channel, support::CaptureBuilder& capture) {
        for (const Happening& one : truth.events) {
            if (!one.lost) capture.event(channel, one.tick, one.code, one.value, one.thread);
        }
        for (const Loss& loss : truth.losses) {
            capture.gap(channel, loss.tick, loss.lost, wire::LossCause::kOverrun, loss.until, loss.thread);
        }
    }
    void make(Sort a, Sort b, std::uint32_t threads) {
        a_ = truth_of(a, 0, threads);
        b_ = truth_of(b, 1, threads);
        support::CaptureBuilder capture(0);
        for (std::uint32_t i = 2; i <= threads; ++i) capture.thread("t", i);
        put(a_, capture.channel("a"), capture);
        put(b_, capture.channel("b"), capture);
        session_ = std::make_unique<store::Session>();
        capture.fill(*session_);
    }
    [[nodiscard]] const store::Lane& lane(const char* name) const { return *session_->lane_named(name); }

    static std::vector<std::uint64_t> starts_of(const Truth& truth) {
        std::vector<std::uint64_t> starts;
        bool high = false;
        for (const Happening& one : truth.events) {
            const bool rises = one.value != 0 && !high;
            if (one.code == SLA_CODE_LEVEL) high = one.value != 0;
            if (one.code == SLA_CODE_LEVEL ? rises : one.code != SLA_CODE_END) starts.push_back(one.tick);
        }
        return starts;
    }
    static Spots true_pairs(const Truth& a, const Truth& b) {
        const std::vector<std::uint64_t> begins = starts_of(a);
        Spots pairs;
        std::uint64_t before = 0;  // the end of the pair before
        for (const std::uint64_t end : starts_of(b)) {
            const auto behind = std::lower_bound(begins.begin(), begins.end(), end);
            if (behind != begins.begin() && *(behind - 1) >= before) pairs.emplace(*(behind - 1), end);
            before = end;
        }
        return pairs;
    }
    // Of a loss of one thread that does not say how long it lasted the channel's next row is taken for its end.
    static bool are_ends_known(const Truth& truth) {
        return std::all_of(truth.losses.begin(), truth.losses.end(),
                           [](const Loss& loss) { return loss.until != 0 || loss.thread == 0; });
    }
    static bool is_anyones_loss(const Truth& truth) {
        return std::any_of(truth.losses.begin(), truth.losses.end(),
                           [](const Loss& loss) { return loss.until == 0 && loss.thread == 0; });
    }
    static Spots true_gaps(const Truth& truth) {
        Spots gaps;
        for (std::size_t i = 1; i < truth.events.size(); ++i) gaps.emplace(truth.events[i - 1].tick, truth.events[i].tick);
        return gaps;
    }
    using OpenSpans = std::map<std::uint32_t, std::vector<std::uint64_t>>;  // begins of each thread
    static Spots true_spans(const Truth& truth) {
        Spots spans;
        OpenSpans open;
        walk_spans(truth, open, spans);
        return spans;
    }
    static OpenSpans open_spans(const Truth& truth) {
        Spots spans;
        OpenSpans open;
        walk_spans(truth, open, spans);
        return open;
    }
    static void walk_spans(const Truth& truth, OpenSpans& open, Spots& spans) {
        for (const Happening& one : truth.events) {
            auto& stack = open[one.thread];
            if (one.code == SLA_CODE_BEGIN) stack.push_back(one.tick);
            if (one.code != SLA_CODE_END || stack.empty()) continue;
            spans.emplace(stack.back(), one.tick);
            stack.pop_back();
        }
    }

    static Spots true_pulses(const Truth& truth) {
        Spots pulses;
        std::uint64_t risen = 0;  // 0: it is low, or nobody said
        for (const Happening& one : truth.events) {
            if (one.code != SLA_CODE_LEVEL) continue;
            if (one.value == 0 && risen != 0) pulses.emplace(risen, one.tick);
            if (one.value == 0 || risen == 0) risen = one.value != 0 ? one.tick : 0;
        }
        return pulses;
    }

    struct Found {
        Spots whole;
        std::uint64_t lossy = 0;
        std::uint64_t unfinished = 0;
        void operator()(const Interval& one) {
            if (one.state == IntervalState::kWhole) whole.emplace(one.begin_tick, one.end_tick);
            lossy += one.state == IntervalState::kLossy ? 1 : 0;
            unfinished += one.state == IntervalState::kUnfinished ? 1 : 0;
        }
    };
    static bool is_within(const Spots& some, const Spots& all) {
        return std::includes(all.begin(), all.end(), some.begin(), some.end());
    }
    [[nodiscard]] std::vector<FoundHit> found(const std::string& expression) const {
        HitSearch search(*session_, trigger::Trigger(*trigger::parse_expression(expression)));
        while (search.step()) {
        }
        return search.hits();
    }
    [[nodiscard]] Found pairs(const Selection& range = {}) const {
        Found found;
        each_pair_interval(lane("a"), lane("b"), range, std::ref(found));
        return found;
    }
    // With the same pairs whole as in the capture as such, where they lie in the range.
    void check_ranges(const Found& all) {
        Selection range;
        range.from = 400 + random_() % 2'000;
        range.until = range.from + random_() % 2'000;
        Spots inside;
        for (const auto& [begin, end] : all.whole) {
            if (range.holds(begin) && range.holds(end)) inside.emplace(begin, end);
        }
        EXPECT_EQ(pairs(range).whole, inside) << range.from << " " << range.until;
    }

    std::mt19937_64 random_{29};
    Truth a_;
    Truth b_;
    std::unique_ptr<store::Session> session_;
    static constexpr Sort kSorts[] = {Sort::kTicks, Sort::kSpans, Sort::kLevels};
};

}  // namespace sla::analysis
