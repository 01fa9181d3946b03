// One self-contained HTML page about a capture, to read, to mail and to keep: what it is, its lanes as SVG, statistics of
// the time between events with histograms, losses, and how far its clock can be trusted. Light or dark as the reader's
// system is; no scripts, nothing is fetched.
#pragma once

#include "viewer/analysis/selection.h"
#include "viewer/formats/output.h"

#include <string>

namespace sla::report {

struct ReportOptions {
    std::string title;  // of the page
};

// Writes and finishes. Lanes are drawn over the selection's range, or everything; at most kMaxLanes of them, and the page
// says so when there are more.
Result<void> write_report(const store::Session& session, const analysis::Selection& selection, const ReportOptions& options,
                          formats::Output& output);

inline constexpr std::size_t kMaxLanes = 200;

}  // namespace sla::report
