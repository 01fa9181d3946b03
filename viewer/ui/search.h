// Search over the whole capture, in steps of a frame's budget; every hit is kept, and marked on the lanes.
//
// What is typed may be, in this order:
//   a trigger        'net.rx then gap net.tx > 5ms'          places where it would have fired, as `sla find` finds them
//   levels           the lines of a trigger file             the same
//   a condition      'value > 100 and channel ~ net.*'       events (analysis/event_filter.h)
//   any other text   events whose channel, text or value contains it, capitals or not; in /slashes/ a regular expression
// A bare word that is no channel of the capture is text, not a trigger. Owner: the window's thread; belongs to one session.
#pragma once

#include "viewer/analysis/event_filter.h"
#include "viewer/analysis/hit_search.h"
#include "viewer/store/merged.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::ui {

struct Hit {
    std::uint64_t tick = 0;
    const store::Lane* lane = nullptr;  // null: a place in time, found by a trigger
    std::uint64_t index = 0;
    bool certain = true;
    std::string what;           // of a trigger: the stage that made it
    std::uint64_t repeats = 0;  // rows right behind it that were left out, as they differ in their time only
};

// Plain text in an event: its channel's name, its text or its value contains it; or a regular expression finds something.
class TextMatch {
public:
    static Result<TextMatch> parse(std::string_view text);
    [[nodiscard]] bool matches(const store::Place& place) const;

private:
    struct Pattern;  // a regular expression, kept out of this header
    std::string lower_;
    std::shared_ptr<const Pattern> pattern_;
};

enum class SearchMode { kNothing, kEverything, kTrigger, kCondition, kText, kWrong };

class Search {
public:
    // A filter of rows has no use for places in time: then triggers are not tried.
    enum class Over { kEverything, kEvents };
    explicit Search(const store::Session& session, Over over = Over::kEverything) : session_(session), over_(over) {}

    struct Listing {
        bool everything = false;  // without a text every event is a hit, not none
        bool collapse = false;    // an event that repeats the hit before in all but its time is counted, not kept
    };
    // Begins anew.
    void set(const std::string& text) { set(text, Listing{}); }
    void set(const std::string& text, Listing listing);
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] SearchMode mode() const { return mode_; }
    // kWrong: what is wrong with what was typed.
    [[nodiscard]] const std::string& problem() const { return problem_; }

    // Goes on for so long; also over what came since, when the session grows.
    void step(std::chrono::microseconds budget);
    [[nodiscard]] bool busy() const { return busy_; }
    [[nodiscard]] bool full() const { return hits_.size() >= kMost; }
    [[nodiscard]] const std::vector<Hit>& hits() const { return hits_; }
    // The hit at or after / before a tick, as a position in hits().
    [[nodiscard]] std::optional<std::size_t> next(std::uint64_t tick) const;
    [[nodiscard]] std::optional<std::size_t> previous(std::uint64_t tick) const;

    static constexpr std::size_t kMost = 1'000'000;

private:
    void begin(std::string_view text);
    bool step_trigger();
    bool step_events();
    [[nodiscard]] bool is_hit(const store::Place& place) const;
    // Counted in the hit before, which it repeats.
    bool collapse(const store::Place& place);

    const store::Session& session_;
    Over over_;
    std::string text_;
    Listing listing_;
    SearchMode mode_ = SearchMode::kNothing;
    std::string problem_;
    std::unique_ptr<analysis::HitSearch> trigger_;
    std::optional<analysis::EventFilter> condition_;
    std::optional<TextMatch> match_;
    std::optional<store::MergedCursor> cursor_;
    std::size_t lanes_ = 0;               // that the cursor walks over
    std::optional<store::Place> walked_;  // the last row that was looked at
    std::vector<Hit> hits_;               // by tick
    bool busy_ = false;
};

}  // namespace sla::ui
