// The program of `sla check --seeds`: its words, and where each seed goes among them.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::cli {

struct Seeds {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
};
// "1..1000" or "7".
Result<Seeds> parse_seeds(const std::string& text);

class SeededProgram {
public:
    // Each seed stands where {seed} is; sla-emu needs none, it is given `--jitter SEED`.
    static Result<SeededProgram> of(std::vector<std::string> words);

    [[nodiscard]] const std::string& name() const { return words_[0]; }
    [[nodiscard]] std::vector<std::string> words(std::uint64_t seed) const;
    // For a shell.
    [[nodiscard]] std::string line(std::uint64_t seed) const;

private:
    explicit SeededProgram(std::vector<std::string> words) : words_(std::move(words)) {}

    std::vector<std::string> words_;
};

}  // namespace sla::cli
