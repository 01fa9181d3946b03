#include "agent/service/descriptor_limit.h"

#include <sys/resource.h>

namespace sla::service {
namespace {

rlimit at_start{};
bool is_raised = false;  // both are written before there are threads

}  // namespace

void raise_descriptor_limit() {
    if (::getrlimit(RLIMIT_NOFILE, &at_start) != 0 || at_start.rlim_cur == at_start.rlim_max) return;
    rlimit raised = at_start;
    raised.rlim_cur = raised.rlim_max;
    is_raised = ::setrlimit(RLIMIT_NOFILE, &raised) == 0;
}

void restore_descriptor_limit(pid_t child) {
    if (is_raised) ::prlimit(child, RLIMIT_NOFILE, &at_start, nullptr);
}

}  // namespace sla::service
