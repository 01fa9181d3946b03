#include "emu/snapshot/snapshot_file.h"

#include "emu/snapshot/state_reader.h"
#include "proto/base/check.h"
#include "proto/base/new_file.h"
#include "proto/base/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

namespace sla::snapshot {

namespace {

constexpr std::string_view kMagic = "SLASNAP\n";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kMaxEntries = 4096;
constexpr std::size_t kMaxDescriptionBytes = std::size_t{64} << 10;
constexpr std::size_t kMaxFileBytes = std::size_t{2} << 30;
constexpr int kLevel = 1;

enum Kind : std::uint8_t { kDescription = 0, kFields = 1, kMemory = 2 };

using Bytes = std::vector<std::uint8_t>;

void put(Bytes& to, std::uint64_t number, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) to.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
}

std::uint64_t number_at(std::span<const std::uint8_t> bytes, std::size_t at, unsigned count) {
    std::uint64_t number = 0;
    for (unsigned i = 0; i < count; ++i) number |= std::uint64_t{bytes[at + i]} << (8 * i);
    return number;
}

std::uint64_t checksum(std::span<const std::uint8_t> head, std::span<const std::uint8_t> packed) {
    return XXH64(packed.data(), packed.size(), XXH64(head.data(), head.size(), 0));
}

void put_entry(Bytes& to, Kind kind, std::string_view name, std::span<const std::uint8_t> content) {
    Bytes packed(ZSTD_compressBound(content.size()));
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), kLevel);
    SLA_CHECK(ZSTD_isError(size) == 0);
    packed.resize(size);
    const std::size_t begin = to.size();
    put(to, kind, 1);
    put(to, name.size(), 1);
    to.insert(to.end(), name.begin(), name.end());
    put(to, content.size(), 8);
    put(to, packed.size(), 8);
    put(to, checksum(std::span(to).subspan(begin), packed), 8);
    to.insert(to.end(), packed.begin(), packed.end());
}

Error broken(const char* what) {
    return damaged(std::string("the file is no whole snapshot: ") + what);
}

struct Entry {
    Kind kind = kDescription;
    std::string name;
    std::uint64_t unpacked = 0;
    std::span<const std::uint8_t> packed;
};

// Takes one off the front.
Result<Entry> take_entry(std::span<const std::uint8_t>& rest) {
    constexpr std::size_t kNumbers = 24;
    if (rest.size() < 2 || rest.size() < 2U + rest[1] + kNumbers) return broken("it is cut off");
    const std::size_t named = 2U + rest[1];
    Entry entry{static_cast<Kind>(rest[0]),
                std::string(rest.begin() + 2, rest.begin() + static_cast<std::ptrdiff_t>(named)),
                number_at(rest, named, 8),
                {}};
    const std::uint64_t size = number_at(rest, named + 8, 8);
    if (entry.kind > kMemory) return broken("it has a part of a kind that nobody knows");
    if (size > rest.size() - named - kNumbers) return broken("it is cut off");
    entry.packed = rest.subspan(named + kNumbers, static_cast<std::size_t>(size));
    if (checksum(rest.first(named + 16), entry.packed) != number_at(rest, named + 16, 8))
        return broken("a checksum is wrong");
    rest = rest.subspan(named + kNumbers + entry.packed.size());
    return entry;
}

bool unpack(std::span<const std::uint8_t> packed, std::span<std::uint8_t> to) {
    const std::size_t size = ZSTD_decompress(to.data(), to.size(), packed.data(), packed.size());
    return ZSTD_isError(size) == 0 && size == to.size();
}

Description parse_description(std::string_view text) {
    Description out;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        const std::size_t equals = std::min(line.find('='), line.size());
        out.emplace_back(line.substr(0, equals), line.substr(std::min(equals + 1, line.size())));
    }
    return out;
}

}  // namespace

Result<std::vector<std::uint8_t>> pack(const Description& description, const Visit& visit) {
    StateWriter writer;
    visit(writer);
    std::string words;
    for (const auto& [name, value] : description) words.append(name).append("=").append(value).append("\n");
    std::size_t fields = 0;
    for (const Section& section : writer.sections()) fields += section.fields.size();
    if (fields > kMaxFieldBytes) return unavailable("the guest wrote more to its disks than a snapshot takes");
    Bytes out(kMagic.begin(), kMagic.end());
    put(out, kVersion, 4);
    put(out, 1 + writer.sections().size() + writer.memory().size(), 4);
    put_entry(out, kDescription, "machine", std::span(reinterpret_cast<const std::uint8_t*>(words.data()), words.size()));
    for (const Section& section : writer.sections()) put_entry(out, kFields, section.name, section.fields);
    for (const MemoryView& memory : writer.memory()) put_entry(out, kMemory, memory.name, memory.bytes);
    return out;
}

