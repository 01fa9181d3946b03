#include "viewer/cli/fleet/ask_hosts.h"

#include "proto/base/text.h"
#include "proto/fleet/listener.h"
#include "proto/fleet/names.h"
#include "proto/fleet/talk.h"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>

namespace sla::cli {

namespace {

// What came back, by libnats' thread; each host's answer counts once.
class Answers {
public:
    explicit Answers(const std::vector<std::string>& hosts) : waiting_(hosts.size()) {
        for (const std::string& host : hosts) all_.push_back({host, HostAnswer::What::kSilent, ""});
    }
    void receive(const fleet::Received& received) {
        const auto at = whole_number<std::size_t>(received.subject.substr(received.subject.rfind('.') + 1));
        const auto answer = fleet::parse_control_answer(received.body);
        std::lock_guard lock(mutex_);
        if (!at || *at >= all_.size()) return;
        HostAnswer& host = all_[*at];
        if (host.what != HostAnswer::What::kSilent || !host.why.empty()) return;
        if (received.nobody_listens) {
            host.why = "nobody listens there: its agent has ended, or the servers do not let it listen (sla fleet setup)";
        } else if (answer && answer->host() == host.host) {
            host.what = answer->error().empty() ? HostAnswer::What::kAccepted : HostAnswer::What::kRefused;
            host.why = answer->error();
        } else {
            return;
        }
        waiting_--;
        came_.notify_one();
    }
    std::vector<HostAnswer> wait(std::chrono::milliseconds timeout, const std::function<bool()>& goes_on) {
        const auto end = std::chrono::steady_clock::now() + timeout;
        std::unique_lock lock(mutex_);
        while (waiting_ > 0 && std::chrono::steady_clock::now() < end && goes_on())
            came_.wait_for(lock, std::chrono::milliseconds(100));
        for (HostAnswer& host : all_) {
            if (host.what == HostAnswer::What::kSilent && host.why.empty())
                host.why = fmt::format("no answer within {:.0f} s", static_cast<double>(timeout.count()) / 1000);
        }
        return all_;
    }

private:
    std::mutex mutex_;
    std::condition_variable came_;
    std::vector<HostAnswer> all_;  // under mutex_, as the next
    std::size_t waiting_;
};

}  // namespace

Result<std::vector<HostAnswer>> ask_hosts(const fleet::Connection& connection, const std::string& fleet,
                                          const std::vector<std::string>& hosts, const wire::Request& request,
                                          std::chrono::milliseconds timeout, const std::function<bool()>& goes_on) {
    const std::string body = request.SerializeAsString();
    if (body.size() > fleet::kMaxControlBytes) return invalid_input("that is more than 64 KiB: agents take less at a time");
    Answers answers(hosts);
    const std::string inbox = fleet::new_inbox();
    const auto listener =
        fleet::Listener::open(connection, inbox + ".*", [&](const fleet::Received& received) { answers.receive(received); });
    if (!listener) return listener.error();
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        const std::string subject = fleet::talk_subject(fleet, fleet::Talk::kControl, hosts[i]);
        const auto sent = fleet::publish(connection, subject, body, inbox + "." + std::to_string(i));
        if (!sent) return sent.error();
    }
    return answers.wait(timeout, goes_on);
}

}  // namespace sla::cli
