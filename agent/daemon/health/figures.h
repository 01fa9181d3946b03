// The agent's figures for Prometheus: what the status reports to readers, summed up.
#pragma once

#include "agent/daemon/health/status.h"
#include "agent/service/metrics.h"

namespace sla::daemon {

// By the stepping thread.
service::Metrics metrics_of(const StatusInput& input);

// What this process takes now, and since when it runs. Any thread.
void add_process(service::Metrics& metrics);

}  // namespace sla::daemon
