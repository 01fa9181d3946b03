// AwaitedChannels: those of a trigger's channels that nobody has yet. It is no error, they may come; who mistyped a name is
// told so at once, with the name that is nearest to it. One owner.
#pragma once

#include "proto/common/trigger/ast.h"

#include <string>
#include <string_view>
#include <vector>

namespace sla::trigger {

class AwaitedChannels {
public:
    explicit AwaitedChannels(const Trigger& trigger);

    // A channel is there. True: it is the first one that is near to a name that is awaited, so that text() is worth saying
    // again.
    bool came(std::string_view channel);
    [[nodiscard]] bool empty() const { return awaited_.empty(); }
    // One of the names is near to one that is there.
    [[nodiscard]] bool has_near() const;
    // "no channel is called 'dma.strat' yet (did you mean 'dma.start'?); waiting for it"; "" when all are there.
    [[nodiscard]] std::string text() const;

private:
    struct Awaited {
        Name name;
        std::string near;
    };
    std::vector<Awaited> awaited_;
};

// "no channel is called 'dma.strat' yet (did you mean 'dma.start'?)", "no channel matches 'cpu*' yet". `near`: "" when none is.
std::string absence_of(const Name& name, const std::string& near);

}  // namespace sla::trigger
