/* A service manager in small: listens on DIRECTORY's two sockets, waits until somebody knocks, then becomes PROGRAM, which
 * finds the sockets as descriptors 3 and 4, as systemd's socket activation passes them.
 *
 *   activate DIRECTORY PROGRAM ARGS...
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int listening(const char* directory, const char* leaf, int type) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    if (snprintf(name.sun_path, sizeof name.sun_path, "%s/%s", directory, leaf) >= (int)sizeof name.sun_path) return -1;
    const int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (const struct sockaddr*)&name, sizeof name) != 0 || listen(fd, 64) != 0) return -1;
    return chmod(name.sun_path, 0600) == 0 ? fd : -1;
}

int main(int argc, char** argv) {
    if (argc < 3 || mkdir(argv[1], 0700) != 0) return 2;
    const int programs = listening(argv[1], "programs.sock", SOCK_SEQPACKET);
    const int clients = listening(argv[1], "agent.sock", SOCK_STREAM);
    if (programs < 0 || clients < 0) return 3;
    puts("bound");
    fflush(stdout);
    struct pollfd knock[2] = {{.fd = programs, .events = POLLIN}, {.fd = clients, .events = POLLIN}};
    if (poll(knock, 2, 20000) <= 0) return 3;
    /* Out of the way first: 3 and 4 may be taken by the two themselves. */
    const int high[2] = {fcntl(programs, F_DUPFD_CLOEXEC, 100), fcntl(clients, F_DUPFD_CLOEXEC, 100)};
    if (dup2(high[0], 3) != 3 || dup2(high[1], 4) != 4) return 3;
    char pid[16];
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    setenv("LISTEN_PID", pid, 1);
    setenv("LISTEN_FDS", "2", 1);
    execv(argv[2], argv + 2);
    return 127;
}
