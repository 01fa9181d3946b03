// "Go to": a time, a tick or a row of the table, typed.
#pragma once

#include "proto/base/result.h"
#include "viewer/ui/widgets/context.h"

#include <string>
#include <string_view>

namespace sla::ui {

// The tick that was meant: "1.5ms" from t = 0 (`zero_ps` after the capture's start), "#1024" a row's number, "@123456" a tick.
Result<std::uint64_t> parse_place(std::string_view text, const store::Session& session, std::int64_t zero_ps = 0);

// Goes to what parse_place() understands; a row is selected too.
Result<void> go_to_place(Context& context, const std::string& text);

// One line in a box near the top; Enter goes, Esc closes.
class GoTo {
public:
    void open() { opening_ = true; }
    void draw(Context& context);

private:
    bool opening_ = false;
    bool again_ = false;  // what was typed is wrong: it can be mended at once
    std::string text_;
    std::string problem_;
};

}  // namespace sla::ui
