#include "agent/shots/plan.h"

#include "proto/base/control_characters.h"
#include "proto/base/program_path.h"
#include "proto/common/trigger/format.h"
#include "proto/common/trigger/trigger_words.h"
#include "proto/wire/one_line.h"
#include "proto/wire/utf8.h"

#include <cmath>
#include <filesystem>
#include <string_view>
#include <utility>

namespace sla::shots {
namespace {

constexpr std::size_t kMaxActions = 16;
constexpr std::size_t kMaxNameBytes = 100;

Result<std::int64_t> time_of(std::int64_t ns, const char* what) {
    if (ns < 0 || ns > trigger::kMaxNs)
        return invalid_input(std::string("a trigger's ") + what + " lies between 0 and one day");
    return ns * 1000;
}

Result<void> read_tree(const wire::SetTrigger& request, Plan& plan) {
    Result<trigger::Trigger> tree = trigger::parse(request);
    if (!tree) return tree.error();
    plan.tree = std::move(tree).value();
    if (const auto* expression = std::get_if<trigger::Expression>(&plan.tree)) {
        plan.text = without_control(trigger::to_text(*expression), '?');
        return {};
    }
    for (const trigger::Level& level : std::get<trigger::Sequencer>(plan.tree).levels)
        plan.text += (plan.text.empty() ? "levels: " : ", ") + without_control(level.name, '?');
    return {};
}

Result<void> read_times(const wire::SetTrigger& request, Plan& plan) {
    const bool absolute = request.pre_ns() != 0 || request.post_ns() != 0;
    const double share = request.pre_share();
    if (!(share >= 0 && share <= 1))
        return invalid_input("the part of the window before the trigger lies between 0 and 100 %");
    const Result<std::int64_t> window =
        time_of(request.window_ns() == 0 ? trigger::kWindowNs : request.window_ns(), "window");
    if (!window) return window.error();
    const Result<std::int64_t> pre = time_of(request.pre_ns(), "time before it");
    if (!pre) return pre.error();
    const Result<std::int64_t> post = time_of(request.post_ns(), "time after it");
    if (!post) return post.error();
    const Result<std::int64_t> hold_off = time_of(request.hold_off_ns(), "hold-off");
    if (!hold_off) return hold_off.error();
    plan.pre_ps = absolute ? *pre : std::llround(static_cast<double>(*window) * share);
    plan.post_ps = absolute ? *post : *window - plan.pre_ps;
    plan.hold_off_ps = *hold_off;
    return {};
}

// Who may not have it learns nothing of the agent's machine by asking: not even which folders there are.
bool is_for_owner(std::string_view action) {
    return action == "stop-guest" || action.starts_with("snapshot=") || action.starts_with("run=");
}

Result<void> read_action(const std::string& text, Actions& actions) {
    const std::size_t equals = text.find('=');
    const std::string what = text.substr(0, equals);
    const std::string with = equals == std::string::npos ? "" : text.substr(equals + 1);
    if (text == "stop") {
        actions.stop = true;
    } else if (text == "notify") {
        actions.notify = true;
    } else if (text == "fleet") {
        actions.fleet = true;
    } else if (text == "stop-guest") {
        actions.stop_guest = true;
    } else if (what == "snapshot" && !with.empty()) {
        std::error_code problem;
        const std::filesystem::path folder = std::filesystem::absolute(with, problem).parent_path();
        if (problem || !std::filesystem::is_directory(folder, problem))
            return invalid_input(wire::to_utf8(text, 200) + ": there is no folder " + wire::to_utf8(folder.string()));
        actions.snapshots.push_back(with);
    } else if (what == "run" && !words_of(with).empty()) {
        std::vector<std::string> words = words_of(with);
        if (!is_program(words.front()))
            return invalid_input(wire::to_utf8(text, 200) + ": there is no program " + wire::to_utf8(words.front(), 200));
        actions.commands.push_back(std::move(words));
    } else {
        return invalid_input(
            "'" + wire::to_utf8(text, 80) +
            "' is no action of a trigger: write stop, notify, fleet, stop-guest, snapshot=FILE or run=PROGRAM");
    }
    return {};
}

}  // namespace

std::vector<std::string> words_of(const std::string& command) {
    std::vector<std::string> words;
    bool quoted = false;
    bool in_word = false;
    for (const char c : command) {
        if (c == '"') {
            quoted = !quoted;
            if (!in_word) words.emplace_back();
            in_word = true;
        } else if (c == ' ' && !quoted) {
            in_word = false;
        } else {
            if (!in_word) words.emplace_back();
            in_word = true;
            words.back() += c;
        }
    }
    return words;
}

std::string name_of(const std::string& asked) {
    return wire::one_line(asked, kMaxNameBytes);
}

Result<Plan> plan_of(const wire::SetTrigger& request, bool local) {
    Plan plan;
    plan.asked = request;
    plan.name = name_of(request.name());
    plan.shots = request.shots();
    if (Result<void> read = read_tree(request, plan); !read) return read.error();
    if (Result<void> read = read_times(request, plan); !read) return read.error();
    if (static_cast<std::size_t>(request.actions_size()) > kMaxActions)
        return invalid_input("a trigger has at most 16 actions");
    for (const std::string& action : request.actions()) {
        if (!local && is_for_owner(action))
            return invalid_input(
                "snapshot=, run= and stop-guest are taken on the Unix socket only: ask on the agent's own machine");
        if (Result<void> read = read_action(action, plan.actions); !read) return read.error();
    }
    plan.actions.keep = request.keep_shots();
    return plan;
}

}  // namespace sla::shots
