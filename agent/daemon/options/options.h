// What an agent is started with: the command line's and the configuration file's words, understood.
#pragma once

#include "agent/linux/linux_options.h"
#include "agent/publish/publisher.h"
#include "agent/retain/retention.h"
#include "agent/stream/access_list.h"
#include "proto/capture/pieces/capture_series.h"
#include "proto/wire/address.h"
#include "proto/wire/control.pb.h"

#include <optional>
#include <string>
#include <vector>

namespace sla::daemon {

struct Options {
    std::vector<wire::Address> listen;     // beside the runtime directory's own socket
    bool insecure = false;                 // plain TCP may be reached from other machines
    stream::TlsFiles tls;                  // for listening on tls
    std::optional<wire::Address> metrics;  // where Prometheus reads
    std::string record;                    // a capture file; empty: none
    capture::SeriesLimits record_limits;
    publish::Options publish;
    retain::Limits limits;
    linux::LinuxOptions host;  // with nothing asked for, this machine is not traced

    // Rules for channels, times to keep, triggers: applied before anything is recorded, as if a client had sent them.
    struct Request {
        std::string origin;  // where it was written, for people
        wire::Request request;
    };
    std::vector<Request> requests;
};

}  // namespace sla::daemon
