// sla mark: one event from the command line.
#include "proto/base/text.h"
#include "proto/wire/control.pb.h"
#include "proto/wire/utf8.h"
#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/ingest/request.h"

#include <fmt/format.h>
#include <sla/ring_abi.h>

namespace sla::cli {

namespace {

bool has_digits_alone(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// What of a text an event has room for; the moment counts more than the rest of its words, which is said to be missing.
std::string fitting_text(const std::string& text) {
    if (text.size() <= SLA_TEXT_BYTES) return text;
    warn(fmt::format("the text has {} bytes, an event's has {} at most: only its beginning is marked", text.size(),
                     SLA_TEXT_BYTES));
    return wire::to_utf8(text, SLA_TEXT_BYTES);
}

// A whole number, any other number, or text. A whole number is never rounded.
Result<void> set_what(wire::Mark& mark, const std::string& what) {
    if (const auto value = whole_number<std::int64_t>(what)) {
        mark.set_value(*value);
    } else if (has_digits_alone(what)) {
        return invalid_input(what + " does not fit 64 bits with a sign; write " + what + ".0 to have it rounded, or --text");
    } else if (const auto number = whole_number<double>(what)) {
        mark.set_number(*number);
    } else {
        mark.set_text(fitting_text(what));
    }
    return {};
}

int run_mark(const std::string& channel, const std::vector<std::string>& what, bool as_text, const std::string& typed) {
    const auto address = agent_address(typed);
    if (!address.ok()) return complain(address.error());
    if (channel.empty()) return complain(invalid_input("a channel needs a name"));
    if (channel.size() >= SLA_NAME_BYTES)
        return complain(invalid_input(fmt::format("a channel's name has at most {} bytes", SLA_NAME_BYTES - 1)));
    const std::string joined = fmt::format("{}", fmt::join(what, " "));
    wire::Request request;
    request.mutable_mark()->set_channel(channel);
    if (as_text) {
        request.mutable_mark()->set_text(fitting_text(joined));
    } else if (!joined.empty()) {
        if (const auto set = set_what(*request.mutable_mark(), joined); !set.ok()) return complain(set.error());
    }
    const auto sent = ingest::send_request(*address, request);
    return sent.ok() ? kDone : complain(sent.error());
}

}  // namespace

void add_mark(common::Command& app) {
    common::Command& command = app.add_command("mark", "Put one event on a channel of the running agent");
    auto channel = std::make_shared<std::string>();
    auto what = std::make_shared<std::vector<std::string>>();
    auto as_text = std::make_shared<bool>(false);
    auto address = std::make_shared<std::string>();
    command.add_option("channel", *channel, "The channel's name").required().value_name("CHANNEL");
    command.add_option("what", *what, "A number or a text; nothing: a tick").value_name("VALUE|TEXT");
    command.add_flag("--text", *as_text, "Take a number as text too");
    add_agent(command, *address);
    command.footer(
        "A number may be negative, as in: sla mark load -5; a text that begins with - goes behind --. Whole numbers have 64 "
        "bits\n"
        "with a sign; a larger one is refused. A text has 112 bytes at most; of a longer one its beginning is marked.");
    command.action([=] { return run_mark(*channel, *what, *as_text, *address); });
}

}  // namespace sla::cli
