#include "viewer/export/row_writer.h"

namespace sla::exporting {

std::unique_ptr<RowWriter> make_row_writer(Format format, std::vector<Column> columns) {
    switch (format) {
        case Format::kCsv: return make_delimited_writer(false, std::move(columns));
        case Format::kTsv: return make_delimited_writer(true, std::move(columns));
        case Format::kJson: return make_json_writer(false, std::move(columns));
        case Format::kJsonl: return make_json_writer(true, std::move(columns));
        case Format::kText: return make_text_writer(std::move(columns));
    }
    return nullptr;
}

}  // namespace sla::exporting
