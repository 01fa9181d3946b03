// A Unix socket in a test's hands.
#pragma once

#include <string>
#include <utility>

namespace sla::service_test {

class RawSocket {
public:
    // Connected to what listens at this path, or not: then is_connected() is false.
    static RawSocket client(const std::string& path);
    // Bound there, for datagrams.
    static RawSocket notifications(const std::string& path);

    RawSocket(RawSocket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    RawSocket& operator=(RawSocket&&) = delete;
    ~RawSocket();

    [[nodiscard]] bool is_connected() const { return fd_ >= 0; }
    void send(const std::string& bytes) const;
    // What is there now, at most one read; "" for nothing.
    [[nodiscard]] std::string receive() const;
    // Until the other side ends, five seconds at most.
    [[nodiscard]] std::string receive_all() const;
    // The other side has closed.
    [[nodiscard]] bool is_over() const;

private:
    explicit RawSocket(int fd) : fd_(fd) {}
    int fd_;
};

}  // namespace sla::service_test
