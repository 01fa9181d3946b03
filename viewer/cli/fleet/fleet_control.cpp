// sla fleet set, trigger: what a whole fleet's agents do, changed at once.
#include "proto/common/trigger/trigger_options.h"
#include "viewer/cli/fleet/ask_hosts.h"
#include "viewer/cli/fleet/fleet_options.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/set_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sla::cli {

namespace {

struct FleetAskOptions {
    FleetOptions of;
    std::vector<std::string> hosts;
    OutputOptions output;

    void add_to(common::Command& command) {
        of.add_to(command);
        command.add_option("--host", hosts, "Only hosts whose name matches (repeatable); else every one whose agent runs")
            .value_name("GLOB")
            .one_each();
        output.add_to(command);
        output.add_raw(command);
    }
};

// Complaints of the servers come late, if at all: whoever may not publish there receives nothing.
std::string hint(const fleet::Connection& connection) {
    const std::string complaint = connection.last_complaint();
    return complaint.empty() ? "" : "; the servers say: " + complaint;
}

int ask_fleet(const FleetAskOptions& options, const std::vector<wire::Request>& requests) {
    const auto connection = options.of.connect();
    if (!connection.ok()) return complain(connection.error());
    const auto runs = running_hosts(**connection, options.of.fleet, options.hosts);
    if (!runs.ok()) return complain(runs.error());
    std::vector<std::string> hosts;
    for (const fleet::RunEntry& run : *runs) hosts.push_back(run.host);
    std::vector<HostAnswer> all;
    for (const wire::Request& request : requests) {
        const auto answers =
            ask_hosts(**connection, options.of.fleet, hosts, request, kAnswerTimeout, [] { return interrupted() == 0; });
        if (!answers.ok()) return complain(answers.error());
        all.insert(all.end(), answers->begin(), answers->end());
    }
    const int written = write_fleet_table(answers_table(all), options.output);
    if (written != kDone) return written;
    const auto count = [&](HostAnswer::What what) {
        return std::count_if(all.begin(), all.end(), [what](const HostAnswer& one) { return one.what == what; });
    };
    const auto silent = count(HostAnswer::What::kSilent);
    const auto refused = count(HostAnswer::What::kRefused);
    if (silent > 0) warn(fmt::format("{} of {} did not answer{}", silent, all.size(), hint(**connection)));
    if (silent > 0) return kOutsideFailed;
    return refused > 0 ? kNo : kDone;
}

int run_fleet_set(const FleetAskOptions& options, const SetOptions& set) {
    const auto request = set.request();
    if (!request.ok()) return complain(request.error());
    return ask_fleet(options, {*request});
}

struct FleetTriggerOptions {
    FleetAskOptions to;
    trigger::TriggerOptions trigger;
    std::string expression;
    std::string name = "fleet";
    std::string order;
    bool alone = false;
};

Result<std::vector<wire::Request>> trigger_requests(FleetTriggerOptions options) {
    std::vector<wire::Request> requests;
    if (!options.order.empty()) {
        if (!options.expression.empty() || options.trigger.words.any())
            return invalid_input(
                "--do is for a trigger that is there already: name it by --name, and leave the expression out");
        using What = wire::ControlTrigger;
        static const std::map<std::string, What::What> kOrders = {
            {"arm", What::ARM}, {"stop", What::STOP}, {"fire", What::FIRE}, {"remove", What::REMOVE}};
        wire::ControlTrigger& control = *requests.emplace_back().mutable_control_trigger();
        control.set_name(options.name);
        control.set_what(kOrders.at(options.order));
        return requests;
    }
    if (!options.expression.empty()) options.trigger.words.expressions.push_back(options.expression);
    options.trigger.words.name = options.name;
    if (!options.alone) options.trigger.words.actions.emplace_back("fleet");
    const auto triggers = options.trigger.requests();
    if (!triggers.ok()) return triggers.error();
    if (triggers->empty()) return invalid_input("say what to watch for: an expression, or --trigger-file FILE");
    for (const wire::SetTrigger& one : *triggers) *requests.emplace_back().mutable_set_trigger() = one;
    return requests;
}

int run_fleet_trigger(const FleetTriggerOptions& options) {
    const auto requests = trigger_requests(options);
    if (!requests.ok()) return complain(requests.error());
    return ask_fleet(options.to, *requests);
}

void add_fleet_set(common::Command& fleet) {
    common::Command& command =
        fleet.add_command("set", "Switch, filter and limit channels on all hosts, or some, and tell what each answered");
    auto options = std::make_shared<FleetAskOptions>();
    auto set = std::make_shared<SetOptions>();
    options->add_to(command);
    set->describe(command);
    command.footer(
        "As `sla set`, for agents started with --fleet-control all. Exit codes: 0 every host accepted, 1 one refused, 3 one "
        "did not answer.\n"
        "  sla fleet set nats://a,b,c --fleet prod --host 'web-*' 'net.*' --filter 'value > 1500'");
    command.action([=] { return run_fleet_set(*options, *set); });
}

void add_fleet_trigger(common::Command& fleet) {
    common::Command& command = fleet.add_command(
        "trigger", "Set a trigger on all hosts: when it fires on one, every one keeps its window around the same instant");
    auto options = std::make_shared<FleetTriggerOptions>();
    options->to.add_to(command);
    command.add_option("expression", options->expression, "What to watch for").value_name("EXPR");
    options->trigger.describe(command, false);
    command.add_option("--name", options->name, "Its name, the same on every host").value_name("NAME").show_default();
    command
        .add_option("--action", options->trigger.words.actions, "What a shot makes happen beside: stop, notify (repeatable)")
        .suggest({"stop", "notify"})
        .value_name("ACTION")
        .one_each();
    command.add_flag("--alone", options->alone, "Only the host where it fires keeps its window");
    command
        .add_option("--do", options->order, "Instead of setting one, to the trigger of that --name: arm, stop, fire, remove")
        .one_of({"arm", "stop", "fire", "remove"})
        .value_name("arm|stop|fire|remove");
    command.footer(
        std::string("For agents started with --fleet-control all; all others of the fleet keep their windows too, "
                    "unless started with --fleet-control none.\n"
                    "What each host kept, and how far off it may be: sla fleet shots. Exit codes: 0 every host "
                    "accepted, 1 one refused, 3 one did not answer.\n") +
        trigger::kTriggerFooter);
    command.action([=] { return run_fleet_trigger(*options); });
}

}  // namespace

void add_fleet_control(common::Command& fleet) {
    add_fleet_set(fleet);
    add_fleet_trigger(fleet);
}

}  // namespace sla::cli
