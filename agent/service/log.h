// The agent's log on stderr: for people, or for the journal, which takes "<4>" at the beginning of a line for its priority.
#pragma once

#include "agent/service/environment.h"

#include <string>

namespace sla::service {

// stderr is the journal's stream: $JOURNAL_STREAM names its device and inode.
bool stderr_is_journal(const Environment& environment);

// "<3>": syslog's numbers; empty outside of the journal.
std::string error_prefix();

// Sets spdlog's default logger up. Once, before the first line.
void set_up_log(const std::string& program, bool for_journal, bool quiet);

}  // namespace sla::service
