// Another agent that goes by this one's name, as machines do that are copies of one: both write the host's one entry in the
// registry. One owner, one thread.
#pragma once

#include "proto/fleet/registry.h"

#include <optional>
#include <string>

namespace sla::member {

class TwinWatch {
public:
    explicit TwinWatch(std::string capture) : own_(std::move(capture)) {}

    // The entry as it is now. What to say, once of each other one: when it was written anew since it was last seen here.
    std::optional<std::string> see(const fleet::RunEntry& entry);

private:
    std::string own_;
    std::string other_;
    std::int64_t seen_ns_ = 0;
    bool is_said_ = false;
};

}  // namespace sla::member
