/* Memory is asked for before it is touched: where none can be had (strict overcommit, a control group, a full machine) a
 * store would end the program with SIGBUS, and asking only fails. */
#define _GNU_SOURCE
#include "agent/marker/internal.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define PAGE UINT64_C(4096)
/* In pieces, so that a core with something better to do is asked for little at a time, and nobody who maps memory meanwhile
 * waits long: some 50 µs. */
static const uint64_t kPiece = UINT64_C(128) << 10;

/* For kernels before 5.14, which do not know MADV_POPULATE_WRITE: any call that writes where it is pointed makes the page or
 * fails with EFAULT. The memory is the caller's alone and zero, and is zero again afterwards. */
static bool touch(unsigned char* at, uint64_t bytes) {
    for (uint64_t done = 0; done < bytes; done = (((uintptr_t)at + done) / PAGE + 1) * PAGE - (uintptr_t)at) {
        uint64_t* word = (uint64_t*)(void*)(((uintptr_t)at + done + 7) & ~(uintptr_t)7);
        if (syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, word, sizeof *word) != 0) return false;
        __atomic_store_n(word, 0, __ATOMIC_RELAXED);
    }
    return true;
}

bool sla_populate(void* start, uint64_t bytes) {
    uintptr_t page = (uintptr_t)start & ~(uintptr_t)(PAGE - 1);
    uintptr_t end = (uintptr_t)start + bytes;
    while (page < end) {
        uintptr_t piece_end = end - page > kPiece ? page + kPiece : end;
        if (madvise((void*)page, piece_end - page, MADV_POPULATE_WRITE) != 0) {
            /* EINVAL alone says that the kernel is old; all else, that there is no memory. */
            return errno == EINVAL && touch(start, bytes);
        }
        page = piece_end;
    }
    return true;
}
