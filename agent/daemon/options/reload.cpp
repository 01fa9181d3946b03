#include "agent/daemon/options/reload.h"

#include "agent/shots/plan.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sla::daemon {
namespace {

bool is_same(const wire::SetTrigger& one, const wire::SetTrigger& other) {
    return one.SerializeAsString() == other.SerializeAsString();
}

std::vector<std::string> texts_of(const std::vector<wire::Address>& addresses) {
    std::vector<std::string> texts;
    for (const wire::Address& address : addresses) texts.push_back(address.text());
    return texts;
}

auto files_of(const fleet::Credentials& credentials) {
    return std::tie(credentials.creds, credentials.authorities, credentials.certificate, credentials.key);
}

// Sockets, files and the kernel's trace are opened once.
std::string what_waits(const Options& before, const Options& now) {
    std::string waits;
    const auto note = [&waits](bool differs, const char* what) {
        if (differs) waits += (waits.empty() ? "" : ", ") + std::string(what);
    };
    note(texts_of(before.listen) != texts_of(now.listen), "listen");
    note((before.metrics ? before.metrics->text() : "") != (now.metrics ? now.metrics->text() : ""), "metrics");
    note(before.record != now.record, "record");
    note(before.publish.servers.urls() != now.publish.servers.urls() || before.publish.fleet != now.publish.fleet ||
             before.publish.host != now.publish.host || before.publish.spool_bytes != now.publish.spool_bytes ||
             before.publish.spool_folder != now.publish.spool_folder || before.publish.control != now.publish.control ||
             before.publish.report_every != now.publish.report_every ||
             files_of(before.publish.credentials) != files_of(now.publish.credentials),
         "publish");
    note(before.limits.shot_bytes != now.limits.shot_bytes, "shot_memory");
    note(before.record_limits.file_bytes != now.record_limits.file_bytes ||
             before.record_limits.file_time != now.record_limits.file_time,
         "rotate");
    note(before.record_limits.keep_files != now.record_limits.keep_files, "keep_files");
    note(before.host.events != now.host.events || before.host.uprobes != now.host.uprobes ||
             before.host.samples != now.host.samples || before.host.buffer_bytes != now.host.buffer_bytes,
         "linux");
    return waits;
}

wire::Request default_limits(const Options& options) {
    wire::Request request;
    wire::SetRetention& limits = *request.mutable_set_retention();
    limits.set_total_bytes(options.limits.total_bytes);
    limits.set_channel_bytes(options.limits.channel_bytes);
    limits.set_keep_ns(0);
    return request;
}

}  // namespace

Configuration::Configuration(Pipeline& pipeline, const Options& options) : pipeline_(pipeline), current_(options) {}

void Configuration::hand_over(Options options, Done done) {
    std::lock_guard lock(mutex_);
    if (!waiting_) waiting_.emplace();
    waiting_->options = std::move(options);
    waiting_->done.push_back(std::move(done));
    waits_.store(true, std::memory_order_relaxed);  // pairs with nothing: the lock orders what waits
}

void Configuration::apply_waiting() {
    if (!waits_.load(std::memory_order_relaxed)) return;  // pairs with nothing: the next step looks again
    std::optional<Waiting> waiting;
    {
        std::lock_guard lock(mutex_);
        waiting = std::exchange(waiting_, std::nullopt);
        waits_.store(false, std::memory_order_relaxed);  // under the lock, as its other store
    }
    if (!waiting) return;
    const std::string problem = apply(waiting->options);
    const std::string waits = problem.empty() ? what_waits(current_, waiting->options) : "";
    if (problem.empty()) current_.requests = waiting->options.requests;
    for (const Done& done : waiting->done) done(problem, waits);
}

