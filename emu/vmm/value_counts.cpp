#include "emu/vmm/value_counts.h"

namespace sla::vmm {

void ValueCounts::add(std::uint64_t value, std::uint64_t times) {
    values_[value >> bits_ << bits_] += times;
    while (values_.size() > kMaxValues) {
        ++bits_;
        std::map<std::uint64_t, std::uint64_t> coarse;
        for (const auto& [number, count] : values_) coarse[number >> bits_ << bits_] += count;
        values_ = std::move(coarse);
    }
}

}  // namespace sla::vmm
