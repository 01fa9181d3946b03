// sla mark: one event from the command line.
#include "proto/base/text.h"
#include "proto/wire/control.pb.h"
#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/ingest/request.h"

#include <fmt/format.h>

namespace sla::cli {

namespace {

// A whole number, any other number, or text.
void set_what(wire::Mark& mark, const std::string& what) {
    if (const auto value = whole_number<std::int64_t>(what)) return mark.set_value(*value);
    if (const auto number = whole_number<double>(what)) return mark.set_number(*number);
    mark.set_text(what);
}

int run_mark(const std::string& channel, const std::vector<std::string>& what, bool as_text, const std::string& typed) {
    const auto address = agent_address(typed);
    if (!address.ok()) return complain(address.error());
    if (channel.empty()) return complain(invalid_input("a channel needs a name"));
    const std::string joined = fmt::format("{}", fmt::join(what, " "));
    wire::Request request;
    request.mutable_mark()->set_channel(channel);
    if (as_text) {
        request.mutable_mark()->set_text(joined);
    } else if (!joined.empty()) {
        set_what(*request.mutable_mark(), joined);
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
    command.footer("A number may be negative, as in: sla mark load -5; a text that begins with - goes behind --");
    command.action([=] { return run_mark(*channel, *what, *as_text, *address); });
}

}  // namespace sla::cli