Result<SnapshotFile> SnapshotFile::parse(std::vector<std::uint8_t> bytes) {
    constexpr std::size_t kHead = 16;
    SnapshotFile out;
    out.bytes_ = std::move(bytes);
    std::span<const std::uint8_t> rest = out.bytes_;
    if (rest.size() < kHead || !std::equal(kMagic.begin(), kMagic.end(), rest.begin()))
        return damaged("the file is no snapshot of an emulated PC");
    const std::uint64_t version = number_at(rest, 8, 4);
    const std::uint64_t entries = number_at(rest, 12, 4);
    if (version != kVersion)
        return damaged("the snapshot is of version " + std::to_string(version) + ", this program knows version " +
                       std::to_string(kVersion));
    if (entries > kMaxEntries) return broken("it has too many parts");
    rest = rest.subspan(kHead);
    std::size_t fields = 0;
    for (std::uint64_t i = 0; i < entries; ++i) {
        auto entry = take_entry(rest);
        if (!entry) return entry.error();
        if ((entry->kind == kDescription) != (i == 0)) return broken("what it is of does not stand once, at its beginning");
        if (entry->kind == kMemory) {
            const auto at = static_cast<std::size_t>(entry->packed.data() - out.bytes_.data());
            out.memory_.push_back({std::move(entry->name), entry->unpacked, at, entry->packed.size()});
            continue;
        }
        const std::size_t most = entry->kind == kDescription ? kMaxDescriptionBytes : kMaxFieldBytes - fields;
        if (entry->unpacked > most) return broken("it claims more state than a PC has");
        Bytes content(static_cast<std::size_t>(entry->unpacked));
        if (!unpack(entry->packed, content)) return broken("a part does not unpack");
        if (entry->kind == kFields) {
            fields += content.size();
            out.sections_.push_back({std::move(entry->name), std::move(content)});
        } else {
            out.description_ = parse_description({reinterpret_cast<const char*>(content.data()), content.size()});
        }
    }
    if (!rest.empty()) return broken("something follows its end");
    return out;
}

std::optional<std::string> SnapshotFile::value_of(std::string_view name) const {
    for (const auto& [saved_name, value] : description_) {
        if (saved_name == name) return value;
    }
    return std::nullopt;
}

Result<void> SnapshotFile::fits(const Description& here) const {
    for (const auto& [name, value] : here) {
        const std::string saved = value_of(name).value_or("nothing");
        if (saved == value) continue;
        return invalid_input("the snapshot is of another PC: its " + name + " is " + saved + ", here it is " + value +
                             "; run with the same options and images");
    }
    return {};
}

Result<void> SnapshotFile::load(const Visit& visit) const {
    StateReader reader(sections_, [this](std::string_view name, std::span<std::uint8_t> to) -> Result<void> {
        const auto found = std::find_if(memory_.begin(), memory_.end(), [&](const Memory& m) { return m.name == name; });
        if (found == memory_.end()) return damaged("is missing");
        if (found->unpacked != to.size()) return damaged("has another size");
        if (!unpack(std::span(bytes_).subspan(found->at, found->packed), to)) return damaged("does not unpack");
        return {};
    });
    visit(reader);
    return reader.done();
}

Result<void> write_file(const std::string& path, std::span<const std::uint8_t> bytes) {
    return replace_private_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Result<SnapshotFile> read_file(const std::string& path) {
    // A pipe that nobody writes to would hold the PC up.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return system_error("cannot open the snapshot " + path, errno);
    struct stat status {};
    const bool known = ::fstat(file, &status) == 0;
    const bool right = known && S_ISREG(status.st_mode) && static_cast<std::uint64_t>(status.st_size) <= kMaxFileBytes;
    Bytes bytes(right ? static_cast<std::size_t>(status.st_size) : 0);
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t got = ::read(file, bytes.data() + done, bytes.size() - done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        done += static_cast<std::size_t>(got);
    }
    ::close(file);
    if (!right) return invalid_input(path + " is no file of a size that a snapshot can have");
    bytes.resize(done);
    auto parsed = SnapshotFile::parse(std::move(bytes));
    if (!parsed) return Error{parsed.error().code, path + ": " + parsed.error().message};
    return parsed;
}

}  // namespace sla::snapshot
