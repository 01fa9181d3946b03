// One number for all that happened: a hash of kind, channel, value, details and the machine's time of every event, in order.
// Two runs that are the same have the same. Events go on to another sink.
#pragma once

#include "emu/bus/clock.h"
#include "emu/bus/state_visitor.h"
#include "emu/tap/sink.h"

#include <string>
#include <vector>

namespace sla::tap {

class HashSink final : public Sink {
public:
    HashSink(Sink& behind, const bus::Clock& clock) : behind_(behind), clock_(clock) {}

    ChannelId open(const std::string& name, const char* format) override;
    // Always: the hash is of everything, whether an agent listens or not.
    [[nodiscard]] bool listens(ChannelId) const override { return true; }
    void plain(ChannelId channel, sla_code code, std::uint64_t value) override;
    void wide(ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0, std::uint64_t detail1) override;
    void text(ChannelId channel, const std::string& text) override;

    [[nodiscard]] std::uint64_t hash() const { return hash_; }
    [[nodiscard]] std::uint64_t events() const { return events_; }

    // So that a run that goes on from elsewhere ends with the hash of one that came by. Where that one had none it begins there.
    void visit_state(bus::StateVisitor& state);
    [[nodiscard]] bool begins_at_snapshot() const { return begins_at_snapshot_; }

private:
    void add(std::uint64_t word);
    void add(const std::string& text);
    void event(ChannelId channel, std::uint64_t kind);

    Sink& behind_;
    const bus::Clock& clock_;
    static constexpr std::uint64_t kStart = 0xCBF29CE484222325;  // FNV-1a's

    std::uint64_t hash_ = kStart;
    std::uint64_t events_ = 0;
    bool begins_at_snapshot_ = false;
    std::vector<std::uint64_t> channels_;  // hashes of their names
};

}  // namespace sla::tap
