// Where a debugger can connect: unix:PATH, for the owner only, or tcp:HOST:PORT on this host.
#pragma once

#include "proto/base/result.h"

#include <string>

namespace sla::gdb {

class GdbListener {
public:
    // Port 0: any; text() has it.
    static Result<GdbListener> open(const std::string& address);
    ~GdbListener();
    GdbListener(GdbListener&& other) noexcept;
    GdbListener& operator=(GdbListener&&) = delete;

    [[nodiscard]] int descriptor() const { return socket_; }
    // As gdb's command `target remote` wants it.
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    GdbListener(int socket, std::string text, std::string path)
        : socket_(socket), text_(std::move(text)), path_(std::move(path)) {}
    static Result<GdbListener> open_unix(const std::string& path);
    static Result<GdbListener> open_tcp(const std::string& host, std::uint16_t port);

    int socket_;
    std::string text_;
    std::string path_;  // to be removed
};

}  // namespace sla::gdb
