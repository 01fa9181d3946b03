// A value within a configuration, with the path that people find it by. Every reader gives the value or what was expected.
#pragma once

#include "proto/base/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace sla::daemon {

class JsonReader {
public:
    JsonReader(const nlohmann::json& value, std::string path) : value_(value), path_(std::move(path)) {}

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] Error wrong(const std::string& why) const { return invalid_input(path_ + (is_top() ? "" : ": ") + why); }

    [[nodiscard]] bool is_text() const { return value_.is_string(); }
    [[nodiscard]] Result<std::string> text() const;
    [[nodiscard]] Result<bool> truth() const;
    // From 0 on.
    [[nodiscard]] Result<std::uint64_t> number() const;
    // Text, or a number as its text: "bytes": 4096.
    [[nodiscard]] Result<std::string> text_or_number() const;

    using Take = std::function<Result<void>(const JsonReader&)>;
    [[nodiscard]] Result<void> each(const Take& take) const;
    // Every key must be known.
    [[nodiscard]] Result<void> fields(const std::map<std::string, Take, std::less<>>& takers) const;

private:
    // Its path is where it stands: "agent.json: ".
    [[nodiscard]] bool is_top() const { return !path_.empty() && path_.back() == ' '; }

    const nlohmann::json& value_;
    std::string path_;
};

}  // namespace sla::daemon
