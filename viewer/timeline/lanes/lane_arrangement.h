// How a person wants the lanes: names, colours, places, what is hidden or pinned. A plain value: copied, compared, saved.
//
// Lanes, groups and sources are named by keys that mean the same in the next recording of the same programs:
//
//   "zpipe"            a source            (a second one of that name: "zpipe#2")
//   "zpipe/read"       a group in it       "zpipe/read/bytes" the channel read.bytes is the lane "zpipe:read.bytes"
//   "@mine"            a group of the person's own making
//   "?"                answers to questions, "?:queue" the one of that name
//   "~ended"           the programs that have ended, while others live
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sla::timeline {

enum class LaneLook : std::uint8_t {
    kAuto,   // as its events say: see look_of
    kRate,   // events a second, as a strip
    kState,  // every value or text as a coloured interval until the next
    kMarks,  // every event where it happened
};

struct LaneStyle {
    std::string title;  // empty: the channel's own name
    std::string group;  // of the person's own making; empty: where its name puts it
    std::optional<std::uint8_t> hue;
    std::int64_t offset_ticks = 0;  // the lane is drawn so much later
    LaneLook look = LaneLook::kAuto;
    bool hidden = false;
    bool pinned = false;  // stays on top while the others scroll
    bool tall = false;
    bool operator==(const LaneStyle&) const = default;
};

// Arrows from an event of one lane to the next event of another one that carries the same value.
struct CauseLink {
    std::string from;  // lane keys
    std::string to;
    bool operator==(const CauseLink&) const = default;
};

inline const std::string kEndedKey = "~ended";
inline const std::string kDerivedKey = "?";

struct LaneArrangement {
    std::map<std::string, LaneStyle> lanes;                 // only those that differ from the default
    std::set<std::string> folded;                           // and "~ended" when it is not: see is_folded
    std::map<std::string, std::vector<std::string>> order;  // keys of children by their parent's key; others follow by name
    std::vector<CauseLink> links;
    bool show_hidden = false;

    bool operator==(const LaneArrangement&) const = default;

    [[nodiscard]] const LaneStyle& style(const std::string& key) const {
        static const LaneStyle kDefault;
        const auto found = lanes.find(key);
        return found == lanes.end() ? kDefault : found->second;
    }
    // Everything is unfolded until the person folds it; what has ended the other way round.
    [[nodiscard]] bool is_folded(const std::string& key) const { return folded.contains(key) != (key == kEndedKey); }
    void toggle_fold(const std::string& key) {
        if (folded.erase(key) == 0) folded.insert(key);
    }
    [[nodiscard]] bool has_link(const CauseLink& link) const {
        return std::find(links.begin(), links.end(), link) != links.end();
    }
    // There where it was not, gone where it was.
    void toggle_link(const CauseLink& link) {
        if (std::erase(links, link) == 0) links.push_back(link);
    }
    void set_style(const std::string& key, const LaneStyle& style) {
        if (style == LaneStyle{}) {
            lanes.erase(key);
        } else {
            lanes[key] = style;
        }
    }
};

}  // namespace sla::timeline
