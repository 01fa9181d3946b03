// Who hears of limits that break while rows come.
#pragma once

#include "viewer/analysis/limits/verdict.h"
#include "viewer/store/lane.h"

#include <string>

namespace sla::analysis {

// One limit about one channel or pair. It may go when its pair is another's.
struct LimitName {
    std::string limit;    // as typed
    std::string channel;  // or "A->B"; "" for all together
};

class BreakListener {
public:
    virtual ~BreakListener() = default;
    // It is broken once more. True: on_break() shall say how; else that it happened is all that is heard of it.
    virtual bool wants(const LimitName& name) = 0;
    // What was measured, where, and why that is beyond the bound. Its verdict is kFail.
    virtual void on_break(Finding finding) = 0;
    // Events of a channel that a limit is about are missing.
    virtual void on_loss(const store::Lane& lane, const store::Gap& gap) = 0;
};

class NobodyListens final : public BreakListener {
public:
    bool wants(const LimitName& /*name*/) override { return false; }
    void on_break(Finding /*finding*/) override {}
    void on_loss(const store::Lane& /*lane*/, const store::Gap& /*gap*/) override {}
};

}  // namespace sla::analysis
