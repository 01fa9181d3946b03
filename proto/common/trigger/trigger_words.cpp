#include "proto/common/trigger/trigger_words.h"

#include "proto/base/text.h"
#include "proto/common/trigger/format.h"
#include "proto/common/trigger/parser.h"
#include "proto/time/duration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <utility>

namespace sla::trigger {
namespace {

constexpr const char* kNoTime = "no time at all; 1ns keeps the event alone";

std::string word(const WordNames& names, std::string option) {
    if (names.path.empty()) return "--" + option;
    std::replace(option.begin(), option.end(), '-', '_');
    return option;
}

Error wrong(const WordNames& names, const char* option, const std::string& why) {
    return invalid_input((names.path.empty() ? "" : names.path + ".") + word(names, option) + ": " + why);
}

Error wrong_shape(const WordNames& names, const std::string& why) {
    return invalid_input((names.path.empty() ? "" : names.path + ": ") + why);
}

Result<std::int64_t> ns_of(const std::string& text, const WordNames& names, const char* option, std::int64_t when_empty) {
    if (text.empty()) return when_empty;
    const Result<std::int64_t> ps = time::parse_duration(text);
    if (!ps) return wrong(names, option, ps.error().message);
    if (*ps < 0) return wrong(names, option, "'" + text + "' is negative");
    return *ps / 1000;
}

// "30%" or "30".
Result<double> share_of(const std::string& text, const WordNames& names) {
    if (text.empty()) return 0.5;
    std::string_view digits(text);
    if (digits.ends_with('%')) digits.remove_suffix(1);
    const auto percent = whole_number<double>(digits);
    if (!percent || !(*percent >= 0 && *percent <= 100)) {
        return wrong(
            names, "pre",
            "'" + text + "' is no part of the window, from 0% to 100%; for a time there is " + word(names, "pre-time"));
    }
    return *percent / 100;
}

// An agent's own words cannot be trusted to be times that an agent takes.
std::string time_word(std::int64_t ns) {
    return time_text(std::clamp<std::int64_t>(ns, 0, kMaxNs) * 1000);
}

Result<wire::SetTrigger> shape_of(const TriggerWords& words, const WordNames& names) {
    wire::SetTrigger request;
    const bool absolute = !words.pre_time.empty() || !words.post_time.empty();
    if (absolute && (!words.window.empty() || !words.pre.empty())) {
        return wrong_shape(names, "say either " + word(names, "window") + " and " + word(names, "pre") + ", or " +
                                      word(names, "pre-time") + " and " + word(names, "post-time"));
    }
    const Result<std::int64_t> window = ns_of(words.window, names, "window", kWindowNs);
    const Result<std::int64_t> pre = ns_of(words.pre_time, names, "pre-time", 0);
    const Result<std::int64_t> post = ns_of(words.post_time, names, "post-time", 0);
    const Result<std::int64_t> hold_off = ns_of(words.hold_off, names, "hold-off", 0);
    for (const auto* time : {&window, &pre, &post, &hold_off}) {
        if (!*time) return time->error();
    }
    if (*window == 0) return wrong(names, "window", "'" + words.window + "' is " + kNoTime);
    if (absolute && *pre + *post == 0)
        return wrong_shape(names, word(names, "pre-time") + " and " + word(names, "post-time") + " are both 0: " + kNoTime);
    const Result<double> share = share_of(words.pre, names);
    if (!share) return share.error();
    request.set_pre_share(*share);
    request.set_window_ns(absolute ? 0 : *window);
    request.set_pre_ns(*pre);
    request.set_post_ns(*post);
    request.set_hold_off_ns(*hold_off);
    request.set_shots(words.shots);
    request.set_keep_shots(words.keep);
    for (const std::string& action : words.actions) request.add_actions(action);
    return request;
}

}  // namespace

Result<std::vector<wire::SetTrigger>> to_requests(const TriggerWords& words, const WordNames& names) {
    const Result<wire::SetTrigger> shape = shape_of(words, names);
    if (!shape) return shape.error();
    std::vector<wire::SetTrigger> requests;
    for (const std::string& text : words.expressions) {
        const Result<Expression> parsed = parse_expression(text);
        if (!parsed) return invalid_input(names.expression + ": " + parsed.error().message);
        requests.push_back(*shape);
        requests.back().set_expression(text);
    }
    for (const TriggerFile& file : words.files) {
        const Result<Sequencer> parsed = parse_sequencer(file.text);
        const std::string where = file.name.empty() ? "--trigger-file" : file.name;
        if (!parsed) return invalid_input(where + ": " + parsed.error().message);
        requests.push_back(*shape);
        requests.back().set_levels(file.text);
    }
    if (!words.name.empty() && requests.size() > 1)
        return wrong_shape(names, "one " + word(names, "name") + " for several triggers: set them one by one");
    if (!words.name.empty() && !requests.empty()) requests[0].set_name(words.name);
    return requests;
}

TriggerWords words_of(const wire::SetTrigger& request) {
    TriggerWords words;
    if (!request.expression().empty()) words.expressions.push_back(request.expression());
    if (!request.levels().empty()) words.files.push_back({"", request.levels()});
    words.name = request.name();
    if (request.pre_ns() != 0 || request.post_ns() != 0) {
        words.pre_time = time_word(request.pre_ns());
        words.post_time = time_word(request.post_ns());
    } else {
        if (request.window_ns() != 0) words.window = time_word(request.window_ns());
        words.pre = fmt::format("{}%", request.pre_share() * 100);
    }
    if (request.hold_off_ns() != 0) words.hold_off = time_word(request.hold_off_ns());
    words.shots = request.shots();
    words.keep = request.keep_shots();
    words.actions.assign(request.actions().begin(), request.actions().end());
    return words;
}

Result<Trigger> parse(const wire::SetTrigger& request) {
    if (request.expression().empty() == request.levels().empty())
        return invalid_input("a trigger is either an expression or a file of levels");
    if (!request.expression().empty()) {
        Result<Expression> expression = parse_expression(request.expression());
        if (!expression) return expression.error();
        return Trigger(std::move(expression).value());
    }
    Result<Sequencer> sequencer = parse_sequencer(request.levels());
    if (!sequencer) return sequencer.error();
    return Trigger(std::move(sequencer).value());
}

Result<TriggerFile> read_trigger_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return system_error("cannot read the trigger file '" + path + "'", errno);
    TriggerFile file{path, std::string(kMaxTextBytes + 1, '\0')};  // longer is refused by the parser
    in.read(file.text.data(), static_cast<std::streamsize>(file.text.size()));
    if (in.bad()) return system_error("cannot read the trigger file '" + path + "'", errno);
    file.text.resize(static_cast<std::size_t>(in.gcount()));
    return file;
}

}  // namespace sla::trigger
