#include "proto/base/standard_streams.h"

#include "proto/base/exit_codes.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <initializer_list>

namespace sla {

void hold_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
        // The lowest number that is free, which is this one; opened the other way round, so that using it is an error.
        (void)!::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

int finish_standard_output(const char* program) {
    if ((std::fflush(stdout) == 0 && std::ferror(stdout) == 0) || errno == EPIPE) return 0;
    std::fprintf(stderr, "%s: cannot write to standard output: %s\n", program, std::strerror(errno));
    return exits::kOutsideFailed;
}

}  // namespace sla
