// What this user shows to agents over TLS: a token, a certificate, both or neither.
//
//   token         SLA_TOKEN, else the first line of --token-file or SLA_TOKEN_FILE (mode 0600)
//   certificate   $XDG_CONFIG_HOME/sla/client-cert.pem and client-key.pem, where both are there
//
// Never on a command line, which every user of the machine can read.
#pragma once

#include "proto/base/result.h"
#include "proto/common/tls/stream.h"

#include <optional>
#include <string>

namespace sla::ingest {

// --token-file of this process; before the first connection.
std::string& token_file();

Result<std::string> own_token();  // empty: none
std::optional<tls::Files> own_certificate();

}  // namespace sla::ingest
