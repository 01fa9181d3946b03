#include "emu/snapshot/state_reader.h"

#include <algorithm>

namespace sla::snapshot {

Result<void> StateReader::done() const {
    if (!refused_) return {};
    return damaged("the snapshot does not fit this PC: " + *refused_ + "; was it saved by another version of sla-emu?");
}

void StateReader::refuse(std::string_view field, std::string_view why) {
    if (refused_) return;
    refused_ = (section_ == nullptr ? "" : section_->name + " ") + std::string(field) + " " + std::string(why);
    rest_ = {};
}

bool StateReader::begin(std::string_view section, bool optional) {
    section_ = nullptr;
    rest_ = {};
    if (refused_) return false;
    const auto found = std::find_if(sections_.begin(), sections_.end(), [&](const Section& s) { return s.name == section; });
    if (found != sections_.end()) {
        section_ = &*found;
        rest_ = found->fields;
        return true;
    }
    if (!optional) refuse(section, "is missing");
    return false;
}

void StateReader::memory(std::string_view name, std::span<std::uint8_t> bytes) {
    if (refused_ || section_ == nullptr) return;
    if (const auto read = read_memory_(section_->name + "." + std::string(name), bytes); !read) {
        refuse(name, read.error().message);
    }
}

void StateReader::sectors(bus::BlockMap& written, std::uint64_t end) {
    if (shared_.empty()) return StateVisitor::sectors(written, end);
    const auto found = std::find_if(shared_.begin(), shared_.end(),
                                    [&](const Sectors& s) { return section_ != nullptr && s.section == section_->name; });
    if (found == shared_.end()) return refuse("written_sectors", "is missing");
    written = found->written;
}

bool StateReader::find(std::string_view name) {
    if (refused_) return false;
    const bool there = !rest_.empty() && rest_.size() > rest_[0] && rest_[0] == name.size() &&
                       std::equal(name.begin(), name.end(), rest_.begin() + 1);
    if (!there) {
        refuse(name, "is missing");
        return false;
    }
    rest_ = rest_.subspan(name.size() + 1);
    return true;
}

std::optional<std::uint64_t> StateReader::take() {
    constexpr std::size_t kBytes = 8;
    if (rest_.size() < kBytes) return std::nullopt;
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < kBytes; ++i) number |= std::uint64_t{rest_[i]} << (8 * i);
    rest_ = rest_.subspan(kBytes);
    return number;
}

void StateReader::number(std::string_view name, std::uint64_t& value, unsigned) {
    if (!find(name)) return;
    const auto read = take();
    if (!read) return refuse(name, "is cut off");
    value = *read;
}

void StateReader::bytes(std::string_view name, std::span<std::uint8_t> values) {
    if (!find(name)) return;
    const auto length = take();
    if (!length || *length != values.size() || rest_.size() < values.size()) return refuse(name, "has another length");
    std::copy_n(rest_.begin(), values.size(), values.begin());
    rest_ = rest_.subspan(values.size());
}

}  // namespace sla::snapshot
