// The text of a configuration as JSON, with comments allowed and every key once in its object.
#pragma once

#include "proto/base/result.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace sla::daemon {

// `name` is for messages: a syntax error is "NAME:LINE:COLUMN: WHY", a key that stands twice "NAME: PATH: WHY".
Result<nlohmann::json> parse_json(std::string_view text, const std::string& name);

}  // namespace sla::daemon
