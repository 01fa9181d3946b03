/* Descriptors: the program's numbers are the program's, whatever it closes and opens. */
#define _GNU_SOURCE
#include "tests/integration/guest/guest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

SLA_CHANNEL(main_channel, "guest.main");

static const char kWords[] = "nobody else may read these";

enum { FIRST = 3, LAST = 1023 };

/* Without a table apart the library's thread opens what it needs among the program's numbers: it is to be at rest when those
 * are taken. The agent's word (FILE) comes with its welcome, and then the thread waits a second before it looks up again. */
static void wait_until_settled(const char* file) {
    say("marked", 100);
    wait_for_file(file);
    usleep(50000);
}

/* Takes every number in reach, with sockets that have something to read. */
static void take_all_numbers(int pairs[][2], int count) {
    for (int fd = FIRST; fd <= LAST; fd++) close(fd);
    for (int i = 0; i < count; i++) {
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[i]) == 0);
        REQUIRE(pairs[i][0] == FIRST + 2 * i && pairs[i][1] == FIRST + 2 * i + 1);
        REQUIRE(write(pairs[i][0], kWords, sizeof kWords) == (ssize_t)sizeof kWords);
        REQUIRE(write(pairs[i][1], kWords, sizeof kWords) == (ssize_t)sizeof kWords);
    }
}

static void require_untouched(int pairs[][2], int count) {
    for (int i = 0; i < 2 * count; i++) {
        char words[sizeof kWords] = "";
        REQUIRE(recv(pairs[i / 2][i % 2], words, sizeof words, MSG_PEEK | MSG_DONTWAIT) == (ssize_t)sizeof words);
        REQUIRE(memcmp(words, kWords, sizeof words) == 0);
    }
}

/* close-all ATTACHED GONE BACK [shared]: closes all there is and uses every number itself, while agents go and come. */
static int close_all(int argc, char** argv) {
    static int pairs[480][2];
    enum { PAIRS = 480 };
    char before[512], after[512];
    if (argc > 3) forbid(SYS_close_range, ENOSYS, 0);
    list_descriptors(before, sizeof before);
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    list_descriptors(after, sizeof after);
    if (argc < 4) REQUIRE(strcmp(before, after) == 0);
    wait_until_settled(argv[0]);
    take_all_numbers(pairs, PAIRS);
    say("closed", 1);
    wait_for_file(argv[1]); /* the agent is gone by then */
    wait_until_armed(main_channel, 0);
    require_untouched(pairs, PAIRS);
    pid_t child = fork();
    if (child == 0) {
        require_untouched(pairs, PAIRS);
        _exit(0);
    }
    int status = 1;
    REQUIRE(waitpid(child, &status, 0) == child && status == 0);
    say("quiet", 1);
    wait_for_file(argv[2]);
    wait_until_armed(main_channel, 1);
    for (int i = 100; i < 200; i++) SLA_VALUE(main_channel, i);
    require_untouched(pairs, PAIRS);
    say("offered", 200);
    return 0;
}

/* lost-alive ATTACHED BACK: the program takes the numbers while the agent lives and goes on living. It is off for a moment
 * that may be too short to be seen here: the agent says when it is on again. */
static int lost_alive(int argc, char** argv) {
    static int pairs[480][2];
    (void)argc;
    forbid(SYS_close_range, ENOSYS, 0);
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    wait_until_settled(argv[0]);
    take_all_numbers(pairs, 480);
    say("closed", 1);
    wait_for_file(argv[1]);
    wait_until_armed(main_channel, 1);
    for (int i = 100; i < 200; i++) SLA_VALUE(main_channel, i);
    require_untouched(pairs, 480);
    say("offered", 200);
    return 0;
}

static int early_pairs[480][2];

static void take_early(void) {
    take_all_numbers(early_pairs, 480);
}

/* taken-early: the library's connection has become the program's before the library has said a word on it. */
static int taken_early(int argc, char** argv) {
    (void)argc;
    (void)argv;
    forbid(SYS_close_range, ENOSYS, 0);
    before_next(SYS_memfd_create, take_early);
    SLA_VALUE(main_channel, 0);
    wait_until_armed(main_channel, 1);
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    require_untouched(early_pairs, 480);
    for (int i = 0; i < 960; i++) {
        int waiting = 0;
        REQUIRE(ioctl(early_pairs[i / 2][i % 2], FIONREAD, &waiting) == 0 && waiting == (int)sizeof kWords);
    }
    return 0;
}

/* unread STOPPED GONE BACK [long]: what a dead agent had not read goes along into the segment that takes the lost one's place.
 * Long: before it is dead the library has looked up, and met the stopped agent again. */
