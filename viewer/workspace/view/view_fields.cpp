#include "viewer/workspace/document.h"
#include "viewer/workspace/view/view_json.h"
#include "viewer/workspace/view/view_state.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace sla::workspace {

namespace {

using nlohmann::json;

std::string lanes_difference(const ViewState& before, const ViewState& after) {
    const timeline::LaneArrangement& was = *before.lanes;
    const timeline::LaneArrangement& is = *after.lanes;
    if (was.folded != is.folded) return was.folded.size() < is.folded.size() ? "fold lanes" : "unfold lanes";
    if (was.order != is.order) return "move a lane";
    if (was.links != is.links) return "link lanes";
    if (was.show_hidden != is.show_hidden) return "show hidden lanes";
    return "change a lane";
}

bool note_alone_changed(const Annotations& before, const Annotations& after) {
    return std::equal(before.bookmarks.begin(), before.bookmarks.end(), after.bookmarks.begin(), after.bookmarks.end(),
                      [](const auto& a, const auto& b) { return a.first == b.first && a.second.range == b.second.range; });
}

std::string annotations_difference(const ViewState& before, const ViewState& after) {
    const Annotations& was = *before.annotations;
    const Annotations& is = *after.annotations;
    if (was.markers.size() < is.markers.size()) return "add a marker";
    if (was.markers.size() > is.markers.size()) return "delete a marker";
    if (was.markers != is.markers) return "change a marker";
    if (was.ranges != is.ranges) return was.ranges.size() > is.ranges.size() ? "delete a range" : "keep a range";
    if (was.bookmarks.size() > is.bookmarks.size()) return "delete a bookmark";
    if (was.bookmarks != is.bookmarks) return note_alone_changed(was, is) ? "note a bookmark" : "set a bookmark";
    return "set t = 0";
}

std::string cursors_difference(const ViewState& before, const ViewState& after) {
    const bool a = before.cursors.a != after.cursors.a;
    if (a && before.cursors.b != after.cursors.b) return "measure";
    if (a) return after.cursors.a ? "place cursor A" : "drop cursor A";
    return after.cursors.b ? "place cursor B" : "drop cursor B";
}

std::string questions_difference(const ViewState& before, const ViewState& after) {
    const std::size_t was = before.questions->size();
    const std::size_t is = after.questions->size();
    const KeptQuestion* one = was < is ? &after.questions->back() : nullptr;
    for (std::size_t i = 0; one == nullptr && i < was; ++i) {
        if (i >= is || (*before.questions)[i] != (*after.questions)[i]) one = &(*before.questions)[i];
    }
    const char* what = was < is ? "keep the " : was > is ? "forget the " : "change the ";
    return what + (one == nullptr ? std::string("questions") : std::string(form_name(one->form)) + " " + one->name);
}

std::string movement(const ViewState& /*before*/, const ViewState& /*after*/) {
    return "move the view";
}

void apply_panes(Document& document, const ViewState& state) {
    if (state.two_panes && !document.two_panes) document.views[1].begin_like(document.views[0]);
    document.two_panes = state.two_panes;
}

void go_back(View& view, const ShownPlace& place) {
    if (view.place() != place) view.go_back_to(place);
}

// How the document's part of each field is read.
const timeline::LaneArrangement& lanes_of(const Document& document) {
    return document.tree.arrangement;
}
const Annotations& annotations_of(const Document& document) {
    return document.marks.annotations;
}
const timeline::CursorPair& cursors_of(const Document& document) {
    return document.marks.cursors;
}
const std::string& table_filter_of(const Document& document) {
    return document.rows.filter();
}
bool table_collapsed_of(const Document& document) {
    return document.rows.collapsed();
}
std::vector<timeline::TickRange> folds_of(const Document& document) {
    return document.views[0].folds();
}
StatisticsOptions statistics_options_of(const Document& document) {
    return document.statistics_options;
}
bool two_panes_of(const Document& document) {
    return document.two_panes;
}
ShownPlace shown_of(const Document& document) {
    return document.views[0].place();
}
ShownPlace shown_below_of(const Document& document) {
    return document.two_panes ? document.views[1].place() : ShownPlace();
}

const std::vector<KeptQuestion>& questions_of(const Document& document) {
    return document.kept_answers->questions();
}

template <auto kMember, auto kRead>
constexpr ViewField field(ViewField::Scope scope, decltype(ViewField::difference) difference,
                          decltype(ViewField::apply) apply, decltype(ViewField::write) write,
                          decltype(ViewField::read) read) {
    return {scope,
            [](const ViewState& a, const ViewState& b) { return a.*kMember == b.*kMember; },
            difference,
            [](const Document& document, const ViewState& state) { return state.*kMember == kRead(document); },
            [](const Document& document, ViewState& state) {
                const auto& now = kRead(document);
                if (!(state.*kMember == now)) state.*kMember = now;
            },
            apply,
            write,
            read};
}

using Scope = ViewField::Scope;

constexpr std::array kFields{
    field<&ViewState::lanes, lanes_of>(
        Scope::kAnyCapture, lanes_difference,
        [](Document& d, const ViewState& s) {
            d.tree.arrangement = *s.lanes;
            d.tree.refresh(d.source->session());
        },
        [](const ViewState& s, json& out) { out["lanes"] = json_of(*s.lanes); },
        [](const json& from, ViewState& s) { s.lanes = arrangement_in(part(from, "lanes")); }),
    field<&ViewState::annotations, annotations_of>(
        Scope::kOneCapture, annotations_difference,
        [](Document& d, const ViewState& s) { d.marks.annotations = *s.annotations; },
        [](const ViewState& s, json& out) { out["notes"] = json_of(*s.annotations); },
        [](const json& from, ViewState& s) { s.annotations = annotations_in(part(from, "notes")); }),
    field<&ViewState::cursors, cursors_of>(
        Scope::kOneCapture, cursors_difference,
        [](Document& d, const ViewState& s) {
            d.marks.cursors = s.cursors;
            d.marks.follows_mouse.reset();
        },
        [](const ViewState& s, json& out) {
            if (s.cursors.a) out["cursor_a"] = s.cursors.a->tick;
            if (s.cursors.b) out["cursor_b"] = s.cursors.b->tick;
        },
        [](const json& from, ViewState& s) {
            s.cursors = {cursor_in(from, "cursor_a"), cursor_in(from, "cursor_b")};
        }),
    field<&ViewState::table_filter, table_filter_of>(
        Scope::kOneCapture, [](const ViewState&, const ViewState&) -> std::string { return "filter the table"; },
        [](Document& d, const ViewState& s) { d.rows.set_filter(s.table_filter); },
        [](const ViewState& s, json& out) {
            if (!s.table_filter.empty()) out["table_filter"] = s.table_filter;
        },
        [](const json& from, ViewState& s) { s.table_filter = text_in(from, "table_filter"); }),
    field<&ViewState::table_collapsed, table_collapsed_of>(
        Scope::kOneCapture, [](const ViewState&, const ViewState&) -> std::string { return "collapse repeated rows"; },
        [](Document& d, const ViewState& s) { d.rows.set_collapsed(s.table_collapsed); },
        [](const ViewState& s, json& out) {
            if (s.table_collapsed) out["table_collapsed"] = true;
        },
        [](const json& from, ViewState& s) { s.table_collapsed = flag_in(from, "table_collapsed"); }),
    field<&ViewState::folds, folds_of>(
        Scope::kOneCapture,
        [](const ViewState&, const ViewState& after) -> std::string {
            return after.folds->empty() ? "unfold idle time" : "fold idle time";
        },
        [](Document& d, const ViewState& s) { d.set_folds(*s.folds); },
        [](const ViewState& s, json& out) {
            if (!s.folds->empty()) out["folds"] = json_of(*s.folds);
        },
        [](const json& from, ViewState& s) { s.folds = folds_in(part(from, "folds")); }),
    field<&ViewState::statistics_options, statistics_options_of>(
        Scope::kOneCapture, [](const ViewState&, const ViewState&) -> std::string { return "count widths another way"; },
        [](Document& d, const ViewState& s) { d.statistics_options = s.statistics_options; },
        [](const ViewState& s, json& out) { out.update(json_of(s.statistics_options)); },
        [](const json& from, ViewState& s) { s.statistics_options = statistics_options_in(from); }),
    field<&ViewState::questions, questions_of>(
        Scope::kAnyCapture, questions_difference, [](Document& d, const ViewState& s) { d.set_questions(*s.questions); },
        [](const ViewState& s, json& out) {
            if (!s.questions->empty()) out["questions"] = json_of(*s.questions);
        },
        [](const json& from, ViewState& s) { s.questions = questions_in(part(from, "questions")); }),
    field<&ViewState::two_panes, two_panes_of>(
        Scope::kOneCapture,
        [](const ViewState&, const ViewState& after) -> std::string {
            return after.two_panes ? "open the second pane" : "close the second pane";
        },
        apply_panes,
        [](const ViewState& s, json& out) {
            if (s.two_panes) out["shown_below"] = json_of(s.shown_below);
        },
        [](const json& from, ViewState& s) { s.two_panes = part(from, "shown_below").is_object(); }),
    field<&ViewState::shown, shown_of>(
        Scope::kMovement, movement, [](Document& d, const ViewState& s) { go_back(d.views[0], s.shown); },
        [](const ViewState& s, json& out) {
            if (s.shown.mode == ViewMode::kRange) out["shown"] = json_of(s.shown);
        },
        [](const json& from, ViewState& s) { s.shown = shown_in(part(from, "shown")); }),
    // Written with two_panes: a place for the second pane says there is one.
    field<&ViewState::shown_below, shown_below_of>(
        Scope::kMovement, movement,
        [](Document& d, const ViewState& s) {
            if (s.two_panes) go_back(d.views[1], s.shown_below);
        },
        [](const ViewState& /*s*/, json& /*out*/) {},
        [](const json& from, ViewState& s) { s.shown_below = shown_in(part(from, "shown_below")); }),
};

template <typename... T>
std::integral_constant<std::size_t, sizeof...(T)> count(const T&...);

// A new member does not compile here until it is named, nor below until it stands in the table.
[[maybe_unused]] auto count_members(const ViewState& state) {
    const auto& [lanes, annotations, cursors, folds, shown, filter, collapsed, options, panes, below, questions] = state;
    return decltype(count(lanes, annotations, cursors, folds, shown, filter, collapsed, options, panes, below, questions))();
}
static_assert(decltype(count_members(ViewState()))::value == kFields.size());

}  // namespace

std::span<const ViewField> view_fields() {
    return kFields;
}

std::string difference_of(const ViewState& before, const ViewState& after) {
    for (const ViewField& field : kFields) {
        if (!field.equal(before, after)) return field.difference(before, after);
    }
    return movement(before, after);
}

bool only_the_view_moved(const ViewState& before, const ViewState& after) {
    return std::all_of(kFields.begin(), kFields.end(), [&](const ViewField& field) {
        return field.scope == ViewField::Scope::kMovement || field.equal(before, after);
    });
}

}  // namespace sla::workspace
