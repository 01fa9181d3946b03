// Plain text in an event: its channel's name, its text or its value contains it, capitals or not; or a regular expression
// in /slashes/ finds something there. Value type; any thread.
#pragma once

#include "proto/base/result.h"
#include "viewer/store/merged.h"

#include <memory>
#include <string>
#include <string_view>

namespace sla::workspace {

class TextMatch {
public:
    static Result<TextMatch> parse(std::string_view text);
    // It stands in slashes.
    static bool is_pattern(std::string_view text) { return text.size() >= 2 && text.front() == '/' && text.back() == '/'; }

    // Every row of the lane matches, by its name.
    [[nodiscard]] bool matches_name(const store::Lane& lane) const { return is_in(lane.channel().name); }
    // Some row of the lane may match. What is in no number need not be looked for where no text is: no event's own, none that
    // the channel's format makes, none of a loss.
    [[nodiscard]] bool may_match(const store::Lane& lane) const;
    // By its text or its value. 100 ns and more.
    [[nodiscard]] bool matches(const store::Lane& lane, std::uint64_t index, const store::Event& event) const;

private:
    struct Pattern;  // a regular expression, kept out of this header

    [[nodiscard]] bool is_in(std::string text) const;

    std::string lower_;
    std::shared_ptr<const Pattern> pattern_;
};

}  // namespace sla::workspace
