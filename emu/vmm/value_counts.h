// How often each number came: what a section cost, run by run. Exact up to kMaxValues different numbers; from there on
// neighbours share a place, `grain` numbers each, named by the lowest of them.
#pragma once

#include <cstdint>
#include <map>

namespace sla::vmm {

class ValueCounts {
public:
    static constexpr std::size_t kMaxValues = 4096;

    void add(std::uint64_t value, std::uint64_t times = 1);

    [[nodiscard]] const std::map<std::uint64_t, std::uint64_t>& values() const { return values_; }
    [[nodiscard]] std::uint64_t grain() const { return std::uint64_t{1} << bits_; }
    // So much less are all values together than what was added.
    [[nodiscard]] std::uint64_t cut_off() const { return cut_off_; }

private:
    void put(std::uint64_t value, std::uint64_t times);

    std::map<std::uint64_t, std::uint64_t> values_;
    unsigned bits_ = 0;
    std::uint64_t cut_off_ = 0;
};

}  // namespace sla::vmm
