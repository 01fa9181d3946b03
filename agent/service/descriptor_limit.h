// How many descriptors the agent may have: every program and client takes one or two.
#pragma once

#include <sys/types.h>

namespace sla::service {

// The soft limit becomes the hard one. Once, before there are threads.
void raise_descriptor_limit();

// A child that was just started gets back what we were started with: programs that use select() count on it.
void restore_descriptor_limit(pid_t child);

}  // namespace sla::service
