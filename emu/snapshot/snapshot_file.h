// A machine's state in a file. It fits a machine of the same description only, which the file holds in words.
//
//   0   8  "SLASNAP\n"
//   8   4  version, 1
//   12  4  entries that follow
//   entry  1 kind (0 description, 1 fields of a section, 2 memory) │ 1 length of the name │ the name │ 8 its bytes unpacked
//          8 its bytes here │ 8 xxHash64 of all of the entry but this │ the bytes, packed by zstd
//
// Numbers are little-endian. The file comes from outside: it is checked as a whole before anything of the machine changes,
// and takes no more memory than its fields may have, whatever it claims; memory is unpacked to where it goes.
#pragma once

#include "emu/snapshot/state_writer.h"
#include "proto/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sla::snapshot {

// What must be alike: names and values, "memory" "16 MB".
using Description = std::vector<std::pair<std::string, std::string>>;
// Visits all that a snapshot is of.
using Visit = std::function<void(bus::StateVisitor&)>;

constexpr std::size_t kMaxFieldBytes = 256U << 20;  // of all sections together

// The guest must stand still.
Result<std::vector<std::uint8_t>> pack(const Description& description, const Visit& visit);

class SnapshotFile {
public:
    static Result<SnapshotFile> parse(std::vector<std::uint8_t> bytes);

    [[nodiscard]] const Description& description() const { return description_; }
    // Nothing: the file does not say it.
    [[nodiscard]] std::optional<std::string> value_of(std::string_view name) const;
    // Says in words what differs.
    [[nodiscard]] Result<void> fits(const Description& here) const;
    // After an error some of the state is loaded and some is not.
    Result<void> load(const Visit& visit) const;

private:
    struct Memory {
        std::string name;
        std::uint64_t unpacked = 0;
        std::size_t at = 0;
        std::size_t packed = 0;
    };

    std::vector<std::uint8_t> bytes_;
    Description description_;
    std::vector<Section> sections_;
    std::vector<Memory> memory_;
};

// Written atomically: under another name, which becomes `path` when all is there.
Result<void> write_file(const std::string& path, std::span<const std::uint8_t> bytes);
Result<SnapshotFile> read_file(const std::string& path);

}  // namespace sla::snapshot
