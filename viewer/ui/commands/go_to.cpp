#include "viewer/ui/commands/go_to.h"

#include "proto/base/text.h"
#include "proto/time/duration.h"
#include "viewer/store/merged.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/commands/navigation.h"
#include "viewer/ui/widgets/forms.h"

#include <imgui_stdlib.h>

#include <algorithm>

namespace sla::ui {

namespace {

Result<std::uint64_t> parse_number(std::string_view digits, std::string_view what) {
    const auto number = whole_number<std::uint64_t>(digits);
    if (!number) return invalid_input("no " + std::string(what) + ": " + std::string(digits));
    return *number;
}

// A row's number without its "#".
Result<store::RowRef> place_of_row(std::string_view digits, const store::Session& session) {
    const Result<std::uint64_t> row = parse_number(digits, "row number");
    if (!row) return row.error();
    store::MergedIndex index(session);
    index.refresh();
    const auto place = index.place(*row);
    if (!place && index.rows() == 0) return not_found("there is no row yet");
    if (!place)
        return not_found("there is no row " + std::string(digits) + "; the last is " + std::to_string(index.rows() - 1));
    return *place;
}

// That tick, when something can be there; `text`: as it was typed.
Result<std::uint64_t> place_here(std::uint64_t tick, std::string_view text, const store::Session& session,
                                 std::int64_t zero_ps) {
    const std::uint64_t first = std::min(session.origin().start_tick, session.first_tick());
    const std::uint64_t last = std::max(session.last_tick(), session.watermark());
    if (tick >= first && tick <= last) return tick;
    const auto at = [&](std::uint64_t end) {
        const std::string time = timeline::readable_time(session.clock().to_ps(end) - zero_ps, 1'000);
        return text.front() == '@' ? time + " (@" + std::to_string(end) + ")" : time;
    };
    return not_found("there is nothing at " + std::string(text) + "; what is here goes from " + at(first) + " to " +
                     at(last));
}

// When a row was meant, it is what one looks at.
void select_row(Context& context, std::string_view text) {
    if (!text.starts_with('#')) return;
    if (const auto row = place_of_row(text.substr(1), context.session)) go_to_event(context, *row->lane, row->index);
}

}  // namespace

Result<std::uint64_t> parse_place(std::string_view text, const store::Session& session, std::int64_t zero_ps) {
    text = trimmed(text, " ");
    if (text.empty()) return invalid_input("type a time (1.5ms), a tick (@123456) or a row (#1024)");
    if (text.front() == '@') {
        const Result<std::uint64_t> tick = parse_number(text.substr(1), "tick");
        return tick ? place_here(*tick, text, session, zero_ps) : tick.error();
    }
    if (text.front() == '#') {
        const Result<store::RowRef> row = place_of_row(text.substr(1), session);
        return row ? Result<std::uint64_t>(row->tick) : row.error();
    }
    const Result<std::int64_t> ps = time::parse_duration(text);
    if (!ps) return ps.error();
    return place_here(session.clock().to_tick(*ps + zero_ps), text, session, zero_ps);
}

Result<void> go_to_place(Context& context, const std::string& text) {
    const Result<std::uint64_t> tick = parse_place(text, context.session, context.marks.zero_ps(context.session));
    if (!tick) return tick.error();
    context.view.go_to(*tick);
    select_row(context, trimmed(text, " "));
    return {};
}

void GoTo::draw(Context& context) {
    if (opening_) {
        ImGui::OpenPopup("go to");
        problem_.clear();
        text_.clear();
    }
    if (!begin_box(context, "go to")) {
        opening_ = false;
        return;
    }
    ImGui::TextUnformatted("Go to a time (1.5ms), a tick (@123456) or a row (#1024)");
    if (opening_ || again_) ImGui::SetKeyboardFocusHere();
    opening_ = again_ = false;
    ImGui::SetNextItemWidth(context.px(380));
    if (ImGui::InputText("##place", &text_, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll)) {
        const Result<void> gone = go_to_place(context, text_);
        problem_ = gone ? std::string() : gone.error().message;
        again_ = !gone;
        if (gone) ImGui::CloseCurrentPopup();
    }
    if (!problem_.empty()) ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(context.theme.loss), "%s", problem_.c_str());
    ImGui::EndPopup();
}

}  // namespace sla::ui
