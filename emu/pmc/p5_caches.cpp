#include "emu/pmc/p5_caches.h"

#include <algorithm>

namespace sla::pmc {

namespace {

constexpr unsigned kPageBits = 12;
constexpr std::uint32_t kVideoMemory = 0xA0000;
constexpr std::uint32_t kVideoMemoryEnd = 0xC0000;

}  // namespace

bool P5Caches::cacheable(std::uint32_t address) const {
    return address < ram_bytes_ && (address < kVideoMemory || address >= kVideoMemoryEnd);
}

// An access that crosses into another line is two, as on the chip.
void P5Caches::data(std::uint32_t address, unsigned bytes, bool write) {
    data_line(address, write);
    const std::uint32_t last = address + bytes - 1;
    if (last >> kLineBits != address >> kLineBits) data_line(last, write);
}

void P5Caches::data_line(std::uint32_t address, bool write) {
    if (data_pages_.find(address >> kPageBits) == nullptr) {
        ++counts_.data_tlb_misses;
        data_pages_.insert(address >> kPageBits, {});
    }
    if (!cacheable(address)) {
        ++counts_.noncacheable;
        return;
    }
    const std::uint32_t key = address >> kLineBits;
    auto* const line = data_.find(key);
    if (line != nullptr) {
        if (!write) return;
        ++counts_.write_hits_owned;
        line->state = Line::kModified;
    } else if (write) {
        ++counts_.data_write_misses;
    } else {
        ++counts_.data_read_misses;
        const auto gone = data_.insert(key, Line::kExclusive);
        if (gone.used != 0 && gone.state == Line::kModified) ++counts_.lines_written_back;
    }
}

void P5Caches::code(std::uint32_t address) {
    ++counts_.code_reads;
    if (code_pages_.find(address >> kPageBits) == nullptr) {
        ++counts_.code_tlb_misses;
        code_pages_.insert(address >> kPageBits, {});
    }
    if (code_.find(address >> kLineBits) != nullptr) return;
    ++counts_.code_misses;
    code_.insert(address >> kLineBits, {});
}

void P5Caches::invalidate(bool write_back) {
    const auto is_modified = [](const auto& line) { return line.used != 0 && line.state == Line::kModified; };
    const auto& lines = data_.entries();
    if (write_back)
        counts_.lines_written_back += static_cast<std::uint64_t>(std::count_if(lines.begin(), lines.end(), is_modified));
    data_.clear();
    code_.clear();
}

void P5Caches::clear() {
    invalidate(false);
    data_pages_.clear();
    code_pages_.clear();
}

void P5Caches::visit_state(bus::StateVisitor& state) {
    const auto nothing = [](None&) {};
    state.part("data", [&] {
        data_.visit_state(state,
                          [&state](Line& line) { state.field("line", line, static_cast<unsigned>(Line::kModified)); });
    });
    state.part("code", [&] { code_.visit_state(state, nothing); });
    state.part("data_tlb", [&] { data_pages_.visit_state(state, nothing); });
    state.part("code_tlb", [&] { code_pages_.visit_state(state, nothing); });
}

}  // namespace sla::pmc
