// sla trigger: the triggers of the running agent.
#include "proto/common/trigger/doubts.h"
#include "proto/common/trigger/trigger_options.h"
#include "proto/wire/control.pb.h"
#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/cli/text/agent_status.h"
#include "viewer/formats/table/small_table.h"
#include "viewer/ingest/request.h"
#include "viewer/process/programs.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

namespace sla::cli {

namespace {

constexpr const char* kClient = "sla trigger";
constexpr std::chrono::seconds kAnswerTimeout{10};

struct Agent {
    std::string typed;

    [[nodiscard]] Result<wire::Address> address() const { return agent_address(typed); }
    [[nodiscard]] int ask(const wire::Request& request) const {
        const auto to = address();
        if (!to.ok()) return complain(to.error());
        const auto sent = ingest::send_request(*to, request);
        return sent.ok() ? kDone : complain(sent.error());
    }
};

// The agent may run in another directory.
std::string with_absolute_path(const std::string& action) {
    constexpr std::string_view kSnapshot = "snapshot=";
    if (!action.starts_with(kSnapshot) || action.size() == kSnapshot.size()) return action;
    return std::string(kSnapshot) + std::filesystem::absolute(action.substr(kSnapshot.size())).string();
}

// As it is typed into a shell.
std::string shell_word(const std::string& text) {
    constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@";
    if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
    return process::shell_quoted(text);
}

// What sets it again, as the options of `sla trigger set`.
std::string options_of(const store::TriggerInfo& info) {
    if (info.asked == nullptr) return {};
    const trigger::TriggerWords words = trigger::words_of(*info.asked);
    std::string out;
    const auto add = [&](const char* option, const std::string& value) {
        if (value.empty()) return;
        out += fmt::format("{}{} {}", out.empty() ? "" : " ", option, shell_word(value));
    };
    add("--window", words.window);
    add("--pre", words.pre);
    add("--pre-time", words.pre_time);
    add("--post-time", words.post_time);
    if (words.shots > 0) add("--shots", std::to_string(words.shots));
    add("--hold-off", words.hold_off);
    for (const std::string& action : words.actions) add("--action", action);
    if (words.keep > 0) add("--keep-shots", std::to_string(words.keep));
    return out;
}

// Says on stderr why what was set may never fire.
void report_doubts(const wire::Address& address, const std::vector<wire::SetTrigger>& requests) {
    store::Session session;
    if (!ask_for_status(address, kClient, kAnswerTimeout, session).ok()) return;  // it is set all the same
    std::vector<std::string> channels;
    for (const store::Lane* lane : session.lanes()) channels.push_back(lane->channel().name);
    for (const wire::SetTrigger& one : requests) {
        const auto tree = trigger::parse(one);
        if (!tree.ok()) continue;
        for (const std::string& doubt : trigger::doubts_of(*tree, channels)) warn("set, but " + doubt);
    }
}

int run_set(const Agent& agent, trigger::TriggerOptions options, const std::string& expression) {
    if (!expression.empty()) options.words.expressions.push_back(expression);
    for (std::string& action : options.words.actions) action = with_absolute_path(action);
    const auto requests = options.requests();
    if (!requests.ok()) return complain(requests.error());
    if (requests->empty()) return complain(invalid_input("say what to watch for: an expression, or --trigger-file FILE"));
    for (const wire::SetTrigger& one : *requests) {
        wire::Request request;
        *request.mutable_set_trigger() = one;
        if (const int code = agent.ask(std::move(request)); code != kDone) return code;
    }
    if (const auto address = agent.address(); address.ok()) report_doubts(*address, *requests);
    return kDone;
}

int run_control(const Agent& agent, wire::ControlTrigger::What what, const std::string& name) {
    wire::Request request;
    request.mutable_control_trigger()->set_what(what);
    request.mutable_control_trigger()->set_name(name);
    return agent.ask(std::move(request));
}

int run_list(const Agent& agent, const OutputOptions& output) {
    const auto format = output.chosen();
    if (!format.ok()) return complain(format.error());
    const auto address = agent.address();
    if (!address.ok()) return complain(address.error());
    store::Session session;
    if (const auto asked = ask_for_status(*address, kClient, kAnswerTimeout, session); !asked.ok())
        return complain(asked.error());
    formats::SmallTable table(
        {"trigger", "state", "shots", "cannot_tell", "stage", "expression", "problem", "shots_lacking", "options"});
    for (const store::TriggerInfo& one : session.health().triggers) {
        table.add({one.name, one.state, one.shots, one.cannot_tell, std::uint64_t{one.stage}, one.expression, one.problem,
                   one.shots_lacking, options_of(one)});
    }
    return output.write(table, *format, table.size() > 0 ? kDone : kNo);
}

void add_control(common::Command& trigger, const std::shared_ptr<Agent>& agent, const char* word, const char* help,
                 wire::ControlTrigger::What what) {
    common::Command& command = trigger.add_command(word, help);
    auto name = std::make_shared<std::string>();
    command.add_option("name", *name, "Which trigger; not needed when there is one").value_name("NAME");
    add_agent(command, agent->typed);
    command.action([=] { return run_control(*agent, what, *name); });
}

void add_set(common::Command& trigger, const std::shared_ptr<Agent>& agent) {
    common::Command& command = trigger.add_command("set", "Set a trigger, or put it in the place of the one with that name");
    auto options = std::make_shared<trigger::TriggerOptions>();
    auto expression = std::make_shared<std::string>();
    command.add_option("expression", *expression, "What to watch for").value_name("EXPR");
    options->describe(command, false);
    command.add_option("--name", options->words.name, "Its name (trigger-1, trigger-2 ... when not said)")
        .value_name("NAME");
    command
        .add_option(
            "--action", options->words.actions,
            "What a shot makes happen: stop, notify, fleet, stop-guest, snapshot=FILE, run=PROGRAM ARGS (repeatable)")
        .suggest({"stop", "notify", "fleet", "stop-guest"})
        .value_name("ACTION")
        .one_each();
    command.add_option("--keep-shots", options->words.keep, "Snapshots kept, the newest (0: all)").value_name("N");
    add_agent(command, agent->typed);
    command.footer(trigger::kTriggerFooter);
    command.action([=] { return run_set(*agent, *options, *expression); });
}

}  // namespace

void add_trigger(common::Command& app) {
    common::Command& command = app.add_command("trigger", "Set, list and control the triggers of the running agent");
    auto agent = std::make_shared<Agent>();
    add_agent(command, agent->typed, "address");
    add_set(command, agent);
    using What = wire::ControlTrigger;
    add_control(command, agent, "arm", "Let it begin anew, also when it has stopped", What::ARM);
    add_control(command, agent, "stop", "Let no further hit count", What::STOP);
    add_control(command, agent, "fire", "Fire it now, as if its condition had happened", What::FIRE);
    add_control(command, agent, "remove", "Forget it", What::REMOVE);
    common::Command& list = command.add_command("list", "List names, states and shots");
    list.footer(
        "Column shots_lacking: of how many shots the agent does not hold all events any more.\n"
        "Exit code 1: there is no trigger.");
    add_agent(list, agent->typed, "address");
    auto output = std::make_shared<OutputOptions>();
    output->add_to(list);
    list.action([=] { return run_list(*agent, *output); });
}

}  // namespace sla::cli
