#include "proto/fleet/stored_answer.h"

#include "proto/base/text.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <optional>

namespace sla::fleet {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kNoMessage = 404;

std::int64_t integer_in(const Json& object, const char* name) {
    const auto at = object.find(name);
    return at != object.end() && at->is_number_integer() ? at->get<std::int64_t>() : 0;
}

std::string text_in(const Json& object, const char* name) {
    const auto at = object.find(name);
    return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

// 0 to 63; more: none of them.
unsigned value_of_letter(char letter) {
    if (letter >= 'A' && letter <= 'Z') return static_cast<unsigned>(letter - 'A');
    if (letter >= 'a' && letter <= 'z') return static_cast<unsigned>(letter - 'a') + 26;
    if (letter >= '0' && letter <= '9') return static_cast<unsigned>(letter - '0') + 52;
    return letter == '+' ? 62 : letter == '/' ? 63 : 64;
}

std::optional<std::string> from_base64(std::string_view text) {
    while (text.ends_with('=')) text.remove_suffix(1);
    std::string bytes;
    bytes.reserve(text.size() * 3 / 4);
    unsigned bits = 0;
    int count = 0;
    for (const char letter : text) {
        const unsigned value = value_of_letter(letter);
        if (value > 63) return std::nullopt;
        bits = (bits << 6 | value) & 0xffff;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 0xff);
    }
    return bytes;
}

// A code of HTTP, as JetStream has them too.
Error refusal(std::int64_t code, const std::string& said) {
    const std::string what = said.empty() ? fmt::format("it answers with code {}", code) : said;
    return code == kNoMessage ? not_found(what) : unavailable(what);
}

}  // namespace

StreamQuestion ask_newest(const std::string& stream, const std::string& subject) {
    return {"$JS.API.STREAM.MSG.GET." + stream,
            Json{{"last_by_subj", subject}}.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

StreamQuestion ask_message(const std::string& stream, std::uint64_t sequence) {
    return {"$JS.API.DIRECT.GET." + stream, Json{{"seq", sequence}}.dump()};
}

StreamQuestion ask_next(const std::string& stream, const std::string& subject, std::uint64_t from) {
    const Json body{{"next_by_subj", subject}, {"seq", from}};
    return {"$JS.API.DIRECT.GET." + stream, body.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

Result<NewestMessage> parse_newest(std::string_view text) {
    const auto wrong = [] {
        return damaged("the servers answer a question for a stream's newest message with something else");
    };
    const Json answer = Json::parse(text, nullptr, false);
    if (!answer.is_object()) return wrong();
    if (const auto error = answer.find("error"); error != answer.end()) {
        if (!error->is_object()) return wrong();
        return refusal(integer_in(*error, "code"), text_in(*error, "description"));
    }
    const auto message = answer.find("message");
    if (message == answer.end() || !message->is_object()) return wrong();
    const std::int64_t sequence = integer_in(*message, "seq");
    const std::optional<std::string> body = from_base64(text_in(*message, "data"));
    if (sequence <= 0 || !body) return wrong();
    return NewestMessage{static_cast<std::uint64_t>(sequence), *body};
}

Result<std::uint64_t> place_of_answer(const HeaderSource& value_of) {
    const auto number = [](const char* text) { return whole_number<std::uint64_t>(text).value_or(0); };
    if (const char* const sequence = value_of(kPlaceHeader); sequence != nullptr) {
        if (const std::uint64_t place = number(sequence); place > 0) return place;
    }
    const char* const code = value_of("Status");
    if (code == nullptr) return damaged("the servers answer with a message that says nothing of its place in the stream");
    const char* const said = value_of("Description");
    return refusal(static_cast<std::int64_t>(number(code)), said == nullptr ? "" : said);
}

}  // namespace sla::fleet
