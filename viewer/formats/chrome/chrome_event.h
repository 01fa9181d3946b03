// What stands in one event of a trace event JSON, which may be anything. Private to the room.
#pragma once

#include "proto/wire/event.h"
#include "viewer/formats/capture_sink.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace sla::formats {

using Json = nlohmann::json;

// Null unless it is an object that has it.
const Json* member(const Json& object, const char* name);
// Empty, 0: not there, or not of that type.
std::string text_of(const Json& object, const char* name);
std::uint64_t unsigned_of(const Json& object, const char* name);

// Of a number of microseconds, or a text of one: exact as far as it is a plain decimal. Nothing: it is none.
std::optional<__int128> picoseconds_of(const Json& us);

// The value of an event in our own terms; gives the code `without` or `with` one.
std::uint8_t valued(const Json* args, std::uint8_t without, std::uint8_t with, std::uint64_t& value);
// What `sla export` writes beside the arguments, and a text among them. Texts made by a formatter come again by themselves.
wire::RowExtra extra_of(const Json& event);
// Code and value of a counter's series; false: it is no number.
bool read_counter(const std::string& series, const Json& number, bool ours, SinkEvent& out);

}  // namespace sla::formats
