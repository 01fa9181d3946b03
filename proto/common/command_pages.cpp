#include "proto/common/command_pages.h"

#include "proto/base/exit_codes.h"
#include "proto/base/new_file.h"

#include <cstdio>
#include <filesystem>
#include <utility>

namespace sla::common {

int write_pages(const CommandFacts& program, const std::string& version, const std::string& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory + "/man", error);
    std::vector<ManualPage> files = {{"completion.bash", bash_completion(program)},
                                     {"completion.zsh", zsh_completion(program)}};
    for (ManualPage& page : manual_pages(program, version))
        files.push_back({"man/" + page.name + ".1", std::move(page.text)});
    for (const ManualPage& file : files) {
        if (const Result<void> written = replace_file(directory + "/" + file.name, file.text); !written.ok()) {
            std::fprintf(stderr, "%s: %s\n", program.name.c_str(), written.error().message.c_str());
            return exits::kOutsideFailed;
        }
    }
    return 0;
}

}  // namespace sla::common
