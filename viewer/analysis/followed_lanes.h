// FollowedLanes: the lanes of a session that grows, for who walks over their rows once as they become final. A fleet's session
// is opened anew now and then: its lanes are other ones then, and go on where they were.
//
//   lane    walked over ──┬── final now ──┬── may still be joined by others' ──►
//                       row              end
#pragma once

#include "viewer/store/session.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sla::analysis {

// What has become final: rows with ticks in [from, until). Where nothing more is waited for, sources that make up their time may
// have rows beyond what is known of all others: of those no row behind `known` is walked over, since others may be missing.
struct FinalRows {
    const store::Session& session;
    std::uint64_t from = 0;
    std::uint64_t until = store::kNever;
    // What a lane is called in whatever session; empty: there is only this one.
    std::function<std::string(const store::Lane&)> name_of = {};
    // The first rows of a lane that were walked over before, though others of their time were not.
    std::function<std::uint64_t(const store::Lane&)> given = {};
    std::uint64_t known = store::kNever;  // by the machine's clock: nothing at or below it is still to come

    // Where rows end that the machine's clock stamps.
    [[nodiscard]] std::uint64_t machine_until() const { return known < until ? known + 1 : until; }
    [[nodiscard]] std::uint64_t given_of(const store::Lane& lane) const { return given ? given(lane) : 0; }
};

bool is_called_any_of(const std::string& channel, const std::vector<std::string>& globs);

struct FollowedLane {
    const store::Lane* lane = nullptr;  // null: the session that there is now does not have it
    std::string channel;
    bool is_over = false;      // its program had ended when the lane was looked at last, and no rows are left
    bool is_beyond = false;    // nothing is known of it from the first of the final rows on
    std::uint64_t row = 0;     // the first that was not walked over
    std::uint64_t end = 0;     // of those that are final
    std::uint64_t newest = 0;  // tick of the last that was walked over

    // No row is written of it where nothing was counted: its program has ended, or nothing is known of it here.
    [[nodiscard]] bool is_past() const { return is_over || is_beyond; }
    [[nodiscard]] bool is_called_any_of(const std::vector<std::string>& globs) const {
        return analysis::is_called_any_of(channel, globs);
    }
};

class FollowedLanes {
public:
    // Finds the rows of each lane.
    void take(const FinalRows& rows);
    // All of them were walked over.
    void pass();

    // Whatever was there, but for lanes that were over before the first row; references stay valid.
    [[nodiscard]] const std::deque<FollowedLane>& all() const { return lanes_; }
    // Since take(): those from this one on are new.
    [[nodiscard]] std::size_t first_new() const { return first_new_; }
    // Since take(): the lanes are those of another session.
    [[nodiscard]] bool have_moved() const { return have_moved_; }
    // Null: it has none of that lane.
    [[nodiscard]] const FollowedLane* find(const store::Lane& lane) const;

private:
    static constexpr std::size_t kNowhere = ~std::size_t{0};
    [[nodiscard]] bool is_on_same_axis(const store::Session& session) const;
    void move_to(const FinalRows& rows);
    void add_new(const FinalRows& rows);

    std::deque<FollowedLane> lanes_;
    std::unordered_map<const store::Lane*, std::size_t> places_;  // kNowhere: it is not followed
    std::unordered_map<std::string, std::size_t> names_;
    const store::Session* session_ = nullptr;
    std::string boot_id_;
    std::uint64_t start_tick_ = 0;
    std::uint64_t begin_ = 0;   // where the first rows began
    std::uint64_t passed_ = 0;  // ticks below it
    std::size_t first_new_ = 0;
    bool have_moved_ = false;
};

}  // namespace sla::analysis
