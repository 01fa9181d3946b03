// events: every row of the capture in order of time, as `sla table` writes them; or, for questions that group rows by what
// lanes, kinds or threads are called, group by group, so that SQLite need not sort.
#include "viewer/sql/tables/capture_events.h"
#include "viewer/sql/tables/event_groups.h"

#include <optional>
#include <utility>

namespace sla::sql {

namespace {

// Group after group, of each capture after capture.
class EventScan final : public Scan {
public:
    EventScan(const Captures& captures, const Request& request, const GoOn& go_on) : request_(request), go_on_(go_on) {
        auto groups = groups_of_events(captures, request, go_on);
        is_split_ = groups.has_value();
        if (groups) groups_ = std::move(*groups);
    }

    [[nodiscard]] const char* problem() const override {
        if (is_split_) return nullptr;
        return "rows of a channel name thousands of threads: group by +thread, which sorts them";
    }

    bool next() override {
        if (request_.one_of_each && events_) leave_group();
        for (;;) {
            if (events_ && events_->next(in_group_, go_on_)) return true;
            events_.reset();
            if (!step()) return false;
        }
    }
    [[nodiscard]] std::uint64_t number() const override { return events_->number(); }
    void put(std::size_t column, Cell& cell) override { events_->put(column, cell); }

private:
    void leave_group() {
        events_.reset();
        ++group_;
        part_ = 0;
    }
    // To the next lanes; false: there are none.
    bool step() {
        while (group_ < groups_.size() && part_ == groups_[group_].parts.size()) leave_group();
        if (group_ == groups_.size() || !go_on_()) return false;
        const EventGroup& group = groups_[group_];
        if (part_ == 0) in_group_ = request_of(group);
        const EventGroup::Part& part = group.parts[part_++];
        const bool are_alike = !request_.grouped.empty() || part.lanes.size() == 1;
        events_.emplace(*part.capture, in_group_, part.lanes, are_alike, go_on_);
        return true;
    }
    [[nodiscard]] Request request_of(const EventGroup& group) const {
        Request request = request_;
        for (const Role role : {Role::kKind, Role::kThread}) {
            const auto& text = role == Role::kKind ? group.kind : group.thread;
            if (text) request.names.push_back({role, Test::kEqual, *text});
        }
        return request;
    }

    const Request& request_;
    const GoOn& go_on_;
    std::vector<EventGroup> groups_;
    bool is_split_ = false;
    std::size_t group_ = 0;
    std::size_t part_ = 0;  // of it: behind the one that is read
    Request in_group_;
    std::optional<CaptureEvents> events_;
};

}  // namespace

Table events_table() {
    Table table;
    table.name = "events";
    table.what = "every event and every loss (kind 'gap'), in order of time";
    table.columns = {{"tick", "INTEGER", Role::kTick},
                     {"time_ns", "REAL", Role::kNanoseconds},
                     {"source", "TEXT", Role::kSource},
                     {"thread", "TEXT", Role::kThread},
                     {"channel", "TEXT", Role::kChannel},
                     {"kind", "TEXT", Role::kKind},
                     {"value", ""},
                     {"text", "TEXT"},
                     {"delta_ns", "REAL"},
                     {"error_ns", "REAL"},
                     {"time_ps", "INTEGER", Role::kPicoseconds},
                     {"utc_ns", "INTEGER", Role::kUtc},
                     {"detail0", "INTEGER"},
                     {"detail1", "INTEGER"},
                     {"capture", "TEXT", Role::kCapture},
                     {"channel_id", "INTEGER"},
                     {"row", "INTEGER"},
                     {"held", "INTEGER"}};
    table.is_in_tick_order = true;
    table.groups_by = {Role::kCapture, Role::kSource, Role::kChannel, Role::kKind, Role::kThread};
    table.rows = [](const Captures& captures) {
        return sum_of_lanes(captures, [](const store::Lane& lane) { return lane.size(); });
    };
    table.scan = scan_of<EventScan>;
    return table;
}

}  // namespace sla::sql
