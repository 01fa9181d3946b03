// Real nats-servers with JetStream on loopback, one or a cluster of three: ports of their own choice, a folder of the test's
// own, stopped by their pid.
#pragma once

#include "proto/fleet/connection.h"
#include "tests/support/process.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::support {

class NatsCluster {
public:
    // `more`: lines for every server's configuration.
    explicit NatsCluster(std::size_t nodes, std::string more = "");

    // All that do not run; waits until JetStream answers. False: what it says is in `problem()`.
    bool start();
    // That one only, waiting for nothing.
    void start(std::size_t node);
    // SIGKILL. It may be started again: what it stored is there.
    void kill(std::size_t node);
    void signal(std::size_t node, int number) { nodes_.at(node).process->signal(number); }
    // Other lines for every server's configuration, which those that run read without closing connections.
    void reload(std::string more);
    [[nodiscard]] bool is_running(std::size_t node);
    [[nodiscard]] int pid(std::size_t node) const { return static_cast<int>(nodes_.at(node).process->pid()); }
    // JetStream answers, and a stream's leader is known if one is named.
    bool wait_until_ready(const std::string& stream = "");
    // Of the stream; nodes when there is none.
    std::size_t leader_of(const std::string& stream);

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    // "nats://127.0.0.1:4711,...", or tls://
    [[nodiscard]] std::string address() const;
    [[nodiscard]] std::string address_of(std::size_t node) const;
    [[nodiscard]] std::string address_as(const std::string& user) const;
    // What tests connect with, where the configuration asks for it: "USER:PASSWORD"; files, and with them TLS.
    void connect_as(std::string user) { user_ = std::move(user); }
    void connect_with(fleet::Credentials files) { files_ = std::move(files); }
    [[nodiscard]] fleet::ConnectOptions connect_options() const;
    [[nodiscard]] std::string problem();

private:
    struct Node {
        std::string name;
        std::uint16_t port = 0;
        std::uint16_t cluster_port = 0;
        std::string log;  // of earlier processes
        std::unique_ptr<Process> process;
    };
    void choose_ports();
    [[nodiscard]] std::string configuration(std::size_t node) const;
    // Its path.
    std::string write_configuration(std::size_t node) const;

    TempDir folder_;
    std::string more_;
    std::string user_;
    fleet::Credentials files_;
    std::vector<Node> nodes_;
};

}  // namespace sla::support
