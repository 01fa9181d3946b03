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
// A lane that needs one variable gives it its own name; of several each has a suffix.
#pragma once

#include "viewer/formats/byte_buffer.h"
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
    // `next_code` counts variables over all lanes.
    VcdLane(const store::Lane& lane, std::size_t number, std::size_t& next_code);

    [[nodiscard]] const store::Lane& lane() const { return *lane_; }
    [[nodiscard]] std::size_t number() const { return number_; }
    [[nodiscard]] const std::vector<VcdVariable>& variables() const { return variables_; }

    // The changes that one event of the lane makes.
    void put_event(std::uint64_t index, ByteBuffer& out);
    // Before anything is known.
    void put_start(ByteBuffer& out) const;

private:
    void add(VcdRole role, std::uint8_t code, std::string type, const char* suffix, std::size_t& next_code);
    void add_losses(std::size_t& next_code);
    void find_codes();
    const std::string& code_of(VcdRole role, std::uint8_t event_code = 0) const;
    void put_number(const store::Event& event, ByteBuffer& out) const;
    void put_span(const store::Event& event, ByteBuffer& out);
    void put_loss(std::uint64_t index, ByteBuffer& out);

    const store::Lane* lane_;
    std::size_t number_;
    std::array<bool, 16> codes_{};  // that the lane's events have
    std::vector<VcdVariable> variables_;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> open_;  // by thread
};

}  // namespace sla::formats
