// The agent's configuration file: JSON, comments allowed.
//
//   { "listen": ["tcp:127.0.0.1:4321"], "metrics": "tcp:127.0.0.1:9464",
//     "certificate": "cert.pem", "key": "key.pem", "access": "who-may-come",       for "tls:HOST:PORT" in "listen"
//     "record": "/var/tmp/flight.sla", "rotate": "1GiB,10min", "keep_files": 10,
//     "publish": "nats://a,b,c", "fleet": "prod", "host": "web-1", "spool": "2GiB", "spool_dir": "/var/spool/sla", "fleet_control": "all",
//     "nats_creds": "agent.creds", "nats_ca": "ca.pem", "nats_cert": "cert.pem", "nats_key": "key.pem",
//     "memory": "512MiB", "channel_memory": "64MiB", "shot_memory": "64MiB", "keep": "30s",
//     "channels": [ "debug.*: off", {"match": "net.*", "keep": "10s", "bytes": "1MiB", "policy": "overwrite",
//                    "enabled": true, "filter": "value > 100", "every": 10} ],
//     "triggers": [ {"name": "slow", "expression": "width rx > 50us", "pre": "30%", "window": "20ms", "shots": 100,
//                    "keep_shots": 10, "hold_off": "1s", "actions": ["notify", "snapshot=/var/tmp/slow.sla"]},
//                   "gap beat > 5ms" ] }
//
// All of it may be left out. A key stands once in its object, a trigger's name once in the list, a setting once for a pattern. Of
// "channels", the first that matches and has a setting counts. Names, of files too, are texts; sizes may be numbers. Errors name
// the file and the line and column, or the path of the key.
#pragma once

#include "agent/daemon/options/options.h"
#include "proto/base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace sla::daemon {

inline constexpr std::size_t kMaxConfigurationBytes = std::size_t{1} << 20;

// `name` is for messages.
Result<Options> parse_configuration(std::string_view text, const std::string& name);
Result<Options> read_configuration(const std::string& path);
// $XDG_CONFIG_HOME/sla/agent.json, or ~/.config/sla/agent.json, if there is such a file.
std::optional<std::string> own_configuration();

}  // namespace sla::daemon
