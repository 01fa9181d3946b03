// CaptureEvents: a walk over rows of `events`, those of some lanes of one capture, in order of time. Private to the room. A
// row costs some 20 ns beside what SQLite does with it; of what the question does not look at nothing is made, and rows that
// are only counted are not read.
#pragma once

#include "viewer/sql/tables/table.h"
#include "viewer/store/merged_rows.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sla::sql {

enum EventColumn : std::size_t {
    kTickColumn,
    kTimeNsColumn,
    kSourceColumn,
    kThreadColumn,
    kChannelColumn,
    kKindColumn,
    kValueColumn,
    kTextColumn,
    kDeltaColumn,
    kErrorColumn,
    kTimePsColumn,
    kUtcColumn,
    kDetail0Column,
    kDetail1Column,
    kEventCaptureColumn,
    kChannelIdColumn,
    kRowColumn,
    kHeldColumn,
};

// In the chunks that will be read, lanes that no row is wanted of need not be made ready.
class Narrowing {
public:
    Narrowing(const store::Session& session, const std::vector<const store::Lane*>& lanes, const TickRange& range);
    ~Narrowing();
    Narrowing(const Narrowing&) = delete;
    Narrowing& operator=(const Narrowing&) = delete;

private:
    store::PageSource* pages_;
    std::vector<std::uint32_t> chunks_;
};

class CaptureEvents {
public:
    // Lanes in order of channel id; all that the question looks at of them alike: rows may be counted instead of read.
    CaptureEvents(const NamedCapture& capture, const Request& request, const std::vector<const LaneTexts*>& lanes,
                  bool are_alike, const GoOn& go_on);

    // False: there are no more, or stopped.
    bool next(const Request& request, const GoOn& go_on);
    // See Scan.
    [[nodiscard]] std::uint64_t number() const;
    void put(std::size_t column, Cell& cell);

private:
    static constexpr std::uint32_t kRowsPerLook = 1 << 14;

    // Rows of a lane that are only counted.
    struct Counted {
        std::uint64_t first_number = 0;
        std::uint64_t left = 0;
    };
    bool count_one();
    void choose_kinds(const Request& request);
    [[nodiscard]] bool may_hold(const store::Lane& lane, const GoOn& go_on) const;
    bool is_wanted(const Request& request);
    [[nodiscard]] std::string_view thread_text();
    // Of a row that is only counted, any of them.
    [[nodiscard]] const LaneTexts& texts() const { return *lanes_[row_ == nullptr ? 0 : row_->lane]; }
    [[nodiscard]] const store::Lane& lane() const { return *texts().lane; }
    // It only says what held where a part begins.
    [[nodiscard]] bool is_held(std::uint64_t tick) const { return tick < capture_->session().origin().begin_tick; }
    void put_distance(bool as_error, Cell& cell) const;
    void put_text(Cell& cell);

    const NamedCapture* capture_;
    std::vector<const LaneTexts*> lanes_;
    std::optional<Narrowing> narrowing_;
    std::optional<store::MergedRows> rows_;  // none: rows are only counted
    const store::MergedRows::Row* row_ = nullptr;
    std::vector<Counted> counted_;   // the lane in hand last
    std::array<bool, 256> kinds_{};  // by code
    std::array<std::string_view, 256> kind_texts_{};
    std::uint8_t wanted_ = 0;                          // kind_bit()s
    bool has_threads_ = false;                         // the request names some
    std::unordered_map<std::uint32_t, bool> threads_;  // by id: whether it is one of them
    bool knows_thread_ = false;
    bool is_thread_ = false;
    std::uint32_t thread_ = 0;
    std::uint32_t reported_thread_ = 0;
    std::string_view reported_text_;  // of reported_thread_; empty: of none
    std::string scratch_;
};

}  // namespace sla::sql
