#include "agent/example/block_source.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <numbers>
#include <stdexcept>

namespace sla::example {

BlockSource::BlockSource(std::vector<std::string> files) : files_(std::move(files)) {
    std::uintmax_t bytes = 0;
    for (const std::string& file : files_) {
        if (!std::filesystem::is_regular_file(file) || !std::ifstream(file)) {
            throw std::runtime_error(fmt::format("cannot read '{}': give a regular file that you may read", file));
        }
        bytes += std::filesystem::file_size(file);
    }
    if (!files_.empty() && bytes == 0) throw std::runtime_error("all given files are empty: give one with contents");
}

std::string BlockSource::next() {
    std::string block = files_.empty() ? made_up() : from_files();
    ++blocks_;
    return block;
}

// Goes round the files; when they have all become empty or unreadable since the start, made-up text takes their place.
std::string BlockSource::from_files() {
    for (std::size_t tries = 0; tries <= files_.size(); ++tries) {
        if (!in_.is_open()) in_.open(files_[current_], std::ios::binary);
        std::string block(kBlockBytes, '\0');
        in_.read(block.data(), static_cast<std::streamsize>(block.size()));
        block.resize(static_cast<std::size_t>(in_.gcount()));
        if (!block.empty()) return block;
        in_.close();
        in_.clear();
        current_ = (current_ + 1) % files_.size();
    }
    return made_up();
}

std::string BlockSource::made_up() {
    static constexpr std::array<const char*, 4> kLevels = {"INFO ", "INFO ", "DEBUG", "WARN "};
    static constexpr std::array<const char*, 5> kPlaces = {"orders", "invoices", "customers", "parts", "health"};
    const double wave = 0.5 + 0.5 * std::sin(2 * std::numbers::pi * static_cast<double>(blocks_) / 150.0);
    const auto noise_bytes = static_cast<std::size_t>(4 + 60 * wave);
    std::string block;
    block.reserve(kBlockBytes + 256);
    for (; block.size() < kBlockBytes; ++lines_) {
        const std::uint64_t dice = random_();
        fmt::format_to(std::back_inserter(block), "{:010}.{:03} worker-{} {} GET /api/{}/{} took {} us key ", lines_ / 40,
                       lines_ % 1000, dice % 8, kLevels[dice / 8 % kLevels.size()], kPlaces[dice / 64 % kPlaces.size()],
                       dice / 512 % 5000, 100 + dice / 4096 % 900);
        for (std::size_t i = 0; i < noise_bytes; i += 16) fmt::format_to(std::back_inserter(block), "{:016x}", random_());
        block += '\n';
    }
    block.resize(kBlockBytes);
    return block;
}

}  // namespace sla::example
