// Which key does what: the actions' own keys, changed by the person's file keys.json:
//
//   { "version": 1, "keys": { "zoom-in": ["W", "Up"], "fit": ["Ctrl+F"], "marker": [] } }
//
// An action that the file names has those keys and no others; a key given to one is taken from all others.
#pragma once

#include "proto/base/result.h"
#include "viewer/ui/commands/actions.h"
#include "viewer/ui/commands/chord.h"

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sla::ui {

class Keymap {
public:
    Keymap();
    // The error names the first entry that is wrong; those that are right count.
    Result<void> apply(std::string_view json);
    // A file that does not exist is no error.
    Result<void> load(const std::string& path);
    // All actions with their keys, in the form that apply() reads: something to begin with.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] Result<void> save(const std::string& path) const;

    [[nodiscard]] const Action* action_for(const Chord& chord) const;
    [[nodiscard]] std::vector<Chord> chords_of(const Action& action) const;
    // "W  +  Up": for people.
    [[nodiscard]] std::string keys_of(const Action& action) const;
    // Words in which "{fit}" stands for the first key of that action. Of one without a key "  ({fit})" is left out, and elsewhere
    // it is `the key of "fit"`.
    [[nodiscard]] std::string with_keys(std::string_view words) const;

private:
    Result<void> apply_entry(const std::string& id, const nlohmann::json& list);
    void give(const Chord& chord, const Action& action);

    std::vector<std::pair<Chord, const Action*>> keys_;  // in the order given
};

}  // namespace sla::ui
