#include "viewer/workspace/view/marks.h"

namespace sla::workspace {

void Marks::move_to(const store::Session& longer) {
    const auto twin = [&](const store::Lane* lane) { return lane == nullptr ? nullptr : longer.lane(lane->channel().id); };
    focus = twin(focus);
    if (!selection || selection->lane == nullptr) return;
    const std::uint64_t among_equals = selection->index - selection->lane->lower_bound(selection->tick);
    selection->lane = twin(selection->lane);
    if (selection->lane != nullptr) selection->index = selection->lane->lower_bound(selection->tick) + among_equals;
    if (selection->lane == nullptr || selection->index >= selection->lane->size()) selection.reset();
}

}  // namespace sla::workspace
