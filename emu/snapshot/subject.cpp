#include "emu/snapshot/subject.h"

#include "emu/snapshot/kept_state.h"
#include "proto/base/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>

namespace sla::snapshot {

Result<Description> Subject::description() const {
    Description out = description_;
    for (const auto& [name, value] : later_) {
        auto found = value();
        if (!found) return found.error();
        out.emplace_back(name, std::move(*found));
    }
    return out;
}

Result<void> Subject::save(const std::string& path) const {
    if (!unsaved_.empty()) return unavailable(unsaved_);
    const auto here = description();
    if (!here) return here.error();
    const auto packed = pack(*here, [this](bus::StateVisitor& state) { visit(state); });
    if (!packed) return packed.error();
    return write_file(path, *packed);
}

std::string Subject::leave_out_unsaid(const SnapshotFile& file, Description& here) const {
    std::vector<std::string> unsaid;
    std::erase_if(here, [&](const auto& one) {
        const auto& [name, value] = one;
        const bool newer = std::find(newer_.begin(), newer_.end(), name) != newer_.end();
        if (!newer || file.value_of(name)) return false;
        if (value != kNone) unsaid.push_back(name);
        return true;
    });
    if (unsaid.empty()) return {};
    return fmt::format(
        "an older sla-emu saved the snapshot, which does not say its {}: whether that is as here is not known",
        fmt::join(unsaid, " and its "));
}

Result<std::string> Subject::load(const std::string& path) {
    if (!unsaved_.empty()) return unavailable(unsaved_);
    const auto file = read_file(path);
    if (!file) return file.error();
    const auto here = description();
    if (!here) return here.error();
    Description compared = *here;
    std::string to_know = leave_out_unsaid(*file, compared);
    if (auto fits = file->fits(compared); !fits) return fits.error();
    const Visit all = [this](bus::StateVisitor& state) { visit(state); };
    const KeptState before(*this, nullptr);
    if (auto loaded = file->load(all); !loaded) {
        SLA_CHECK(before.load(*this).ok());
        return loaded.error();
    }
    for (const auto& action : on_loaded_) {
        const std::string line = action();
        to_know += (to_know.empty() || line.empty() ? "" : "\n") + line;
    }
    return to_know;
}

std::string summary_of(std::uint64_t bytes, std::uint64_t checksum) {
    return fmt::format("{} bytes, {:016x}", bytes, checksum);
}

std::string summary_of(std::span<const std::uint8_t> bytes) {
    return summary_of(bytes.size(), XXH64(bytes.data(), bytes.size(), 0));
}

}  // namespace sla::snapshot
