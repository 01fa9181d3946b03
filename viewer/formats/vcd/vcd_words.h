// Words of a value change dump: runs of what is no blank, bounded in length.
#pragma once

#include "viewer/formats/lines.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sla::formats {

class VcdWords {
public:
    VcdWords(std::istream& in, const Progress& progress) : lines_(in, progress) {}

    // Valid until the next call. Nothing at the end and on a problem.
    std::optional<std::string_view> next();
    // Everything up to `$end`; a problem when it never comes.
    Result<std::vector<std::string>> up_to_end();

    [[nodiscard]] Result<void> problem() const { return lines_.problem(); }
    [[nodiscard]] Error wrong(const std::string& what) const { return lines_.wrong(what); }

private:
    Lines lines_;
    std::string_view line_;
};

}  // namespace sla::formats
