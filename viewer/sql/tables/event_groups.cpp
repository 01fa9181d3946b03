#include "viewer/sql/tables/event_groups.h"

#include "viewer/store/unreadable_pages.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace sla::sql {

namespace {

using Key = std::vector<std::string_view>;

bool names(const Request& request, Role role) {
    return std::any_of(request.grouped.begin(), request.grouped.end(),
                       [&](const OrderTerm& term) { return term.role == role; });
}

std::vector<std::string_view> kinds_of(const store::Lane& lane, const Request& request, const GoOn& go_on) {
    if (!names(request, Role::kKind)) return {std::string_view()};
    std::vector<std::string_view> kinds;
    for (const wire::Kind kind : kEveryKind) {
        if (request.matches(Role::kKind, wire::kind_name(kind)) && has_kind(lane, kind, go_on))
            kinds.emplace_back(wire::kind_name(kind));
    }
    return kinds;
}

// Those that stamped rows of the lane, by their texts; nothing when there are too many.
std::optional<std::set<std::string_view>> threads_of(const NamedCapture& capture, const store::Lane& lane,
                                                     const Request& request, const GoOn& go_on) {
    if (!names(request, Role::kThread)) return std::set<std::string_view>{{}};
    std::set<std::uint32_t> ids;
    const TickRange range = request.ticks(capture);
    const std::uint64_t end = range.empty() ? 0 : lane.upper_bound(std::min(range.last, capture.session().final_tick()));
    std::uint32_t last = 0;
    for (std::uint64_t row = range.empty() ? 0 : lane.lower_bound(range.first); row < end && go_on();) {
        const store::Columns columns = lane.columns_from(row);
        const std::uint64_t count = std::min<std::uint64_t>(columns.rows, end - row);
        for (std::uint64_t at = 0; at < count; ++at) {
            if (columns.threads[at] == last && !ids.empty()) continue;
            last = columns.threads[at];
            ids.insert(last);
        }
        if (ids.size() > kMaxThreadsOfLane) return std::nullopt;
        row += count;
    }
    std::set<std::string_view> texts;
    for (const std::uint32_t id : ids) {
        const std::string& text = capture.thread_text(id);
        if (request.matches(Role::kThread, text)) texts.insert(text);
    }
    return texts;
}

Key key_of(const Request& request, const NamedCapture& capture, const LaneTexts& lane, std::string_view kind,
           std::string_view thread) {
    Key key;
    for (const OrderTerm& term : request.grouped) {
        switch (term.role) {
            case Role::kCapture: key.emplace_back(capture.name()); break;
            case Role::kSource: key.emplace_back(lane.source); break;
            case Role::kChannel: key.emplace_back(lane.channel); break;
            case Role::kKind: key.emplace_back(kind); break;
            default: key.emplace_back(thread); break;
        }
    }
    return key;
}

void add_lane(EventGroup& group, const NamedCapture& capture, const LaneTexts& lane) {
    if (group.parts.empty() || group.parts.back().capture != &capture) group.parts.push_back({&capture, {}});
    auto& lanes = group.parts.back().lanes;
    if (lanes.empty() || lanes.back() != &lane) lanes.push_back(&lane);
}

}  // namespace

bool has_kind(const store::Lane& lane, wire::Kind kind, const GoOn& go_on) {
    if (kind != wire::Kind::kGap) return lane.has(kind);
    bool has_gaps = !lane.gaps().empty();
    if (has_gaps) return true;
    store::each_page_looked_at(lane, 0, store::kNever, store::PageSource::Look::kCheck,
                               [&](const store::Page&, const std::optional<store::Gap>& gap) {
                                   has_gaps = gap.has_value();
                                   return !has_gaps && go_on();
                               });
    return has_gaps;
}

std::optional<std::vector<EventGroup>> groups_of_events(const Captures& captures, const Request& request,
                                                        const GoOn& go_on) {
    const auto is_before = [&](const Key& one, const Key& other) { return comes_before(request.grouped, one, other); };
    std::map<Key, EventGroup, decltype(is_before)> groups(is_before);
    for (const NamedCapture& capture : captures) {
        if (!request.matches(Role::kCapture, capture.name())) continue;
        for (const LaneTexts* lane : request.lanes(capture)) {
            const auto kinds = kinds_of(*lane->lane, request, go_on);
            const auto threads = threads_of(capture, *lane->lane, request, go_on);
            if (!threads) return std::nullopt;
            for (const std::string_view kind : kinds) {
                for (const std::string_view thread : *threads) {
                    EventGroup& group = groups[key_of(request, capture, *lane, kind, thread)];
                    if (names(request, Role::kKind)) group.kind = kind;
                    if (names(request, Role::kThread)) group.thread = thread;
                    add_lane(group, capture, *lane);
                }
            }
        }
    }
    std::vector<EventGroup> in_order;
    in_order.reserve(groups.size());
    for (auto& [key, group] : groups) in_order.push_back(std::move(group));
    return in_order;
}

}  // namespace sla::sql
