// The firmware configuration device of emulated PCs (QEMU's docs/specs/fw_cfg): a selector at 510h, the bytes of the
// selected item at 511h. SeaBIOS takes its option ROMs and its settings from here. Owned by the machine's thread.
#pragma once

#include "emu/bus/port_device.h"
#include "emu/bus/state_visitor.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sla::device {

class FwCfg final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kSelectorPort = 0x510;
    static constexpr std::uint16_t kDataPort = 0x511;
    static constexpr std::size_t kMaxFileName = 55;
    static constexpr std::size_t kMaxFiles = 255;

    enum Key : std::uint16_t {
        kSignature = 0x00,
        kInterfaceVersion = 0x01,
        kCpuCount = 0x05,
        kBootMenu = 0x0E,
        kMaxCpus = 0x0F,
        kFileDirectory = 0x19,
        kFirstFile = 0x20,
    };

    FwCfg();

    void set(std::uint16_t key, std::vector<std::uint8_t> bytes) { items_[key] = std::move(bytes); }
    void set_word(std::uint16_t key, std::uint16_t value);
    // A file, of kMaxFiles at most; its name has at most kMaxFileName characters.
    void add_file(std::string_view name, std::vector<std::uint8_t> bytes);

    [[nodiscard]] std::size_t files() const { return static_cast<std::size_t>(next_file_ - kFirstFile); }
    [[nodiscard]] const std::map<std::uint16_t, std::vector<std::uint8_t>>& items() const { return items_; }

    [[nodiscard]] std::string_view name() const override { return "fwcfg"; }
    [[nodiscard]] bus::Width widest() const override { return bus::Width::kWord; }
    std::uint32_t read_port(std::uint16_t port, bus::Width width) override;
    void write_port(std::uint16_t port, bus::Width width, std::uint32_t value) override;

    void visit_state(bus::StateVisitor& state);

private:
    std::map<std::uint16_t, std::vector<std::uint8_t>> items_;
    std::uint16_t next_file_ = kFirstFile;
    std::uint16_t selected_ = 0;
    std::size_t position_ = 0;
};

}  // namespace sla::device
