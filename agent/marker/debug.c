#include "agent/marker/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void sla_debug(const char* what, int errno_value) {
    const char* wanted = getenv("SLA_DEBUG");
    if (!wanted || !*wanted) return;
    char line[256];
    int length = snprintf(line, sizeof line, "sla: %s%s%s\n", what, errno_value ? ": " : "",
                          errno_value ? strerror(errno_value) : "");
    if (length > 0 && write(STDERR_FILENO, line, (size_t)length) < 0) return;
}
