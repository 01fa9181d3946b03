// Manifest: what of one capture is in an archive. A JSON file, read distrustfully and written whole or not at all.
#pragma once

#include "proto/base/result.h"
#include "proto/base/strong_id.h"

#include <cstdint>
#include <map>
#include <optional>
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

// How much of the capture is done with: in parts, counted as lost, or gone before the first part.
struct Taken {
    std::uint64_t events = 0;
    std::map<ChannelId, std::uint64_t> next;  // the ordinal behind, of each channel of which something is in parts

    bool operator==(const Taken&) const = default;
};

struct Damage {
    std::uint64_t tick = 0;
    std::string text;

    bool operator==(const Damage&) const = default;
};

struct Manifest {
    std::string host;
    std::string capture;
    std::uint64_t until_tick = 0;  // the next part begins here
    std::uint64_t known_tick = 0;  // up to there all is in parts, or nothing happened; 0: not known beyond the parts
    std::uint64_t begin_tick = 0;  // what stands before it only says what held there; 0: nothing does
    std::vector<Part> parts;       // in order of time
    std::vector<Damage> damage;    // of the capture, as the newest run saw it
    std::optional<Taken> taken;    // nothing: a version of sla wrote it that did not count, and reads it all the same

    [[nodiscard]] std::uint64_t rows() const;
    [[nodiscard]] std::uint64_t lost() const;
    [[nodiscard]] std::string json() const;
    bool operator==(const Manifest&) const = default;
};

Result<Manifest> parse_manifest(std::string_view json);
// An empty one when there is no such file.
Result<Manifest> read_manifest(const std::string& path);
Result<void> write_manifest(const Manifest& manifest, const std::string& path);

}  // namespace sla::archive
