// The question before something is closed that would be lost with it.
#pragma once

#include "viewer/ui/widgets/context.h"

#include <cstddef>
#include <string>

namespace sla::ui {

// What closing it would lose, in words; "": nothing.
std::string lost_by_closing(const Document& document);

class CloseDialog {
public:
    // The document that is shown, or the window with all there is.
    enum class What { kDocument, kAll };
    // What comes of it, `others` being as below: what is lost is in no file, and what an agent shows of it again.
    [[nodiscard]] static std::string hint(const Document& document, const Keymap& keys, What what, std::size_t others);
    // `others`: so many that are open too would lose something.
    void open(What what = What::kDocument, std::size_t others = 0) {
        opening_ = true;
        what_ = what;
        others_ = others;
    }
    // About the document that is shown.
    void draw(Context& context);
    // It asks about all there is, for so many seconds; 0: it does not.
    [[nodiscard]] double asks_to_quit() const { return what_ == What::kAll ? shown_ : 0; }

private:
    bool opening_ = false;
    double shown_ = 0;  // seconds
    What what_ = What::kDocument;
    std::size_t others_ = 0;
    std::size_t chosen_ = 0;  // of the answers: arrows and Tab choose, Enter gives it
};

}  // namespace sla::ui
