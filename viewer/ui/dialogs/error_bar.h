// The bar below the toolbar that says what failed and what to do, until it is dismissed; and the notice that goes by itself.
#pragma once

#include "viewer/ui/widgets/context.h"

#include <cstdint>

namespace sla::ui {

// What helps against the cause that took the most. It is found once for what was lost, since that may take a look at many lanes:
// the bar stands for long.
class LossAdvice {
public:
    const char* on(const store::Session& session);
    // So often it was looked for.
    [[nodiscard]] std::uint64_t looks() const { return looks_; }

private:
    const store::Session* session_ = nullptr;
    std::uint64_t lost_ = 0;
    std::uint64_t lossy_lanes_ = 0;
    const char* advice_ = "";
    std::uint64_t looks_ = 0;
};

class ErrorBar {
public:
    void draw(Context& context);

private:
    LossAdvice advice_;
};
// Over the foot of the lanes.
void draw_notice(Context& context);

}  // namespace sla::ui
