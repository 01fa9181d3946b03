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

void Marks::follow(const store::Lane& gone, const store::Lane* successor) {
    if (focus == &gone) focus = successor;
    if (!selection || selection->lane != &gone) return;
    const bool is_there =
        successor != nullptr && selection->index < successor->size() && successor->tick(selection->index) == selection->tick;
    if (is_there) selection->lane = successor;
    if (!is_there) selection.reset();
}

}  // namespace sla::workspace
