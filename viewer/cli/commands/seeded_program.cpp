#include "viewer/cli/commands/seeded_program.h"

#include "proto/base/text.h"
#include "viewer/process/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string_view>

namespace sla::cli {

namespace {

constexpr std::string_view kPlace = "{seed}";
constexpr std::uint64_t kMaxSeeds = 10'000'000;

// As a shell takes it; quoted only where it must be.
std::string typed(const std::string& word) {
    constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%";
    const bool plain = !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
    return plain ? word : process::shell_quoted(word);
}

}  // namespace

Result<Seeds> parse_seeds(const std::string& text) {
    const std::size_t dots = text.find("..");
    const auto first = whole_number<std::uint64_t>(std::string_view(text).substr(0, dots));
    const auto last =
        dots == std::string::npos ? first : whole_number<std::uint64_t>(std::string_view(text).substr(dots + 2));
    if (!first || !last || *last < *first) {
        return invalid_input("--seeds " + text + ": write FIRST..LAST, as in 1..1000, or one number");
    }
    if (*last == std::numeric_limits<std::uint64_t>::max())  // no number is behind it
        return invalid_input(fmt::format("--seeds {}: {} is the last one there is", text, *last - 1));
    if (*last - *first >= kMaxSeeds) return invalid_input(fmt::format("--seeds {}: {} at most", text, kMaxSeeds));
    return Seeds{*first, *last};
}

Result<SeededProgram> SeededProgram::of(std::vector<std::string> words) {
    if (words.empty()) {
        return invalid_input("--seeds runs a program: write it behind --, as in: -- sla-emu run IMAGE --clock virtual");
    }
    if (!process::program_exists(words[0])) {
        return unavailable("cannot start '" + words[0] + "': there is no such program");
    }
    const bool has_place = std::any_of(words.begin(), words.end(),
                                       [](const std::string& word) { return word.find(kPlace) != std::string::npos; });
    if (has_place) return SeededProgram(std::move(words));
    if (std::filesystem::path(words[0]).filename() != "sla-emu") {
        return invalid_input("--seeds: write {seed} among the words of " + words[0] +
                             ", where each seed goes; only sla-emu is given `--jitter SEED` without it");
    }
    words.insert(words.end(), {"--jitter", std::string(kPlace)});
    return SeededProgram(std::move(words));
}

std::vector<std::string> SeededProgram::words(std::uint64_t seed) const {
    std::vector<std::string> out = words_;
    for (std::string& word : out) {
        for (std::size_t at = 0; (at = word.find(kPlace, at)) != std::string::npos;) {
            word.replace(at, kPlace.size(), std::to_string(seed));
        }
    }
    return out;
}

std::string SeededProgram::line(std::uint64_t seed) const {
    std::string out;
    for (const std::string& word : words(seed)) out += (out.empty() ? "" : " ") + typed(word);
    return out;
}

}  // namespace sla::cli
