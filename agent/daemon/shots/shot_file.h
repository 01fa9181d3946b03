// One shot as a capture file: everything that names things, and the events of its window, out of the retention. A window is one
// of its time: by the machine's clock it has no events of a source that makes up its time, and by such a time only those of that
// source.
#pragma once

#include "agent/retain/retention.h"
#include "agent/shots/running_trigger.h"
#include "proto/base/result.h"
#include "proto/wire/capture.pb.h"

#include <cstdint>
#include <functional>
#include <string>

namespace sla::daemon {

struct ShotFacts {
    std::uint64_t events = 0;
    bool is_whole = true;  // the retention held all of the window
};

// Waits until the retention has everything up to the order's `all_at`, by the machine's clock, with which all of the window is
// there, or `give_up` says so. Reads as one more reader, so nobody is disturbed. The file appears under its name when it is whole.
Result<ShotFacts> write_shot_file(const std::string& path, const shots::ShotOrder& order, retain::Retention& retention,
                                  const std::function<bool()>& give_up);

// "dir/name.sla" and 7: "dir/name-0007.sla".
std::string numbered(const std::string& path, std::uint64_t number);

}  // namespace sla::daemon
