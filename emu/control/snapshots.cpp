// Commands about the state as a whole.
#include "emu/control/console.h"
#include "emu/snapshot/state_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace sla::control {

namespace {

// So that what is said of a file says where it is: who asks may be elsewhere.
std::string absolute(const std::string& file) {
    std::error_code failed;
    const auto path = std::filesystem::absolute(file, failed);
    return failed ? file : path.lexically_normal().string();
}

}  // namespace

Console::Answer Console::state(const Words& words) {
    snapshot::StateText shown({words.begin() + 1, words.end()});
    shown.section("guest");
    bool paused = paused_ || others_hold();
    shown.field("paused", paused);
    vmm_.visit_state(shown);
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto& all = shown.sections();
        if (std::find(all.begin(), all.end(), words[i]) != all.end()) continue;
        return invalid_input(fmt::format("there is no section \"{}\"; there are {}", words[i], fmt::join(all, " ")));
    }
    return shown.text();
}

Console::Answer Console::save(const Words& words) {
    if (words[1].empty()) return invalid_input("write save FILE");
    if (subject_ == nullptr) return invalid_input("this run takes no snapshots");
    const std::string path = absolute(words[1]);
    if (auto saved = subject_->save(path); !saved) return saved.error();
    return fmt::format("saved to {}\n", path);
}

Console::Answer Console::load(const Words& words) {
    if (words[1].empty()) return invalid_input("write load FILE");
    if (subject_ == nullptr) return invalid_input("this run takes no snapshots");
    if (standing_ || others_hold()) {
        return invalid_input(
            "a debugger that holds the guest would not know that everything changed: `detach` there, then load "
            "from `sla-emu control`, or begin with `sla-emu run --load`");
    }
    const auto loaded = subject_->load(absolute(words[1]));
    if (!loaded) return loaded.error();
    sections_.reset();                                               // counts begin anew
    if (events_ != nullptr) events_->take_up(events_->put_aside());  // so does what a trigger waits for
    if (history_ != nullptr) history_->loaded();
    why_.clear();
    return (loaded->empty() ? "" : *loaded + "\n") + report();
}

}  // namespace sla::control
