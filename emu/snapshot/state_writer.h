// Takes the state that it visits: fields as bytes, section by section; large memory as a view of where it is.
//
//   field    length of the name in one byte, the name, then 8 bytes of a number, or 8 bytes of a length and the bytes
//
// The guest stands still until whoever reads the views is done.
#pragma once

#include "emu/bus/block_map.h"
#include "emu/bus/state_visitor.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sla::snapshot {

struct Section {
    std::string name;
    std::vector<std::uint8_t> fields;
};

// Names are "SECTION.NAME".
struct MemoryView {
    std::string name;
    std::span<std::uint8_t> bytes;
};

// The sectors of that section that were written.
struct Sectors {
    std::string section;
    bus::BlockMap written;
};

class StateWriter final : public bus::StateVisitor {
public:
    // `shares`: written sectors are not fields, but shared with the disk.
    explicit StateWriter(bool shares = false) : shares_(shares) {}

    [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
    [[nodiscard]] const std::vector<MemoryView>& memory() const { return memory_; }
    [[nodiscard]] const std::vector<Sectors>& shared() const { return shared_; }

    bool begin(std::string_view section, bool optional) override;
    void memory(std::string_view name, std::span<std::uint8_t> bytes) override;
    void sectors(bus::BlockMap& written, std::uint64_t end) override;

private:
    void number(std::string_view name, std::uint64_t& value, unsigned bits) override;
    void signed_number(std::string_view name, std::uint64_t& value) override { number(name, value, 64); }
    void bytes(std::string_view name, std::span<std::uint8_t> values) override;
    void put(std::uint64_t number);
    void put_name(std::string_view name);

    std::vector<Section> sections_;
    std::vector<MemoryView> memory_;
    bool shares_;
    std::vector<Sectors> shared_;
};

}  // namespace sla::snapshot
