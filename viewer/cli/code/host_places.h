// Where in a program's file samples of this machine lie. A sample has the address that ran, and the function's name; where the
// system put the program follows from both: it moves whole pages, and every sample must fall into its function.
#pragma once

#include "proto/common/symbols/symbols.h"
#include "viewer/cli/code/annotated_code.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::cli {

struct HostSample {
    std::uint32_t thread = 0;
    std::uint64_t address = 0;
    std::string place;  // "program:function"
};

struct HostPlaces {
    SampledAddresses addresses;  // as the file has them
    std::uint64_t unplaced = 0;  // of that program, but in no function that the file names, or anywhere in it
};

// Of the samples in that program. `fixed`: it runs where the file says.
HostPlaces places_in_file(const std::vector<HostSample>& samples, std::string_view program, const symbol::Symbols& symbols,
                          bool fixed);

}  // namespace sla::cli
