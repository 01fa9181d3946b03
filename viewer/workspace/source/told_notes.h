// ToldNotes: which of a session's notes a person was told of, so that each is told once.
//
// Notes go from the front of the list where there are many, and a session with older history, in which there may be more of
// them, takes the place of the one before. So they are known by what they say, and by how often.
// Owner: the window's thread. Memory: as many notes as a session keeps.
#pragma once

#include "viewer/store/names.h"

#include <vector>

namespace sla::workspace {

class ToldNotes {
public:
    // Those that were not told yet, in their order; they are told by now.
    [[nodiscard]] std::vector<store::Note> take_new(const std::vector<store::Note>& notes);

private:
    std::vector<store::Note> told_;  // the session's list at the last look
};

}  // namespace sla::workspace
