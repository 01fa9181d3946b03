// SLA_CHECK: a broken promise inside our own code stops the program, with the place and the condition.
// For input from outside use Result<T> instead.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace sla {

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
    std::fprintf(stderr, "sla: internal check failed: %s (%s:%d). Please report this.\n", condition, file, line);
    std::abort();
}

}  // namespace sla

#define SLA_CHECK(condition) \
    (__builtin_expect(static_cast<bool>(condition), 1) ? (void)0 : ::sla::check_failed(#condition, __FILE__, __LINE__))
