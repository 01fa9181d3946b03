#include "viewer/workspace/view/view_json.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace sla::workspace {

namespace {

using nlohmann::json;

constexpr std::size_t kMaxListed = 100'000;  // of any list: a damaged file shall not fill the memory
constexpr std::uint64_t kLatestTick = std::uint64_t{1} << 61;
constexpr const char* kLooks[] = {"auto", "rate", "state", "marks"};

json json_of(const timeline::LaneStyle& style) {
    json out = json::object();
    if (!style.title.empty()) out["title"] = style.title;
    if (!style.group.empty()) out["group"] = style.group;
    if (style.hue) out["hue"] = *style.hue;
    if (style.offset_ticks != 0) out["offset_ticks"] = style.offset_ticks;
    if (style.look != timeline::LaneLook::kAuto) out["look"] = kLooks[static_cast<std::size_t>(style.look)];
    if (style.hidden) out["hidden"] = true;
    if (style.pinned) out["pinned"] = true;
    if (style.tall) out["tall"] = true;
    return out;
}

// Differences of two ticks stay within 64 bits.
std::optional<std::uint64_t> tick_in(const json& from, const char* name) {
    const auto tick = number_in(from, name);
    return tick && *tick <= kLatestTick ? tick : std::nullopt;
}

template <typename Visit>
void each(const json& list, Visit visit) {
    if (!list.is_array()) return;
    std::size_t count = 0;
    for (const json& one : list) {
        if (++count > kMaxListed) return;
        visit(one);
    }
}

timeline::LaneStyle lane_style(const json& from) {
    timeline::LaneStyle style;
    style.title = text_in(from, "title");
    style.group = text_in(from, "group");
    const auto hue = number_in(from, "hue");
    if (hue && *hue < 256) style.hue = static_cast<std::uint8_t>(*hue);
    const json& offset = part(from, "offset_ticks");
    constexpr auto kFarthest = static_cast<std::int64_t>(kLatestTick);
    if (offset.is_number_integer()) style.offset_ticks = std::clamp(offset.get<std::int64_t>(), -kFarthest, kFarthest);
    const std::string look = text_in(from, "look");
    for (std::size_t i = 0; i < std::size(kLooks); ++i) {
        if (look == kLooks[i]) style.look = static_cast<timeline::LaneLook>(i);
    }
    style.hidden = flag_in(from, "hidden");
    style.pinned = flag_in(from, "pinned");
    style.tall = flag_in(from, "tall");
    return style;
}

}  // namespace

json json_of(const timeline::LaneArrangement& lanes) {
    json out = {{"folded", lanes.folded}, {"order", lanes.order}, {"show_hidden", lanes.show_hidden}};
    out["styles"] = json::object();
    for (const auto& [key, style] : lanes.lanes) out["styles"][key] = json_of(style);
    out["links"] = json::array();
    for (const timeline::CauseLink& link : lanes.links) out["links"].push_back({{"from", link.from}, {"to", link.to}});
    return out;
}

json json_of(const Annotations& annotations) {
    json out = {{"markers", json::array()}, {"ranges", json::array()}, {"bookmarks", json::object()}};
    for (const Marker& marker : annotations.markers)
        out["markers"].push_back({{"name", marker.name}, {"tick", marker.tick}});
    for (const KeptRange& range : annotations.ranges) {
        out["ranges"].push_back({{"name", range.name}, {"from", range.from}, {"to", range.to}});
    }
    for (const auto& [digit, mark] : annotations.bookmarks) {
        out["bookmarks"][std::to_string(digit)] = {{"from", mark.range.first}, {"to", mark.range.last}, {"note", mark.note}};
    }
    if (annotations.zero) out["zero"] = *annotations.zero;
    return out;
}

json json_of(const std::vector<timeline::TickRange>& folds) {
    json out = json::array();
    for (const timeline::TickRange& fold : folds) out.push_back({{"from", fold.first}, {"to", fold.last}});
    return out;
}

json json_of(const StatisticsOptions& options) {
    json out = json::object();
    if (options.subtract_overhead) out["subtract_overhead"] = true;
    if (options.cull) out["cull_outliers"] = true;
    if (options.even_bars) out["even_bars"] = true;
    if (options.plain_counts) out["plain_counts"] = true;
    return out;
}

json json_of(const ShownPlace& shown) {
    if (shown.mode != ViewMode::kRange) return json::object();  // everything
    return {{"first_tick", shown.first_tick}, {"ticks_per_pixel", shown.ticks_per_pixel}};
}

