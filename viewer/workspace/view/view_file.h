// How a person has arranged and noted a capture, kept beside it: RUN.sla.view.json. Of an agent: in the folder for settings.
// Readable JSON with a version. Places in time only mean something in the capture they were made in; of another one (the
// agent was started anew) the lanes' arrangement alone is taken over.
#pragma once

#include "proto/base/result.h"
#include "viewer/workspace/view/view_state.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sla::workspace {

std::string view_text(const ViewState& state, std::uint64_t capture_id);
// Defaults for whatever is missing or makes no sense. kDamaged when it is no such file at all.
Result<ViewState> parse_view(std::string_view text, std::uint64_t capture_id);

// The file, as one window reads and writes it. What it could not read, and what another window has written there meanwhile, is set
// aside instead of written over.
class KeptView {
public:
    // Nothing when there is no such file.
    Result<std::optional<ViewState>> load(const std::string& path, std::uint64_t capture_id);
    // An error also when it is written, the first time that another window had written, too.
    Result<void> save(const ViewState& state, std::uint64_t capture_id, const std::string& path);

private:
    std::string text_;  // read or written last
    bool could_not_read_ = false;
    bool has_said_so_ = false;
};

}  // namespace sla::workspace
