#include "viewer/ui/search.h"

#include "proto/trigger/parser.h"
#include "viewer/analysis/selection.h"
#include "viewer/timeline/value_at.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace sla::ui {

namespace {

constexpr int kRowsBetweenLooks = 4096;             // at the clock
constexpr std::size_t kLongestRegexSubject = 4096;  // std::regex recurses by character

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

bool names_a_lane(const store::Session& session, const trigger::Condition& condition) {
    for (const trigger::Condition& part : condition.parts) {
        if (names_a_lane(session, part)) return true;
    }
    for (const trigger::Name* name : {&condition.a, &condition.b}) {
        if (!name->text.empty() && !analysis::matching_lanes(session, name->text).empty()) return true;
    }
    return false;
}

// "value > 3" reads as a trigger on a channel "value": only one that looks at some lane is meant as one.
bool names_a_lane(const store::Session& session, const trigger::Expression& expression) {
    return std::any_of(expression.stages.begin(), expression.stages.end(),
                       [&](const trigger::Stage& stage) { return names_a_lane(session, stage.condition); });
}

std::vector<const store::Lane*> all_lanes(const store::Session& session) {
    return {session.lanes().begin(), session.lanes().end()};
}

}  // namespace

struct TextMatch::Pattern {
    std::regex regex;
};

Result<TextMatch> TextMatch::parse(std::string_view text) {
    TextMatch match;
    if (text.size() >= 2 && text.front() == '/' && text.back() == '/') {
        try {
            const std::string inner(text.substr(1, text.size() - 2));
            match.pattern_ =
                std::make_shared<Pattern>(Pattern{std::regex(inner, std::regex::ECMAScript | std::regex::optimize)});
        } catch (const std::regex_error&) {
            return invalid_input("'" + std::string(text) + "' is not a regular expression");
        }
        return match;
    }
    match.lower_ = lower(std::string(text));
    return match;
}

bool TextMatch::matches(const store::Place& place) const {
    const auto in = [&](std::string text) {
        if (!pattern_) return lower(std::move(text)).find(lower_) != std::string::npos;
        if (text.size() > kLongestRegexSubject) text.resize(kLongestRegexSubject);
        return std::regex_search(text, pattern_->regex);
    };
    if (in(place.lane->channel().name)) return true;
    const std::string text = place.lane->text(place.index);
    if (!text.empty() && in(text)) return true;
    const std::string value = timeline::value_text((*place.lane)[place.index]);
    return !value.empty() && in(value);
}

void Search::set(const std::string& text, Listing listing) {
    text_ = text;
    listing_ = listing;
    mode_ = SearchMode::kNothing;
    problem_.clear();
    trigger_.reset();
    condition_.reset();
    match_.reset();
    cursor_.reset();
    walked_.reset();
    hits_.clear();
    busy_ = false;
    const std::size_t begin_at = text.find_first_not_of(' ');
    if (begin_at == std::string::npos) {
        busy_ = listing.everything;
        if (listing.everything) mode_ = SearchMode::kEverything;
        return;
    }
    begin(std::string_view(text).substr(begin_at, text.find_last_not_of(' ') - begin_at + 1));
}

void Search::begin(std::string_view text) {
    busy_ = true;
    const auto levels = trigger::parse_sequencer(text);
    if (over_ == Over::kEverything && levels && !levels->levels.empty()) {
        mode_ = SearchMode::kTrigger;
        trigger_ = std::make_unique<analysis::HitSearch>(session_, trigger::Trigger(*levels));
        return;
    }
    const bool regex = text.size() >= 2 && text.front() == '/' && text.back() == '/';
    const auto trigger = trigger::parse_expression(text);
    const bool known = trigger && names_a_lane(session_, *trigger);
    if (over_ == Over::kEverything && !regex && trigger && known) {
        mode_ = SearchMode::kTrigger;
        trigger_ = std::make_unique<analysis::HitSearch>(session_, trigger::Trigger(*trigger));
        return;
    }
    auto condition = analysis::EventFilter::parse(text);
    if (!regex && condition) {
        mode_ = SearchMode::kCondition;
        condition_ = std::move(*condition);
        return;
    }
    auto match = TextMatch::parse(text);
    // With signs of a condition in it, it was meant as one.
    const bool meant = !regex && text.find_first_of("<>=") != std::string_view::npos;
    if (!match || meant) {
        mode_ = SearchMode::kWrong;
        problem_ = !match    ? match.error().message
                   : trigger ? "no channel here has a name that this trigger looks at"
                             : condition.error().message;
        busy_ = false;
        return;
    }
    mode_ = SearchMode::kText;
    match_ = std::move(*match);
}

void Search::step(std::chrono::microseconds budget) {
    if (mode_ == SearchMode::kNothing || mode_ == SearchMode::kWrong || full()) {
        busy_ = false;
        return;
    }
    const auto until = std::chrono::steady_clock::now() + budget;
    do {
        busy_ = mode_ == SearchMode::kTrigger ? step_trigger() : step_events();
    } while (busy_ && !full() && std::chrono::steady_clock::now() < until);
}

bool Search::step_trigger() {
    const bool more = trigger_->step();
    const auto& found = trigger_->hits();
    for (std::size_t i = hits_.size(); i < found.size() && !full(); ++i) {
        hits_.push_back({found[i].tick, nullptr, 0, found[i].certain, found[i].what});
    }
    return more;
}

bool Search::step_events() {
    const std::uint64_t until = session_.final_tick();
    if (!cursor_ || lanes_ != session_.lanes().size()) {  // a lane that came later: what it has is new, all of it
        cursor_.emplace(all_lanes(session_), until);
        lanes_ = session_.lanes().size();
        if (walked_) {
            cursor_->seek(*walked_);
            cursor_->next();
        }
    }
    cursor_->extend(until);
    for (int i = 0; i < kRowsBetweenLooks; ++i) {
        const auto place = cursor_->next();
        if (!place) return false;
        walked_ = place;
        if (!is_hit(*place) || collapse(*place)) continue;
        hits_.push_back({place->tick, place->lane, place->index, true, {}});
    }
    return true;
}

bool Search::is_hit(const store::Place& place) const {
    if (condition_) return condition_->matches(session_, place);
    return !match_ || match_->matches(place);
}

bool Search::collapse(const store::Place& place) {
    if (!listing_.collapse || hits_.empty()) return false;
    Hit& before = hits_.back();
    if (before.lane != place.lane || before.index + before.repeats + 1 != place.index) return false;
    const store::Event one = (*place.lane)[before.index];
    const store::Event other = (*place.lane)[place.index];
    const bool same = one.code == other.code && one.value == other.value && one.thread == other.thread &&
                      one.kind() != wire::Kind::kGap && place.lane->text(before.index) == place.lane->text(place.index);
    if (same) ++before.repeats;
    return same;
}

std::optional<std::size_t> Search::next(std::uint64_t tick) const {
    const auto at = std::lower_bound(hits_.begin(), hits_.end(), tick,
                                     [](const Hit& hit, std::uint64_t wanted) { return hit.tick < wanted; });
    if (at == hits_.end()) return std::nullopt;
    return static_cast<std::size_t>(at - hits_.begin());
}

std::optional<std::size_t> Search::previous(std::uint64_t tick) const {
    const auto after = std::lower_bound(hits_.begin(), hits_.end(), tick,
                                        [](const Hit& hit, std::uint64_t wanted) { return hit.tick < wanted; });
    if (after == hits_.begin()) return std::nullopt;
    return static_cast<std::size_t>(after - hits_.begin()) - 1;
}

}  // namespace sla::ui
