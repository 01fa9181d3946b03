// Asks where the table goes and writes it, byte for byte what `sla table` writes.
#pragma once

#include "proto/base/result.h"
#include "viewer/ui/context.h"

#include <cstdint>
#include <string>

namespace sla::ui {

// All rows, in the form that the file's ending names; returns how many.
Result<std::uint64_t> export_table(const store::Session& session, const std::string& path);

class ExportBox {
public:
    void open() { opening_ = true; }
    void draw(Context& context);

private:
    bool opening_ = false;
    bool failed_ = false;
    std::string path_;
    std::string told_;
};

}  // namespace sla::ui
