// What a person has noted in a capture: named markers, measured ranges that are kept, bookmarks, and where t = 0 is.
// Plain values: copied, compared, saved.
#pragma once

#include "viewer/timeline/viewport.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sla::workspace {

struct Marker {
    std::string name;
    std::uint64_t tick = 0;
    bool operator==(const Marker&) const = default;
};

// A measurement that stays: from A to B as they stood.
struct KeptRange {
    std::string name;
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    bool operator==(const KeptRange&) const = default;
};

struct Bookmark {
    timeline::TickRange range;
    std::string note;
    bool operator==(const Bookmark&) const = default;
};

struct Annotations {
    std::vector<Marker> markers;  // in the order they were made
    std::vector<KeptRange> ranges;
    std::map<int, Bookmark> bookmarks;  // by digit, 0 to 9
    std::optional<std::uint64_t> zero;  // times are shown from here; nothing: from the capture's start

    bool operator==(const Annotations&) const = default;

    // "M1", "M2": the first name that is free.
    [[nodiscard]] std::string free_name(const char* prefix) const {
        for (int number = 1;; ++number) {
            std::string name = prefix + std::to_string(number);
            bool taken = false;
            for (const Marker& marker : markers) taken = taken || marker.name == name;
            for (const KeptRange& range : ranges) taken = taken || range.name == name;
            if (!taken) return name;
        }
    }
};

}  // namespace sla::workspace
