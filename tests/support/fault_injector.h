/* The calls that fault_injector.c counts and can let fail, for it and for who reads its counts. */
#ifndef SLA_TESTS_SUPPORT_FAULT_INJECTOR_H
#define SLA_TESTS_SUPPORT_FAULT_INJECTOR_H

/* accept: accept4 as well; open: openat; malloc: calloc and realloc; recv: recvfrom; syscall: any other one made by
 * syscall(2). */
#define SLA_FAULT_CALL_LIST(each)                                                                                           \
    each(accept) each(bind) each(chmod) each(close) each(close_range) each(connect) each(epoll_create1) each(epoll_ctl)     \
        each(epoll_wait) each(eventfd) each(fcntl) each(fdatasync) each(flock) each(fopen) each(fstat) each(fsync)          \
            each(ftruncate) each(getsockname) each(getsockopt) each(ioctl) each(listen) each(lseek) each(lstat)             \
                each(madvise) each(malloc) each(memfd_create) each(mkdir) each(mmap) each(mprotect) each(munmap) each(open) \
                    each(pipe) each(poll) each(pread) each(pthread_create) each(pwrite) each(read) each(readv) each(recv)   \
                        each(recvmsg) each(rename) each(send) each(sendmsg) each(setsockopt) each(shutdown) each(signalfd)  \
                            each(socket) each(stat) each(syscall) each(timerfd_create) each(unlink) each(write)             \
                                each(writev)

#endif
