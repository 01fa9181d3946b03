#include "emu/vmm/value_counts.h"

#include <utility>

namespace sla::vmm {

void ValueCounts::add(std::uint64_t value, std::uint64_t times) {
    put(value, times);
    while (values_.size() > kMaxValues) {
        ++bits_;
        for (const auto& [number, count] : std::exchange(values_, {})) put(number, count);
    }
}

void ValueCounts::put(std::uint64_t value, std::uint64_t times) {
    const std::uint64_t place = value >> bits_ << bits_;
    cut_off_ += (value - place) * times;
    values_[place] += times;
}

}  // namespace sla::vmm
