#include "proto/base/runtime_dir.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int fits(int length, size_t capacity) {
    return length > 0 && (size_t)length < capacity ? length : -1;
}

int sla_runtime_path_from(const char* own, const char* session, char* path, size_t capacity, const char* leaf) {
    const char* slash = leaf ? "/" : "";
    const char* name = leaf ? leaf : "";
    if (own && *own) return fits(snprintf(path, capacity, "%s%s%s", own, slash, name), capacity);
    if (session && *session) return fits(snprintf(path, capacity, "%s/sla%s%s", session, slash, name), capacity);
    return fits(snprintf(path, capacity, "/tmp/sla-%u%s%s", (unsigned)geteuid(), slash, name), capacity);
}

int sla_runtime_path(char* path, size_t capacity, const char* leaf) {
    return sla_runtime_path_from(getenv("SLA_RUNTIME_DIR"), getenv("XDG_RUNTIME_DIR"), path, capacity, leaf);
}

int sla_runtime_dir_trusted(const char* dir) {
    struct stat info;
    if (lstat(dir, &info) != 0) return errno;
    if (!S_ISDIR(info.st_mode)) return ENOTDIR;
    if (info.st_uid != geteuid() || (info.st_mode & 077) != 0) return EPERM;
    return 0;
}
