// Words of a value change dump: runs of what is no blank, bounded in length; and what bits and strings among them mean.
#pragma once

#include "viewer/formats/lines.h"

#include <cstdint>
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

struct VcdBits {
    std::uint64_t value = 0;  // the lowest 64
    bool wide = false;        // there are more
};
// Nothing for x and z.
std::optional<VcdBits> read_bits(std::string_view word);
// With "\x2c" and its like as the bytes that they are.
std::string unescaped(std::string_view word);

}  // namespace sla::formats
