// `sla places --annotate`: the code of a symbol or a range, with the samples that fell on each of its instructions.
#pragma once

#include "proto/base/result.h"
#include "proto/common/command_line.h"
#include "proto/common/symbols/symbols.h"
#include "viewer/analysis/selection.h"
#include "viewer/formats/table/small_table.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sla::cli {

struct AnnotateOptions {
    std::string what;               // a symbol or a range; empty: nothing is
    std::vector<std::string> code;  // FILE[@BASE]
    std::optional<std::uint32_t> guest;
    std::string bits;

    void add_to(common::Command& command);
};

// `files`: what --symbols named; ELF programs among them are code too.
Result<formats::SmallTable> annotate(const AnnotateOptions& options, const analysis::Selection& selection,
                                     const symbol::Symbols& symbols, const std::vector<std::string>& files);

}  // namespace sla::cli
