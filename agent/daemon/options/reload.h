// The configuration in an agent that runs: read on the I/O thread, put in force by the draining thread between two steps.
//
//   SIGHUP ─► hand_over(options) ─────► apply_waiting() ─► limits, rules, triggers ─► done(problem, remark)
//             I/O thread                draining thread
//
// All or nothing: one wrong word, and everything stays as it was. What clients set stays too, but for what the newer words
// of the configuration are about.
#pragma once

#include "agent/daemon/options/options.h"
#include "agent/daemon/pipeline/pipeline.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sla::daemon {

class Configuration {
public:
    // What is wrong, empty: it is in force; and what of it has to wait for the next start, empty: nothing.
    using Done = std::function<void(const std::string& problem, const std::string& waits)>;

    Configuration(Pipeline& pipeline, const Options& options);

    // Those that the agent starts with. Before the stepping begins.
    [[nodiscard]] std::string begin() { return apply(current_); }
    // I/O thread. An older one that still waits is left out, and answered as the newer one.
    void hand_over(Options options, Done done);
    // Draining thread, between steps; a load when nothing waits.
    void apply_waiting();

private:
    struct Waiting {
        Options options;
        std::vector<Done> done;
    };
    // By its id; one that somebody sets again, under the same name, is another.
    using InForce = std::map<std::uint32_t, std::string>;
    struct Trigger {
        wire::SetTrigger asked;
        std::uint32_t id;
    };
    std::string apply(const Options& options);
    [[nodiscard]] std::string problem_of(const std::vector<Options::Request>& requests);
    [[nodiscard]] InForce triggers_in_force();
    void remove_triggers_not_in(const std::vector<wire::SetTrigger>& wanted);
    std::string set_triggers(const std::vector<wire::SetTrigger>& wanted);
    [[nodiscard]] const Trigger* find_set(const wire::SetTrigger& trigger, const InForce& in_force,
                                          const std::vector<Trigger>& set) const;

    Pipeline& pipeline_;
    Options current_;
    std::vector<Trigger> triggers_;  // that the configuration in force has set; clients may have removed or replaced some
    std::atomic<bool> waits_{false};
    std::mutex mutex_;
    std::optional<Waiting> waiting_;  // under mutex_
};

}  // namespace sla::daemon
