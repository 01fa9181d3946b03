// Whatever connects to the debugger's socket: bytes in any pieces, and packets that are whole.
#include "emu/gdb/packet.h"
#include "emu/gdb/protocol.h"
#include "proto/base/check.h"
#include "tests/unit/emu/gdb/fake_target.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

void answer_all(sla::gdb::Protocol& protocol, std::string_view packet) {
    using Why = sla::cpu::StopPoints::Why;
    const auto answer = protocol.answer(packet);
    if (answer) {
        sla::gdb::PacketReader reader;
        const auto items = reader.feed(sla::gdb::frame(*answer));
        SLA_CHECK(items.size() == 1 && sla::gdb::unescape(items[0].payload) == *answer);
    }
    if (protocol.running()) SLA_CHECK(protocol.stopped({Why::kStep, 0, false, false}).starts_with('T'));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    sla::gdb::FakeTarget target;
    sla::gdb::Protocol protocol(target);
    sla::gdb::PacketReader reader;
    for (std::size_t at = 0; at < size; at += 7) {
        for (const auto& item : reader.feed(text.substr(at, 7))) {
            if (item.kind == sla::gdb::PacketReader::Kind::kPacket) answer_all(protocol, item.payload);
        }
    }
    // Without a frame: the sum keeps most of what is tried out of the protocol.
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        answer_all(protocol, rest.substr(0, std::min(end, sla::gdb::kMaxPacket)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return 0;
}
