#include "agent/source/program_hello.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

namespace sla::source {

ReceivedHello receive_hello(int peer) {
    ReceivedHello received;
    iovec data{&received.hello, sizeof received.hello};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * 8)];
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    received.bytes = recvmsg(peer, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    received.cut = received.bytes >= 0 && (message.msg_flags & MSG_CTRUNC) != 0;
    for (cmsghdr* at = received.bytes >= 0 ? CMSG_FIRSTHDR(&message) : nullptr; at; at = CMSG_NXTHDR(&message, at)) {
        if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS) continue;
        std::size_t count = (at->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; i++) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(at) + i * sizeof(int), sizeof fd);
            if (received.fd < 0) {
                received.fd = fd;
            } else {
                ::close(fd);
            }
        }
    }
    return received;
}

void answer(int peer, sla_welcome_status status) {
    sla_welcome welcome{SLA_HELLO_MAGIC, SLA_ABI_VERSION, static_cast<std::uint32_t>(status)};
    (void)::send(peer, &welcome, sizeof welcome, MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace sla::source