const json& part(const json& from, const char* name) {
    static const json kNone;
    if (!from.is_object()) return kNone;
    const auto found = from.find(name);
    return found == from.end() ? kNone : *found;
}

std::string text_in(const json& from, const char* name) {
    const json& found = part(from, name);
    return found.is_string() ? found.get<std::string>() : std::string();
}

bool flag_in(const json& from, const char* name) {
    const json& found = part(from, name);
    return found.is_boolean() && found.get<bool>();
}

std::optional<std::uint64_t> number_in(const json& from, const char* name) {
    const json& found = part(from, name);
    if (!found.is_number_unsigned()) return std::nullopt;
    return found.get<std::uint64_t>();
}

timeline::LaneArrangement arrangement_in(const json& from) {
    timeline::LaneArrangement lanes;
    each(part(from, "folded"), [&](const json& key) {
        if (key.is_string()) lanes.folded.insert(key.get<std::string>());
    });
    const json& orders = part(from, "order");
    if (orders.is_object()) {
        for (const auto& [key, list] : orders.items()) {
            each(list, [&, &order = lanes.order[key]](const json& child) {
                if (child.is_string()) order.push_back(child.get<std::string>());
            });
        }
    }
    const json& styles = part(from, "styles");
    if (styles.is_object()) {
        for (const auto& [key, style] : styles.items()) lanes.set_style(key, lane_style(style));
    }
    each(part(from, "links"), [&](const json& link) {
        lanes.links.push_back({text_in(link, "from"), text_in(link, "to")});
    });
    lanes.show_hidden = flag_in(from, "show_hidden");
    return lanes;
}

Annotations annotations_in(const json& from) {
    Annotations annotations;
    each(part(from, "markers"), [&](const json& one) {
        if (const auto tick = tick_in(one, "tick")) annotations.markers.push_back({text_in(one, "name"), *tick});
    });
    each(part(from, "ranges"), [&](const json& one) {
        const auto first = tick_in(one, "from");
        const auto last = tick_in(one, "to");
        if (first && last) annotations.ranges.push_back({text_in(one, "name"), *first, *last});
    });
    const json& bookmarks = part(from, "bookmarks");
    for (int digit = 0; digit <= 9; ++digit) {
        const json& one = part(bookmarks, std::to_string(digit).c_str());
        const auto first = tick_in(one, "from");
        const auto last = tick_in(one, "to");
        if (first && last && *first <= *last) annotations.bookmarks[digit] = {{*first, *last}, text_in(one, "note")};
    }
    annotations.zero = tick_in(from, "zero");
    return annotations;
}

std::vector<timeline::TickRange> folds_in(const json& from) {
    std::vector<timeline::TickRange> folds;
    each(from, [&](const json& one) {
        const auto first = tick_in(one, "from");
        const auto last = tick_in(one, "to");
        if (first && last && *first < *last) folds.push_back({*first, *last});
    });
    return folds;
}

StatisticsOptions statistics_options_in(const json& from) {
    return {flag_in(from, "subtract_overhead"), flag_in(from, "cull_outliers"), flag_in(from, "even_bars"),
            flag_in(from, "plain_counts")};
}

ShownPlace shown_in(const json& from) {
    const auto first = tick_in(from, "first_tick");
    const json& ticks = part(from, "ticks_per_pixel");
    if (!first || !ticks.is_number()) return {};
    const auto per_pixel = ticks.get<double>();
    if (!(per_pixel >= timeline::Viewport::kMinTicksPerPixel && per_pixel <= timeline::Viewport::kMaxTicksPerPixel))
        return {};
    return {ViewMode::kRange, *first, per_pixel};
}

std::optional<timeline::Cursor> cursor_in(const json& from, const char* name) {
    const auto tick = tick_in(from, name);
    if (!tick) return std::nullopt;
    return timeline::Cursor{*tick, false};
}

json json_of(const std::vector<KeptQuestion>& questions) {
    json out = json::array();
    for (const KeptQuestion& one : questions)
        out.push_back({{"name", one.name}, {"sql", one.text}, {"form", form_name(one.form)}});
    return out;
}

std::vector<KeptQuestion> questions_in(const json& from) {
    std::vector<KeptQuestion> questions;
    each(from, [&](const json& one) {
        const std::string form = text_in(one, "form");
        for (const QuestionForm known : {QuestionForm::kAnswer, QuestionForm::kLane, QuestionForm::kColumn}) {
            if (form == form_name(known)) (void)keep_question(questions, {text_in(one, "name"), text_in(one, "sql"), known});
        }
    });
    return questions;
}

}  // namespace sla::workspace