static int unread(int argc, char** argv) {
    static int pairs[480][2];
    forbid(SYS_close_range, ENOSYS, 0);
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    wait_until_settled(argv[0]);
    for (int i = 100; i < 150; i++) SLA_VALUE(main_channel, i);
    take_all_numbers(pairs, 480);
    if (argc > 3) usleep(2500000);
    say("closed", 1);
    wait_for_file(argv[1]);
    wait_until_armed(main_channel, 0);
    say("quiet", 1);
    wait_for_file(argv[2]);
    wait_until_armed(main_channel, 1);
    for (int i = 150; i < 200; i++) SLA_VALUE(main_channel, i);
    return 0;
}

/* at-once GONE HOW: ends as soon as markers are on again, by exit, _exit or quick_exit; to tell the agent takes a while. */
static int at_once(int argc, char** argv) {
    (void)argc;
    SLA_VALUE(main_channel, 0);
    say("marked", 1);
    wait_for_file(argv[0]);
    wait_until_armed(main_channel, 0);
    delay_sending(300);
    say("quiet", 1);
    wait_until_armed(main_channel, 1);
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    if (strcmp(argv[1], "_exit") == 0) _exit(0);
    if (strcmp(argv[1], "quick_exit") == 0) quick_exit(0);
    return 0;
}

/* environment BACK: what the program makes of its environment later is its own affair. */
static int later_environment(int argc, char** argv) {
    (void)argc;
    SLA_VALUE(main_channel, 0);
    setenv("SLA_RUNTIME_DIR", "/nowhere/at/all", 1);
    say("quiet", 1);
    wait_for_file(argv[0]);
    wait_until_armed(main_channel, 1);
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    return 0;
}

/* three-files: RLIMIT_NOFILE 3, and all three in use. */
static int three_files(int argc, char** argv) {
    (void)argv;
    const struct rlimit three = {3, 3};
    if (argc > 0) forbid(SYS_close_range, ENOSYS, 0);
    REQUIRE(setrlimit(RLIMIT_NOFILE, &three) == 0);
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    REQUIRE(open("/dev/null", O_RDONLY) == -1 && errno == EMFILE);
    close(0);
    REQUIRE(open("/dev/null", O_RDONLY) == 0);
    say("offered", 100);
    return 0;
}

/* few-files: every number below a low limit is the program's. */
static int few_files(int argc, char** argv) {
    (void)argc;
    (void)argv;
    const struct rlimit few = {24, 24};
    for (int fd = FIRST; fd <= LAST; fd++) close(fd);
    REQUIRE(setrlimit(RLIMIT_NOFILE, &few) == 0);
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    for (int fd = FIRST; fd < 24; fd++) REQUIRE(open("/dev/null", O_RDONLY) == fd);
    REQUIRE(open("/dev/null", O_RDONLY) == -1 && errno == EMFILE);
    say("offered", 100);
    return 0;
}

/* closed-streams FILE: without stdin, stdout and stderr, what the program opens gets their numbers. */
static int closed_streams(int argc, char** argv) {
    (void)argc;
    close(0);
    close(1);
    close(2);
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    for (int fd = 0; fd < 3; fd++) {
        if (open(argv[0], O_RDWR | O_CREAT | O_APPEND, 0600) != fd) return 3;
    }
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    usleep(50000);
    struct stat info;
    if (fstat(2, &info) != 0 || info.st_size != 0) return 4; /* somebody wrote into our file */
    return 0;
}

/* idle FILE: without an agent nothing scarce is held, in no thread's table. Waits for FILE, or not at all. */
static int idle(int argc, char** argv) {
    char before[512], after[512], path[300];
    list_descriptors(before, sizeof before);
    SLA_TICK(main_channel);
    if (argc > 0) {
        say("idle", 1);
        wait_for_file(argv[0]);
        return 0;
    }
    usleep(1500000); /* several looks for an agent */
    list_descriptors(after, sizeof after);
    REQUIRE(strcmp(before, after) == 0);
    DIR* tasks = opendir("/proc/self/task");
    REQUIRE(tasks != NULL);
    int others = 0;
    for (struct dirent* task; (task = readdir(tasks));) {
        if (task->d_name[0] == '.' || atoi(task->d_name) == getpid()) continue;
        snprintf(path, sizeof path, "/proc/self/task/%s/fd", task->d_name);
        DIR* table = opendir(path);
        REQUIRE(table != NULL);
        for (struct dirent* entry; (entry = readdir(table));) REQUIRE(entry->d_name[0] == '.');
        closedir(table);
        others++;
    }
    closedir(tasks);
    REQUIRE(others == 1);
    return 0;
}

const struct guest kDescriptorGuests[] = {{"close-all", close_all},
                                          {"lost-alive", lost_alive},
                                          {"taken-early", taken_early},
                                          {"unread", unread},
                                          {"at-once", at_once},
                                          {"environment", later_environment},
                                          {"three-files", three_files},
                                          {"few-files", few_files},
                                          {"closed-streams", closed_streams},
                                          {"idle", idle},
                                          {NULL, NULL}};
