// Says in which of the guest's functions events happen: a text on the channel cpu.symbol, whenever an event's place is in another
// one than the last. On the way of all events to the sink behind.
//
// One thread, the machine's.
#pragma once

#include "emu/bus/state_visitor.h"
#include "emu/tap/sink.h"
#include "proto/common/symbols/symbols.h"

#include <optional>
#include <string>

namespace sla::tap {

class SymbolSink final : public Sink {
public:
    // The symbols outlive it.
    SymbolSink(Sink& behind, const symbol::Symbols& symbols) : behind_(behind), symbols_(symbols) {}

    ChannelId open(const std::string& name, const char* format) override { return behind_.open(name, format); }
    [[nodiscard]] bool listens(ChannelId channel) const override { return behind_.listens(channel); }
    void plain(ChannelId channel, sla_code code, std::uint64_t value) override { behind_.plain(channel, code, value); }
    void wide(ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0, std::uint64_t detail1) override;
    void text(ChannelId channel, const std::string& text) override { behind_.text(channel, text); }

    // Where the last event was, so that a run that goes on from elsewhere says what one that came by says.
    void visit_state(bus::StateVisitor& state);

private:
    Sink& behind_;
    const symbol::Symbols& symbols_;
    std::optional<ChannelId> channel_;
    std::string last_;
};

}  // namespace sla::tap
