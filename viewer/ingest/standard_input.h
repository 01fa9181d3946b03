// What is piped in, as a file that can be read anywhere: the file itself where one was redirected, else a copy without a name.
#pragma once

#include "proto/base/result.h"

#include <functional>
#include <string>
#include <string_view>

namespace sla::ingest {

// What the messages call it, and how the paths of such files begin.
inline constexpr std::string_view kStandardInput = "standard input";
inline constexpr std::string_view kDescriptors = "/proc/self/fd/";

// Its path, good for as long as the process lives, also for programs that it starts. Reads to the end of what is piped in, or
// until `goes_on` says false.
Result<std::string> keep_standard_input(const std::function<bool()>& goes_on);

}  // namespace sla::ingest
