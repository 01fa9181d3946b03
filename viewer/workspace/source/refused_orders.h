// RefusedOrders: what an agent refused to do to its triggers, for as long as the words of its answers are so: "trigger slow is
// stopped, it fires when it is armed" is untrue once somebody has armed it.
//
// The answer comes on a line of its own, so the state that was reported last may be of before it. What is reported is another
// state than that of the answer where it changed, and the words do not tell of it.
// Owner: the window's thread.
#pragma once

#include "viewer/store/names.h"

#include <string>
#include <vector>

namespace sla::workspace {

class RefusedOrders {
public:
    // The agent answered with those words.
    void add(std::string trigger, std::string words, const store::Health& health);
    // The words that are so no more, each once.
    [[nodiscard]] std::vector<std::string> take_outdated(const store::Health& health);

private:
    struct Refused {
        std::string trigger;
        std::string words;
        std::string state;  // as reported last; "": there is no such trigger
    };
    std::vector<Refused> refused_;
};

}  // namespace sla::workspace
