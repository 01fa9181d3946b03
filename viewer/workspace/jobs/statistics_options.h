// How the statistics panel counts widths; as the options of `sla stats` of these names.
#pragma once

namespace sla::workspace {

struct StatisticsOptions {
    bool subtract_overhead = false;  // the width of an empty section, from those between stamps of one thread
    bool cull = false;               // outliers are left out, by the rule of analysis/intervals/statistics.h
    // Of the histogram; else both axes are logarithmic.
    bool even_bars = false;     // of equal width
    bool plain_counts = false;  // as high as their count
    bool operator==(const StatisticsOptions&) const = default;
};

}  // namespace sla::workspace
