#include "emu/tap/symbol_sink.h"

#include "emu/tap/format.h"

namespace sla::tap {

// Detail 1 is a place, or 0, with every wide event of the tap.
void SymbolSink::wide(ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0, std::uint64_t detail1) {
    if (detail1 != 0) {
        const std::string name =
            symbols_.function_of(static_cast<std::uint16_t>(detail1 >> 32), static_cast<std::uint32_t>(detail1));
        if (!name.empty() && name != last_) {
            if (!channel_) channel_ = behind_.open("cpu.symbol", kNoFormat);
            last_ = name;
            behind_.text(*channel_, name);
        }
    }
    behind_.wide(channel, code, value, detail0, detail1);
}

// A state that was saved without symbols does not know.
void SymbolSink::visit_state(bus::StateVisitor& state) {
    constexpr std::size_t kLongest = std::size_t{1} << 20;
    std::vector<std::uint8_t> last(last_.begin(), last_.end());
    const bool known = state.optional_section("symbols");
    if (known) state.list("last", last, kLongest);
    if (state.loads()) last_.assign(last.begin(), known ? last.end() : last.begin());
}

}  // namespace sla::tap
