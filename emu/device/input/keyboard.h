// A PC/AT keyboard as its two wires show it: commands come in, bytes of scan code set 2 go out.
//
// The keyboard holds 16 bytes and drops what comes on top, as the real one does. Owned by the machine's thread.
#pragma once

#include "emu/bus/state_visitor.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace sla::device {

class Keyboard {
public:
    // A key by its place in scan code set 2; `extended` keys send E0h first.
    struct Key {
        std::uint8_t code = 0;
        bool extended = false;
    };

    // False: scanning is off or the buffer full, the key is lost.
    bool press(Key key) { return send_key(key, false); }
    bool release(Key key) { return send_key(key, true); }
    // The guest took all there was and listens to keys.
    [[nodiscard]] bool ready() const { return scanning_ && sent_.empty(); }

    void command(std::uint8_t byte);
    // The next byte for the controller.
    std::optional<std::uint8_t> take();
    [[nodiscard]] bool has_byte() const { return !sent_.empty(); }

    void visit_state(bus::StateVisitor& state);

private:
    static constexpr std::size_t kBufferBytes = 16;

    bool send_key(Key key, bool up);
    void parameter(std::uint8_t byte);
    void set_defaults();

    std::deque<std::uint8_t> sent_;
    std::uint8_t awaits_ = 0;  // the command whose parameter comes next; 0: none
    std::uint8_t scan_set_ = 2;
    std::uint8_t last_ = 0;  // sent last, for RESEND
    bool scanning_ = true;
};

}  // namespace sla::device
