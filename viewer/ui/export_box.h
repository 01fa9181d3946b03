// Asks where the table goes and writes it, byte for byte what `sla table` writes.
#pragma once

#include "viewer/ui/context.h"

#include <string>

namespace sla::ui {

class ExportBox {
public:
    void open(const Context& context);
    void draw(Context& context);

private:
    bool opening_ = false;
    std::string path_;
    std::string told_;
};

}  // namespace sla::ui
