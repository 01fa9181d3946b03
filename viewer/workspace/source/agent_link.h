// Requests to the agent, sent aside so that the window never waits for one. In order, one at a time; what the agent refused
// is reported as an error. Owner: the window's thread; one job at a time runs beside it.
#pragma once

#include "proto/base/result.h"
#include "proto/wire/address.h"
#include "viewer/workspace/jobs/job_runner.h"
#include "viewer/workspace/source/refused_orders.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::wire {
class Filter;
class Request;
}  // namespace sla::wire

namespace sla::workspace {

enum class TriggerOrder { kArm, kStop, kFire, kRemove };

class AgentLink {
public:
    explicit AgentLink(std::optional<wire::Address> address);
    ~AgentLink();
    AgentLink(const AgentLink&) = delete;
    AgentLink& operator=(const AgentLink&) = delete;

    // Of a capture file there is no agent to ask.
    [[nodiscard]] bool has_agent() const { return address_.has_value(); }
    void send(const wire::Request& request);
    [[nodiscard]] bool busy() const;
    // Call once a frame: the answer that came in since, if any; what failed says so.
    std::optional<Result<void>> poll(const store::Health& health);
    // What it refused to do to a trigger, in the words of that answer, once they are so no more.
    [[nodiscard]] std::vector<std::string> take_outdated(const store::Health& health) {
        return refused_.take_outdated(health);
    }

    // The requests that panels make.
    void control_trigger(const std::string& name, TriggerOrder order);
    void switch_channel(const std::string& name, bool on);
    // Null, nothing: that stays as it is.
    void set_channel(const std::string& name, const wire::Filter* filter, std::optional<std::int64_t> keep_ns);

private:
    void start_next();

    std::optional<wire::Address> address_;
    struct Waiting;
    std::unique_ptr<Waiting> waiting_;
    std::shared_ptr<Result<void>> answer_;  // the job's while it runs; null: there is none
    std::string asked_of_;                  // the trigger that it is about; "": of none
    RefusedOrders refused_;
    JobRunner runner_{1};  // an agent that is slow to answer holds up nobody else's work
    JobRunner::Job running_;
};

}  // namespace sla::workspace
