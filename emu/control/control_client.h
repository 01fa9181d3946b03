// The other end of a ControlServer's socket.
#pragma once

#include "proto/base/result.h"

#include <string>

namespace sla::control {

class ControlClient {
public:
    static Result<ControlClient> connect(const std::string& path);
    ~ControlClient();
    ControlClient(ControlClient&& other) noexcept;
    ControlClient& operator=(ControlClient&&) = delete;

    // One line; its answer, or what was wrong with it.
    Result<std::string> ask(const std::string& line);

private:
    explicit ControlClient(int socket) : socket_(socket) {}
    // Up to and including the byte; or so many.
    Result<std::string> receive_line();
    Result<std::string> receive(std::size_t bytes);

    int socket_;
};

}  // namespace sla::control
