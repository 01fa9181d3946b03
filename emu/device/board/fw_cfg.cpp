#include "emu/device/board/fw_cfg.h"

#include "proto/base/check.h"

#include <algorithm>

namespace sla::device {

namespace {

constexpr std::size_t kEntryBytes = 64;  // size, key, two reserved bytes, name

void append_big_endian(std::vector<std::uint8_t>& to, std::uint32_t value, unsigned bytes) {
    for (unsigned byte = bytes; byte-- > 0;) to.push_back(static_cast<std::uint8_t>(value >> (8 * byte)));
}

}  // namespace

FwCfg::FwCfg() {
    set(kSignature, {'Q', 'E', 'M', 'U'});
    set(kInterfaceVersion, {1, 0, 0, 0});  // ports only, no DMA
    set(kFileDirectory, {0, 0, 0, 0});
    set_word(kCpuCount, 1);
    set_word(kMaxCpus, 1);
    set_word(kBootMenu, 0);
}

void FwCfg::set_word(std::uint16_t key, std::uint16_t value) {
    set(key, {static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8)});
}

void FwCfg::add_file(std::string_view file, std::vector<std::uint8_t> bytes) {
    SLA_CHECK(!file.empty() && file.size() <= kMaxFileName && files() < kMaxFiles);
    const std::uint16_t key = next_file_++;
    std::vector<std::uint8_t>& directory = items_[kFileDirectory];
    ++directory[3];  // the count, big-endian; there are few
    append_big_endian(directory, static_cast<std::uint32_t>(bytes.size()), 4);
    append_big_endian(directory, key, 2);
    append_big_endian(directory, 0, 2);
    const std::size_t name_starts = directory.size();
    directory.insert(directory.end(), file.begin(), file.end());
    directory.resize(name_starts - 8 + kEntryBytes);
    set(key, std::move(bytes));
}

std::uint32_t FwCfg::read_port(std::uint16_t port, bus::Width width) {
    if (port == kSelectorPort) return width == bus::Width::kByte ? selected_ & 0xFF : selected_;
    const auto item = items_.find(selected_);
    if (item == items_.end() || position_ >= item->second.size()) return 0;
    return item->second[position_++];
}

void FwCfg::write_port(std::uint16_t port, bus::Width, std::uint32_t value) {
    if (port != kSelectorPort) return;
    selected_ = static_cast<std::uint16_t>(value & 0xBFFF);  // bit 14 once meant "write"
    position_ = 0;
}

void FwCfg::visit_state(bus::StateVisitor& state) {
    constexpr std::uint64_t kMaxPosition = std::uint64_t{1} << 32;
    state.section("fwcfg");
    state.field("selector", selected_);
    state.field("position", position_, kMaxPosition);
}

}  // namespace sla::device
