#include "agent/marker/process.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void sla_debug(const char* what, int errno_value) {
    if (!sla_environment()->debug) return;
    char line[256];
    int length = snprintf(line, sizeof line, "sla: %s%s%s\n", what, errno_value ? ": " : "",
                          errno_value ? strerror(errno_value) : "");
    if (length >= (int)sizeof line) {
        length = sizeof line - 1;
        line[length - 1] = '\n';
    }
    if (length > 0 && write(STDERR_FILENO, line, (size_t)length) < 0) return;
}
