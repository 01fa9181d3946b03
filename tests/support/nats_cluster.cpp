#include "tests/support/nats_cluster.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <stdexcept>

namespace sla::support {
namespace {

constexpr auto kTimeout = std::chrono::seconds(90);  // an election on a busy machine
constexpr int kTries = 5;                            // when somebody else took a port meanwhile

using AccountInfo = fleet::Handle<jsAccountInfo, jsAccountInfo_Destroy>;

std::uint16_t free_port() {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    const bool bound = fd >= 0 && ::bind(fd, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
                       ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) == 0;
    if (fd >= 0) ::close(fd);
    if (!bound) throw std::runtime_error("there is no free port");
    return ntohs(address.sin_port);
}

}  // namespace

NatsCluster::NatsCluster(std::size_t nodes, std::string more) : more_(std::move(more)) {
    for (std::size_t i = 0; i < nodes; ++i) nodes_.push_back({"n" + std::to_string(i), 0, 0, "", nullptr});
    choose_ports();
}

void NatsCluster::choose_ports() {
    for (Node& node : nodes_) {
        node.port = free_port();
        node.cluster_port = free_port();
    }
}

std::string NatsCluster::configuration(std::size_t node) const {
    std::string text = fmt::format("server_name: {}\nlisten: \"127.0.0.1:{}\"\n", nodes_[node].name, nodes_[node].port);
    text += fmt::format("jetstream {{ store_dir: \"{}\", max_memory_store: 64MB, max_file_store: 4GB }}\n",
                        folder_.file(nodes_[node].name));
    if (nodes_.size() > 1) {
        std::string routes;
        for (const Node& other : nodes_)
            routes += fmt::format("{}\"nats://127.0.0.1:{}\"", routes.empty() ? "" : ", ", other.cluster_port);
        text += fmt::format("cluster {{ name: sla-test, listen: \"127.0.0.1:{}\", routes: [{}] }}\n",
                            nodes_[node].cluster_port, routes);
    }
    return text + more_ + "\n";
}

std::string NatsCluster::write_configuration(std::size_t node) const {
    std::string path = folder_.file(nodes_.at(node).name + ".conf");
    std::ofstream(path) << configuration(node);
    return path;
}

void NatsCluster::reload(std::string more) {
    more_ = std::move(more);
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
        write_configuration(node);
        signal(node, SIGHUP);
    }
}

void NatsCluster::start(std::size_t node) {
    Node& one = nodes_.at(node);
    const std::string path = write_configuration(node);
    if (one.process) one.log += one.process->errors();
    one.process = std::make_unique<Process>(std::vector<std::string>{"/usr/sbin/nats-server", "-c", path});
}

bool NatsCluster::start() {
    for (int i = 0; i < kTries; ++i) {
        for (std::size_t node = 0; node < nodes_.size(); ++node) {
            if (!is_running(node)) start(node);
        }
        if (wait_until_ready()) return true;
        const bool lost_a_port = problem().find("address already in use") != std::string::npos;
        if (!lost_a_port) return false;
        for (std::size_t node = 0; node < nodes_.size(); ++node) kill(node);
        choose_ports();
    }
    return false;
}

void NatsCluster::kill(std::size_t node) {
    Node& one = nodes_.at(node);
    if (!one.process) return;
    one.process->signal(SIGKILL);
    one.process->wait();
}

bool NatsCluster::is_running(std::size_t node) {
    return nodes_.at(node).process && nodes_[node].process->is_running();
}

bool NatsCluster::wait_until_ready(const std::string& stream) {
    const auto is_ready = [&] {
        for (std::size_t node = 0; node < nodes_.size(); ++node) {
            if (nodes_[node].process && !is_running(node) && stream.empty()) return true;  // it will not become better
        }
        fleet::ConnectOptions options = connect_options();
        options.api_wait = std::chrono::milliseconds(200);
        const auto connection = fleet::Connection::open(options);
        if (!connection) return false;
        AccountInfo account;
        if (js_GetAccountInfo(account.out(), (*connection)->jetstream(), nullptr, nullptr) != NATS_OK) return false;
        if (stream.empty()) return true;
        fleet::StreamInfo info;
        return js_GetStreamInfo(info.out(), (*connection)->jetstream(), stream.c_str(), nullptr, nullptr) == NATS_OK;
    };
    if (!eventually(is_ready, kTimeout)) return false;
    for (std::size_t node = 0; node < nodes_.size() && stream.empty(); ++node) {
        if (!is_running(node)) return false;
    }
    return true;
}

std::size_t NatsCluster::leader_of(const std::string& stream) {
    const auto connection = fleet::Connection::open(connect_options());
    fleet::StreamInfo info;
    if (!connection ||
        js_GetStreamInfo(info.out(), (*connection)->jetstream(), stream.c_str(), nullptr, nullptr) != NATS_OK ||
        info->Cluster == nullptr || info->Cluster->Leader == nullptr) {
        return nodes_.size();
    }
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
        if (nodes_[node].name == info->Cluster->Leader) return node;
    }
    return nodes_.size();
}

std::string NatsCluster::address() const {
    return address_as("");
}

std::string NatsCluster::address_of(std::size_t node) const {
    return fmt::format("nats://127.0.0.1:{}", nodes_.at(node).port);
}

fleet::ConnectOptions NatsCluster::connect_options() const {
    fleet::ConnectOptions options;
    options.servers = *fleet::parse_servers(address_as(user_));
    options.credentials = files_;
    return options;
}

std::string NatsCluster::address_as(const std::string& user) const {
    std::string text = (files_.authorities.empty() ? "nats://" : "tls://") + (user.empty() ? "" : user + "@");
    for (const Node& node : nodes_) text += (&node == nodes_.data() ? "" : ",") + fmt::format("127.0.0.1:{}", node.port);
    return text;
}

std::string NatsCluster::problem() {
    std::string text;
    for (Node& node : nodes_) text += node.log + (node.process ? node.process->errors() : "");
    return text;
}

}  // namespace sla::support
