// The objects of a JSON file, one by one, however they are laid out: one a line (jsonl), in a list, all in one line, or each over
// several lines. Memory for one of them at a time.
#pragma once

#include "viewer/formats/lines.h"

#include <optional>
#include <string>
#include <string_view>

namespace sla::formats {

class JsonObjects {
public:
    JsonObjects(std::istream& in, const Progress& progress) : lines_(in, progress) {}

    // From its { to its }; valid until the next call. Nothing at the end, and where something else stands: problem() says what.
    std::optional<std::string_view> next();

    // The line in which that object began.
    [[nodiscard]] std::uint64_t number() const { return number_; }
    [[nodiscard]] Result<void> problem() const { return problem_ ? Result<void>(*problem_) : lines_.problem(); }

private:
    bool find_begin();
    bool take_to_end();
    bool fill();
    bool fail(const char* what);

    Lines lines_;
    std::string_view left_;  // of what was read last
    std::string object_;
    std::uint64_t line_ = 1;
    std::uint64_t number_ = 0;
    std::optional<Error> problem_;
};

}  // namespace sla::formats
