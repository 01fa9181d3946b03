// What sla-agent does for TLS besides being an agent: it makes certificates and tokens, and keeps the list of who may come.
#pragma once

#include "agent/stream/access_list.h"
#include "proto/base/result.h"
#include "proto/common/command_line.h"

#include <string>
#include <vector>

namespace sla::daemon {

struct AccessCommands {
    stream::TlsFiles files;  // as typed; empty: the usual place
    bool make_certificate = false;
    bool make_client_certificate = false;
    std::vector<std::string> names;  // that the certificate is for
    int years = 10;
    std::vector<std::string> make_token;         // ROLE [NAME]
    std::vector<std::string> allow_certificate;  // ROLE FINGERPRINT [NAME]
    bool list = false;
    std::string revoke;

    [[nodiscard]] bool wanted() const {
        return make_certificate || make_client_certificate || !make_token.empty() || !allow_certificate.empty() || list ||
               !revoke.empty();
    }
};

// What was typed, or the configuration's, or the usual place.
stream::TlsFiles complete(stream::TlsFiles typed);

void describe_access(common::Command& app, AccessCommands& commands);
// What is wanted, in files that are complete. Tokens and fingerprints go to stdout, hints to stderr.
Result<void> run_access_command(const AccessCommands& commands, const stream::TlsFiles& files);

}  // namespace sla::daemon
