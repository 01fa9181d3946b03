// Where the pipeline's blocks come from: the given files, over and over, or log lines made up as it goes.
//
// Made-up text is the same in every run. How well it compresses rises and falls slowly, so that the ratio has a shape to
// look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace sla::example {

class BlockSource {
public:
    static constexpr std::size_t kBlockBytes = 32768;

    // Throws std::runtime_error when a file cannot be read or all of them are empty.
    explicit BlockSource(std::vector<std::string> files);

    // The next block: kBlockBytes, or fewer at the end of a file, never none.
    std::string next();

private:
    std::string from_files();
    std::string made_up();

    std::vector<std::string> files_;
    std::size_t current_ = 0;
    std::ifstream in_;
    std::mt19937_64 random_{20240229};
    std::uint64_t blocks_ = 0;
    std::uint64_t lines_ = 0;
};

}  // namespace sla::example
