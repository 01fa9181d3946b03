// Questions in SQL over the capture: the question above, its answer as rows below; a click on a row that has a tick goes there.
#pragma once

#include "viewer/ui/tables/grid.h"
#include "viewer/ui/tables/kept_questions_menu.h"

#include <string>
#include <vector>

namespace sla::ui {

class SqlPanel {
public:
    // `strip`: space beside the tabs, for what became of the question.
    void draw(Context& context, const Rect& place, const Rect& strip);

private:
    void draw_question(Context& context, const Rect& place);
    void draw_saved(Context& context, const Rect& place);
    void draw_answer(Context& context, const Rect& place);
    void draw_problem(Context& context, const Rect& place, std::string_view problem) const;

    KeptQuestionsMenu kept_;
    Grid grid_;
    std::string grid_id_;
    std::vector<GridColumn> columns_;
};

}  // namespace sla::ui
