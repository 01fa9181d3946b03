// Manifest: what of one capture is in an archive. A JSON file, read distrustfully and written whole or not at all.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::archive {

struct Part {
    std::string file;  // from the archive's folder on
    std::uint64_t rows = 0;
    std::uint64_t lost = 0;  // as its loss rows count them
    std::uint64_t first_tick = 0;
    std::uint64_t last_tick = 0;
    std::int64_t first_utc_ns = 0;  // 0: not known
    std::int64_t last_utc_ns = 0;
    std::uint64_t bytes = 0;

    bool operator==(const Part&) const = default;
};

struct Manifest {
    std::string host;
    std::string capture;
    std::uint64_t until_tick = 0;  // the next part begins here
    std::vector<Part> parts;       // in order of time

    [[nodiscard]] std::uint64_t rows() const;
    [[nodiscard]] std::string json() const;
    bool operator==(const Manifest&) const = default;
};

Result<Manifest> parse_manifest(std::string_view json);
// An empty one when there is no such file.
Result<Manifest> read_manifest(const std::string& path);
Result<void> write_manifest(const Manifest& manifest, const std::string& path);

}  // namespace sla::archive
