// Puts state that a StateWriter took into the fields it visits. Bytes come from outside: names must be those that are asked
// for, one after the other, and what does not fit is refused. The first refusal is remembered, and nothing is read behind it.
#pragma once

#include "emu/snapshot/state_writer.h"
#include "proto/base/result.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sla::snapshot {

class StateReader final : public bus::StateVisitor {
public:
    // Fills memory of that name; why it cannot.
    using ReadMemory = std::function<Result<void>(std::string_view name, std::span<std::uint8_t> to)>;

    // The sections outlive it.
    StateReader(std::span<const Section> sections, ReadMemory read_memory)
        : sections_(sections), read_memory_(std::move(read_memory)) {}
    // What a writer that shares took.
    void share(std::span<const Sectors> shared) { shared_ = shared; }

    // Everything that was asked for was there.
    [[nodiscard]] Result<void> done() const;

    [[nodiscard]] bool loads() const override { return true; }
    void refuse(std::string_view field, std::string_view why) override;
    bool begin(std::string_view section, bool optional) override;
    void memory(std::string_view name, std::span<std::uint8_t> bytes) override;
    void sectors(bus::BlockMap& written, std::uint64_t end) override;

private:
    void number(std::string_view name, std::uint64_t& value, unsigned bits) override;
    void signed_number(std::string_view name, std::uint64_t& value) override { number(name, value, 64); }
    void bytes(std::string_view name, std::span<std::uint8_t> values) override;
    // Behind the name; false: something else stands there.
    bool find(std::string_view name);
    [[nodiscard]] std::optional<std::uint64_t> take();

    std::span<const Section> sections_;
    ReadMemory read_memory_;
    std::span<const Sectors> shared_;
    const Section* section_ = nullptr;
    std::span<const std::uint8_t> rest_;
    std::optional<std::string> refused_;
};

}  // namespace sla::snapshot
