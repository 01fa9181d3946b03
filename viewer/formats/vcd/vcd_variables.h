// What a lane becomes in a value change dump: one variable for each way in which its events speak.
//
//   tick                 event          every tick without a value
//   a code with a value  integer/real   the value (64 bits; a wire when unsigned)
//   spans                wire/integer   how many are open
//   level                wire 1
//   text                 string
//   losses               wire 64        how many were lost; all others of the lane become x there
//   what was not kept    wire 64        the same, of what the agent's memory had given up
//
// A lane that needs one variable gives it its own name; of several each has a suffix. Which it needs its events say, so that
// they are walked over twice:
//
//   hold()   see() each row   declare()   put_start()   put_held()   put_event() each row
#pragma once

#include "viewer/formats/byte_buffer.h"
#include "viewer/formats/held_state.h"
#include "viewer/store/session.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sla::formats {

enum class VcdRole : std::uint8_t { kTick, kNumber, kSpan, kLevel, kText, kLost };

struct VcdVariable {
    std::string code;  // the short name in the file
    VcdRole role = VcdRole::kTick;
    std::uint8_t event_code = 0;  // of kNumber
    std::string type;             // "integer 64"
    std::string name;
    bool not_kept = false;  // of kLost
};

class VcdLane {
public:
    VcdLane(const store::Lane& lane, std::size_t number) : lane_(&lane), number_(number) {}

    // What holds where its rows begin.
    void hold(HeldState held);
    // One of the rows there will be.
    void see(std::uint64_t index, const store::Event& event);
    // Makes the variables; `next_code` counts them over all lanes.
    void declare(std::size_t& next_code);

    [[nodiscard]] const store::Lane& lane() const { return *lane_; }
    [[nodiscard]] std::size_t number() const { return number_; }
    [[nodiscard]] const std::vector<VcdVariable>& variables() const { return variables_; }

    // The changes that one event of the lane makes; `event` as a walk gives it.
    void put_event(std::uint64_t index, const store::Event& event, ByteBuffer& out);
    // Before anything is known.
    void put_start(ByteBuffer& out) const;
    [[nodiscard]] bool holds_anything() const { return open_.all() > 0 || level_ != store::Level::kUnknown; }
    void put_held(ByteBuffer& out) const;

private:
    void add(VcdRole role, std::uint8_t code, std::string type, const char* suffix, std::size_t& next_code);
    void add_numbers(std::size_t& next_code);
    void add_losses(std::size_t& next_code);
    void name_variables();
    [[nodiscard]] bool is_not_kept(std::uint64_t index) const;
    const std::string& code_of(VcdRole role, std::uint8_t event_code = 0) const;
    void put_number(const store::Event& event, ByteBuffer& out) const;
    void put_span(const store::Event& event, ByteBuffer& out);
    void put_open(ByteBuffer& out) const;
    [[nodiscard]] bool counts_spans() const { return most_open_ > 1; }
    void put_loss(std::uint64_t index, const store::Event& event, ByteBuffer& out);

    const store::Lane* lane_;
    std::size_t number_;
    std::array<bool, 16> codes_{};  // that its rows have
    bool has_lost_ = false;         // of its loss rows, those of what was lost, and of what was only not kept
    bool has_not_kept_ = false;
    OpenSpanCounts seen_open_;     // behind the rows that were seen
    std::uint64_t most_open_ = 0;  // at any of them: a filter may keep the ends of spans that do not overlap
    std::vector<VcdVariable> variables_;
    OpenSpanCounts open_;
    store::Level level_ = store::Level::kUnknown;  // where its rows begin
};

}  // namespace sla::formats
