#include "viewer/workspace/trigger_draft.h"

#include "proto/base/text.h"
#include "proto/common/trigger/doubts.h"
#include "proto/common/trigger/trigger_words.h"
#include "viewer/store/session.h"
#include "viewer/workspace/source/agent_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace sla::workspace {

namespace {

// Parted at semicolons, but for those in "double quotes".
std::vector<std::string> actions_in(const std::string& text) {
    std::vector<std::string> actions(1);
    bool quoted = false;
    for (const char c : text) {
        if (c == '"') quoted = !quoted;
        if (c == ';' && !quoted) {
            actions.emplace_back();
        } else if (c != ' ' || !actions.back().empty()) {
            actions.back() += c;
        }
    }
    for (std::string& action : actions) action.erase(action.find_last_not_of(' ') + 1);
    std::erase(actions, std::string());
    return actions;
}

Result<wire::SetTrigger> request_of(const TriggerDraft& draft) {
    trigger::TriggerWords words;
    if (draft.is_sequencer()) {
        words.files.push_back({"", draft.text});
    } else {
        words.expressions.push_back(draft.text);
    }
    words.name = draft.name;
    words.window = draft.window;
    words.pre = fmt::format("{}%", draft.pre_percent);
    words.hold_off = draft.hold_off;
    words.shots = draft.shots;
    words.keep = draft.keep;
    words.actions = actions_in(draft.actions);
    const auto requests = trigger::to_requests(words);
    if (!requests) return requests.error();
    return requests->front();
}

// A window that was asked for as a time before and one after, as a length and a part of it.
void set_window(const wire::SetTrigger& asked, TriggerDraft& draft) {
    const std::int64_t pre = std::clamp<std::int64_t>(asked.pre_ns(), 0, trigger::kMaxNs);
    const std::int64_t post = std::clamp<std::int64_t>(asked.post_ns(), 0, trigger::kMaxNs);
    if (pre + post == 0) return;
    wire::SetTrigger whole;
    whole.set_window_ns(pre + post);
    draft.window = trigger::words_of(whole).window;
    draft.pre_percent = 100 * static_cast<double>(pre) / static_cast<double>(pre + post);
}

}  // namespace

TriggerDraft TriggerDraft::of(const wire::SetTrigger& asked) {
    const trigger::TriggerWords words = trigger::words_of(asked);
    TriggerDraft draft;
    draft.name = words.name;
    for (const std::string& text : words.expressions) draft.text = text;
    for (const trigger::TriggerFile& file : words.files) draft.text = file.text;
    if (!words.window.empty()) draft.window = words.window;
    draft.pre_percent = asked.pre_share() * 100;
    set_window(asked, draft);
    draft.shots = words.shots;
    draft.keep = words.keep;
    draft.hold_off = words.hold_off;
    for (const std::string& action : words.actions) draft.actions += (draft.actions.empty() ? "" : "; ") + action;
    return draft;
}

bool TriggerDraft::is_sequencer() const {
    std::istringstream words(text);
    for (std::string line; std::getline(words, line);) {
        std::istringstream in_line(line);
        std::string first;
        if (!(in_line >> first) || first.front() == '#') continue;
        return first == "level";
    }
    return false;
}

Result<void> TriggerDraft::check() const {
    const auto request = request_of(*this);
    return request ? Result<void>() : request.error();
}

std::vector<std::string> TriggerDraft::doubts(const store::Session& session) const {
    std::vector<std::string> channels;
    for (const store::Lane* lane : session.lanes()) channels.push_back(lane->channel().name);
    const auto request = request_of(*this);
    if (!request) return {};
    const auto tree = trigger::parse(*request);
    return tree ? trigger::doubts_of(*tree, channels) : std::vector<std::string>();
}

void TriggerDraft::order_from(AgentLink& agent) const {
    auto request = request_of(*this);
    if (!request) return;
    wire::Request message;
    *message.mutable_set_trigger() = std::move(*request);
    agent.send(message);
}

std::string pointed_part(const std::string& error, std::size_t most) {
    const std::size_t line_at = error.find("\n  ");
    const std::size_t mark_at = line_at == std::string::npos ? line_at : error.find("\n  ", line_at + 3);
    if (mark_at == std::string::npos) return {};
    const std::string line = error.substr(line_at + 3, mark_at - line_at - 3);
    const std::size_t column = error.size() - mark_at - 4;
    // In characters, of which one may be several bytes.
    std::vector<std::string> letters;
    for (const char c : line) {
        if (!begins_character(c) && !letters.empty()) {
            letters.back() += c;
        } else {
            letters.emplace_back(1, c);
        }
    }
    const std::size_t half = most / 2;
    const std::size_t first = letters.size() <= most || column < half ? 0 : std::min(column - half, letters.size() - half);
    std::string out;
    for (std::size_t i = first; i < letters.size() && i < first + most; ++i) out += letters[i];
    return out + "\n" + std::string(column - first, ' ') + "^";
}

}  // namespace sla::workspace
