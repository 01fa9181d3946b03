// One request to many agents of a fleet at once, and what each of them said.
#pragma once

#include "proto/base/result.h"
#include "proto/fleet/connection.h"
#include "proto/wire/control.pb.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace sla::cli {

struct HostAnswer {
    enum class What : std::uint8_t { kAccepted, kRefused, kSilent };
    std::string host;
    What what = What::kSilent;
    std::string why;  // unless it was accepted
};

inline constexpr std::chrono::milliseconds kAnswerTimeout{5000};

// In the order of `hosts`; waits until all have answered, the timeout is over or `goes_on` says no.
Result<std::vector<HostAnswer>> ask_hosts(const fleet::Connection& connection, const std::string& fleet,
                                          const std::vector<std::string>& hosts, const wire::Request& request,
                                          std::chrono::milliseconds timeout, const std::function<bool()>& goes_on);

}  // namespace sla::cli