// All words are tried where nothing depends on them, beside the triggers that clients have set.
std::string Configuration::problem_of(const std::vector<Options::Request>& requests) {
    shots::TriggerWatch trial{shots::Hooks{}};
    ChannelRules rules;
    for (const auto& known : triggers_in_force()) {
        if (std::any_of(triggers_.begin(), triggers_.end(), [&](const Trigger& own) { return own.id == known.first; }))
            continue;
        wire::SetTrigger of_client;
        of_client.set_name(known.second);
        of_client.set_expression("any > 0");
        (void)trial.set(of_client, true, 0, 1e9);
    }
    for (const Options::Request& wanted : requests) {
        std::string problem;
        if (wanted.request.has_set_channels()) problem = rules.add(wanted.request.set_channels());
        if (wanted.request.has_set_trigger()) {
            problem = pipeline_.problem_of(wanted.request.set_trigger());
            if (problem.empty()) problem = trial.set(wanted.request.set_trigger(), true, 0, 1e9);
        }
        if (!problem.empty()) return wanted.origin + ": " + problem;
    }
    return "";
}

// Null also where a client has removed or replaced it, and of several that are alike once each of them is in `set`.
const Configuration::Trigger* Configuration::find_set(const wire::SetTrigger& trigger, const InForce& in_force,
                                                      const std::vector<Trigger>& set) const {
    const auto known = std::find_if(triggers_.begin(), triggers_.end(), [&](const Trigger& each) {
        return is_same(each.asked, trigger) && in_force.contains(each.id) &&
               std::none_of(set.begin(), set.end(), [&](const Trigger& one) { return one.id == each.id; });
    });
    return known == triggers_.end() ? nullptr : &*known;
}

Configuration::InForce Configuration::triggers_in_force() {
    wire::Status status;
    pipeline_.triggers().fill(status);
    InForce triggers;
    for (const wire::TriggerStatus& trigger : status.triggers()) triggers[trigger.id()] = trigger.name();
    return triggers;
}

// One without a name is another one as soon as anything of it is. What a client has set in the place of one is the client's.
void Configuration::remove_triggers_not_in(const std::vector<wire::SetTrigger>& wanted) {
    const InForce in_force = triggers_in_force();
    std::vector<wire::SetTrigger> left = wanted;  // for each of which one more stays
    for (const Trigger& known : triggers_) {
        const auto trigger = in_force.find(known.id);
        if (trigger == in_force.end()) continue;
        const auto stays = std::find_if(left.begin(), left.end(), [&](const wire::SetTrigger& each) {
            return each.name().empty() ? is_same(each, known.asked) : shots::name_of(each.name()) == trigger->second;
        });
        if (stays != left.end()) {
            left.erase(stays);
            continue;
        }
        wire::Request removal;
        removal.mutable_control_trigger()->set_name(trigger->second);
        removal.mutable_control_trigger()->set_what(wire::ControlTrigger::REMOVE);
        (void)pipeline_.apply({removal, true, {}});  // it is there
    }
}

std::string Configuration::set_triggers(const std::vector<wire::SetTrigger>& wanted) {
    remove_triggers_not_in(wanted);
    const InForce before = triggers_in_force();
    std::vector<Trigger> set;
    for (const wire::SetTrigger& trigger : wanted) {
        if (const Trigger* known = find_set(trigger, before, set)) {  // goes on as it is, with its shots
            set.push_back(*known);
            continue;
        }
        wire::Request request;
        *request.mutable_set_trigger() = trigger;
        std::string problem = pipeline_.apply({request, true, {}});
        if (!problem.empty()) return "trigger " + trigger.name() + ": " + problem;
        set.push_back({trigger, triggers_in_force().rbegin()->first});  // ids grow
    }
    triggers_ = std::move(set);
    return "";
}

std::string Configuration::apply(const Options& options) {
    std::string problem = problem_of(options.requests);
    if (!problem.empty()) return problem;
    std::vector<wire::SetChannels> rules;
    std::vector<wire::SetTrigger> triggers;
    for (const Options::Request& wanted : options.requests) {
        if (wanted.request.has_set_channels()) rules.push_back(wanted.request.set_channels());
        if (wanted.request.has_set_trigger()) triggers.push_back(wanted.request.set_trigger());
    }
    problem = pipeline_.configure(rules);
    if (!problem.empty()) return "the rules for channels: " + problem;
    (void)pipeline_.apply({default_limits(options), true, {}});  // all that could be wrong with it was read before
    for (const Options::Request& wanted : options.requests) {
        if (wanted.request.has_set_retention()) problem = pipeline_.apply({wanted.request, true, {}});
        if (!problem.empty()) return wanted.origin + ": " + problem;
    }
    return set_triggers(triggers);
}

}  // namespace sla::daemon
