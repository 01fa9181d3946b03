// The field in which a search is typed, and beside it how much it found.
#pragma once

#include "viewer/ui/widgets/context.h"

#include <string>

namespace sla::ui {

class SearchField {
public:
    void draw(Context& context, const Rect& place);
    // It takes the keyboard in the next frame.
    void focus() { is_to_be_typed_in_ = true; }

private:
    std::string text_;
    const Search* searched_ = nullptr;  // whose text stands in the field
    bool is_to_be_typed_in_ = false;
    bool going_ = false;  // the first hit is to be shown
};

}  // namespace sla::ui
