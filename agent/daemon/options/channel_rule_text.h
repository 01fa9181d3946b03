// Rules for channels as people type them.
//
//   RULE    := GLOB ': ' SETTING (';' SETTING)*
//   SETTING := 'on' | 'off' | 'keep' TIME | 'bytes' SIZE | 'policy' ('drop-newest' | 'overwrite') | 'filter' FILTER |
//   'every' N
//
// "net.*: keep 10s; bytes 1MiB; filter value > 100"
#pragma once

#include "proto/base/result.h"
#include "proto/wire/control.pb.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sla::daemon {

Result<wire::SetChannels> parse_channel_rule(std::string_view text);

// One setting: the word and what follows it.
Result<void> add_setting(wire::SetChannels& rule, std::string_view word, std::string_view what);

// A time to keep events in nanoseconds: a duration, or "always": 0.
Result<std::int64_t> parse_keep(std::string_view text);

}  // namespace sla::daemon
