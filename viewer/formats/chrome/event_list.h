// EventList: a trace event JSON on its way through the parser. Events stand in an array at the top, or in "traceEvents" of an
// object at the top: in both cases each is handed over and forgotten as it closes; of the rest only "otherData" is kept.
//
// Numbers come as the parser has them, but for an event's times (ts, dur, until_us of args): those come as the text they are in the file, since
// microseconds as a double lose the picoseconds of a long trace. One owner, one thread.
#pragma once

#include "viewer/formats/chrome/chrome_event.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sla::formats {

class EventList final : public Json::json_sax_t {
public:
    struct Takers {
        std::function<Result<void>(const Json&)> event;
        std::function<void()> no_event;  // something else in the list
        std::function<void(const Json&)> other_data;
    };
    explicit EventList(Takers takers) : takers_(std::move(takers)) {}

    // What a taker said, or that it is nested too deeply.
    [[nodiscard]] const Result<void>& problem() const { return problem_; }
    // Where it stops being JSON; 0: it does not.
    [[nodiscard]] std::size_t bad_byte() const { return bad_byte_; }
    // The events stand in an array that is all there is: it may end anywhere, as when its writer died.
    [[nodiscard]] bool is_bare_list() const { return is_bare_list_; }

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(std::int64_t value) override { return put(value); }
    bool number_unsigned(std::uint64_t value) override { return put(value); }
    bool number_float(double value, const std::string& text) override { return put(is_time() ? Json(text) : Json(value)); }
    bool string(std::string& value) override { return put(std::move(value)); }
    bool binary(Json::binary_t& value) override { return put(Json(std::move(value))); }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool key(std::string& value) override {
        open_.back().key = std::move(value);
        return true;
    }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t position, const std::string&, const Json::exception&) override {
        bad_byte_ = position;
        return false;
    }

private:
    static constexpr std::size_t kDeepest = 200;
    // An object or array that is not closed yet.
    struct Open {
        Json json;
        std::string key;  // of the member that comes next
    };

    [[nodiscard]] bool is_time() const;
    // What is open last is the list of events.
    [[nodiscard]] bool is_in_list() const;
    bool open(Json json);
    bool close();
    bool put(Json value);

    Takers takers_;
    std::vector<Open> open_;
    bool is_bare_list_ = false;
    std::size_t bad_byte_ = 0;
    Result<void> problem_;
};

}  // namespace sla::formats
