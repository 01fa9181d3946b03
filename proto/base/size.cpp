#include "proto/base/size.h"

#include "proto/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>

namespace sla {
namespace {

struct Unit {
    std::string_view name;  // in lower case
    std::uint64_t bytes;
};

constexpr std::array<Unit, 10> kUnits{{{"", 1},
                                       {"b", 1},
                                       {"kb", 1000},
                                       {"mb", 1'000'000},
                                       {"gb", 1'000'000'000},
                                       {"tb", 1'000'000'000'000},
                                       {"kib", std::uint64_t{1} << 10},
                                       {"mib", std::uint64_t{1} << 20},
                                       {"gib", std::uint64_t{1} << 30},
                                       {"tib", std::uint64_t{1} << 40}}};

}  // namespace

Result<std::uint64_t> parse_size(std::string_view text) {
    std::uint64_t number = 0;
    auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string unit(read.ptr, text.data() + text.size());
    unit = lowered(unit.erase(0, std::min(unit.find_first_not_of(' '), unit.size())));
    auto known = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& one) { return one.name == unit; });
    bool fits = read.ec == std::errc() && known != kUnits.end() &&
                number <= std::numeric_limits<std::uint64_t>::max() / known->bytes;
    if (fits) return number * known->bytes;
    return invalid_input("'" + std::string(text) +
                         "' is not a number of bytes; write for example 4096, 64MiB, 2GB (kB MB GB TB or KiB MiB GiB TiB)");
}

}  // namespace sla
