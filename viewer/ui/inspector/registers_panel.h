// The registers of an emulated PC, live: CPU and chips by field name, what changed since the last look marked; and the guest
// stopped, stepped and let go. Looks only while it is shown.
#pragma once

#include "viewer/ui/widgets/context.h"

#include <sys/types.h>

#include <string>

namespace sla::ui {

class RegistersPanel {
public:
    void draw(Context& context, const Rect& place);
    // It is not shown: nobody looks.
    static void rest(Context& context);

    // Which PC, as chosen; tests set it too. 0: the only one that runs.
    void choose_process(pid_t process) { process_ = process; }

private:
    void draw_process(Context& context);
    static void draw_buttons(Context& context);
    static void draw_code(Context& context);
    void draw_sections(Context& context) const;

    pid_t process_ = 0;
    std::string filter_;
};

}  // namespace sla::ui
