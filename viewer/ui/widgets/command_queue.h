// What panels, dialogs, keys and the palette ask of the window: typed values in a queue, done in their order when the frame
// is drawn. So nothing changes under a panel's feet while it draws.
#pragma once

#include "viewer/workspace/view/appearance.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sla::ui {

namespace command {

// Of the actions table, by its id: in the next frame, as its key does.
struct RunAction {
    std::string id;
};

enum class Dialog : std::uint8_t { kGoTo, kExport, kSettings, kSources, kPalette };
struct OpenDialog {
    Dialog dialog;
};
struct ToggleHelp {};
struct FocusSearch {};

struct SetTheme {
    workspace::ThemeName theme;
};
struct SetScale {
    float scale;  // -1: the display's own
};

struct Undo {};
struct Redo {};
struct ToggleRun {};

struct OpenSource {
    std::string target;  // a capture or an address
};
struct ShowDocument {
    std::size_t index;
};
struct StepDocuments {
    int steps;  // on to the next open capture or agent; negative: back
};
enum class Losses : std::uint8_t { kAskFirst, kAccepted };  // what is in no file would be lost
struct CloseDocument {
    Losses losses = Losses::kAskFirst;
};
struct ReopenDocument {};
struct ToggleBeside {};  // another source below or above the one that is shown
struct StartDemo {};
struct Quit {
    Losses losses = Losses::kAskFirst;
};

}  // namespace command

using Command = std::variant<command::RunAction, command::OpenDialog, command::ToggleHelp, command::FocusSearch,
                             command::SetTheme, command::SetScale, command::Undo, command::Redo, command::ToggleRun,
                             command::OpenSource, command::ShowDocument, command::StepDocuments, command::CloseDocument,
                             command::ReopenDocument, command::ToggleBeside, command::StartDemo, command::Quit>;

class CommandQueue {
public:
    void push(Command command) { commands_.push_back(std::move(command)); }
    [[nodiscard]] std::vector<Command> take() { return std::exchange(commands_, {}); }

private:
    std::vector<Command> commands_;
};

}  // namespace sla::ui
