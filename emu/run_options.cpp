#include "emu/run_options.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

namespace sla::emu {

namespace {

struct Named {
    std::string_view option;
    std::string path;
};

bool is_a_file(const std::string& path) {
    return !path.empty() && path != "-" && path != "none" && path != "pty";
}

std::vector<Named> written(const RunOptions& options) {
    std::vector<Named> all{
        {"--debug-output", options.debug_output}, {"--serial", options.serial}, {"--counts", options.counts}};
    for (const std::string& picture : options.pictures) all.push_back({"--screen", picture});
    std::erase_if(all, [](const Named& one) { return !is_a_file(one.path); });
    return all;
}

std::vector<Named> read(const RunOptions& options) {
    std::vector<Named> all{{"the firmware", options.image},    {"--bios", options.bios},
                           {"--kernel", options.kernel},       {"--com", options.com},
                           {"--vga-bios", options.video_bios}, {"--fda", options.floppies[0]},
                           {"--fdb", options.floppies[1]},     {"--hda", options.disks[0]},
                           {"--hdb", options.disks[1]},        {"--load", options.load}};
    for (const std::string& file : options.symbols) {
        all.push_back({"--symbols", file});
        all.push_back({"--symbols", file.substr(0, file.rfind('@'))});  // FILE@BASE
    }
    if (options.typed.starts_with('@')) all.push_back({"--type", options.typed.substr(1)});
    for (const std::string& item : options.items) all.push_back({"--fw", item.substr(item.find('=') + 1)});
    std::erase_if(all, [](const Named& one) { return !is_a_file(one.path); });
    return all;
}

// By two names too. A pipe or a terminal takes what several write; what is not there yet is known by its name.
bool is_same_file(const std::string& one, const std::string& other) {
    std::error_code status;
    if (std::filesystem::exists(one, status)) {
        return std::filesystem::is_regular_file(one, status) && std::filesystem::equivalent(one, other, status);
    }
    return std::filesystem::weakly_canonical(one, status) == std::filesystem::weakly_canonical(other, status);
}

}  // namespace

Result<void> check_outputs(const RunOptions& options) {
    const std::vector<Named> outputs = written(options);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        for (const Named& input : read(options)) {
            if (!is_same_file(outputs[i].path, input.path)) continue;
            return invalid_input(fmt::format("{} {}: that is {}'s file, which it would overwrite", outputs[i].option,
                                             outputs[i].path, input.option));
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (!is_same_file(outputs[i].path, outputs[j].path)) continue;
            return invalid_input(fmt::format("{} {}: {} writes there already; give each a file of its own",
                                             outputs[i].option, outputs[i].path, outputs[j].option));
        }
    }
    return {};
}

}  // namespace sla::emu
