// The lanes in the window: one pane, two places of one source, or two sources, one below the other.
#include "viewer/ui/app/app.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/visible_lanes.h"
#include "viewer/ui/widgets/widgets.h"

#include <algorithm>

namespace sla::ui {

namespace {

// The same time since t = 0 on the other's clock.
std::uint64_t same_time(const Document& from, std::uint64_t tick, const Document& to) {
    const store::Session& mine = from.source->session();
    const store::Session& other = to.source->session();
    const std::int64_t since_zero = mine.clock().to_ps(tick) - from.marks.zero_ps(mine);
    return other.clock().to_tick(since_zero + to.marks.zero_ps(other));
}

Rect with_names(const Layout& pane) {
    return {0, pane.names_head.y, pane.lanes.right(), pane.lanes.bottom() - pane.names_head.y};
}

}  // namespace

// The one that is shown and the other one may have changed places, by a click or a key.
void App::settle_beside() {
    const auto is_open = [&](const Document* one) {
        return std::any_of(documents_.begin(), documents_.end(), [&](const auto& open) { return open.get() == one; });
    };
    if (beside_ == &document()) beside_ = is_open(last_shown_) && last_shown_ != beside_ ? last_shown_ : nullptr;
    last_shown_ = &document();
    for (const auto& one : documents_)
        one->panels.is_beside = beside_ != nullptr && (one.get() == beside_ || one.get() == &document());
}

// In the order in which they were opened.
std::size_t App::pane_of_shown() const {
    const auto first = std::find_if(documents_.begin(), documents_.end(), [&](const auto& one) {
        return one.get() == beside_ || one.get() == documents_[shown_].get();
    });
    return first->get() == beside_ ? 1 : 0;
}

Layout App::active_layout() {
    const Document& shown = document();
    if (beside_ != nullptr) return split_panes(layout_)[pane_of_shown()];
    return shown.two_panes ? split_panes(layout_)[shown.active] : layout_;
}

// The other goes where the one that is shown was moved to.
void App::link_views() {
    if (beside_ == nullptr || !settings_.link_sources) return;
    const View& from = view();
    if (linked_document_ == &document() && linked_moves_ == from.moves()) return;
    linked_document_ = &document();
    linked_moves_ = from.moves();
    for (Document* const one : {&document(), beside_})  // one that was never drawn does not know how wide it is
        one->view().advance(one->source->session(), static_cast<double>(layout_.lanes.width), 0);
    const timeline::TickRange range = from.target().visible();
    const std::uint64_t first = same_time(document(), range.first, *beside_);
    beside_->view().show({first, std::max(first + 1, same_time(document(), range.last, *beside_))});
    if (from.follow()) beside_->view().set_follow(true);
}

void App::draw_panes(Context& context) {
    Document& document = context.document;
    if (beside_ != nullptr) return draw_sources(context, *beside_);
    if (!document.two_panes) {
        document.active = 0;
        draw_pane(context, 0, 0);
        return;
    }
    const std::array<Layout, 2> layouts = split_panes(layout_);
    for (std::size_t i = 0; i < 2; ++i) {
        if (with_names(layouts[i]).contains(ImGui::GetIO().MousePos) && !ImGui::IsAnyMouseDown()) document.active = i;
    }
    for (const std::size_t pane : {document.active, 1 - document.active}) {
        Context part = context.with(document.views[pane], layouts[pane], context.list);
        draw_pane(part, pane, pane);
    }
    draw_pane_borders(context, document.active);
}

// What is below the lanes and beside them belongs to the one that was clicked last.
void App::draw_sources(Context& context, Document& other) {
    const std::array<Layout, 2> layouts = split_panes(layout_);
    const std::size_t mine = pane_of_shown();
    other.tree.refresh(other.source->session());
    Context part = context.with(context.view, layouts[mine], context.list);
    Context whole = context_of(other, context.list);
    Context others = whole.with(other.view(), layouts[1 - mine], context.list);
    draw_pane(part, 0, mine);
    draw_pane(others, 0, 1 - mine);
    draw_pane_borders(context, mine);
    if (!ImGui::IsMouseClicked(0) || !is_mouse_over(with_names(layouts[1 - mine]))) return;
    for (std::size_t i = 0; i < documents_.size(); ++i) {
        if (documents_[i].get() == &other) commands_.push(command::ShowDocument{i});
    }
}

void App::draw_pane_borders(Context& context, std::size_t active_pane) const {
    const std::array<Layout, 2> layouts = split_panes(layout_);
    const Rect& lower = layouts[1].ruler;
    fill(context.list, {0, lower.y - context.hair(), lower.right(), context.hair() * 2}, context.theme.line);
    const Rect& active = layouts[active_pane].lanes;
    fill(context.list, {active.x, active.y, context.hair() * 2, active.height}, context.theme.accent);
}

// `part` of its document's panels, `pane` of the window.
void App::draw_pane(Context& context, std::size_t part, std::size_t pane) {
    DocumentPanels& parts = panels_of(context.document);
    ImGui::PushID(static_cast<int>(pane));
    const Scrollbar lane_bar = scroll_lanes(context);
    // Without lanes the place is the first page's, whose buttons would receive no click.
    if (!context.session.lanes().empty()) parts.mouse[part].update(context);
    parts.lanes[part].draw(context);
    parts.mouse[part].draw(context);
    lane_bar.draw(context.list);
    parts.names[part].draw(context, parts.lanes[part]);
    ImGui::PopID();
}

void App::handle(const command::ToggleBeside& /*command*/) {
    if (beside_ != nullptr) {
        beside_ = nullptr;
        return;
    }
    if (documents_.size() == 1) return errors_.notice("Nothing else is open: open another capture or agent first");
    beside_ = documents_[(shown_ + 1) % documents_.size()].get();
    linked_document_ = nullptr;
}

}  // namespace sla::ui
