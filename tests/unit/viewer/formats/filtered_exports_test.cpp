// Exports of what a filter lets through.
#include "tests/unit/viewer/formats/round_trip.h"

#include <algorithm>

namespace sla::formats {
namespace {

class FilteredExports : public RoundTrip {
protected:
    ExportReport exported(const std::string& filter, ExportFormat format) {
        support::CaptureBuilder capture(0);
        const auto job = capture.channel("job");
        for (std::uint64_t i = 0; i < 3; ++i) {
            capture.event(job, 1'000 + i * 2'000, SLA_CODE_BEGIN_VALUE, i + 1);
            capture.end(job, 2'000 + i * 2'000);
        }
        store::Session session;
        capture.fill(session);
        auto selection = *analysis::select(session, {});
        if (!filter.empty()) selection.filter = *analysis::EventFilter::parse(filter);
        return export_capture(session, selection, {format, 1e9}, file("exported")).value();
    }
    static bool says_that_spans_stay_open(const ExportReport& report) {
        return std::any_of(report.left_out.begin(), report.left_out.end(), [](const std::string& text) {
            return text.find("stays open to the end of the file") != std::string::npos;
        });
    }
};

TEST_F(FilteredExports, AValueChangeDumpWithoutTheEndsOfSpansComesBackWithoutThem) {
    exported("value >= 1", ExportFormat::kVcd);
    store::Session back;
    take_in(file("exported"), back);
    EXPECT_EQ(reported(back, "job"), "begin 1 @1000\nbegin 2 @3000\nbegin 3 @5000\n");
}

TEST_F(FilteredExports, ThatASpansEndMayHaveStayedBehindTheFilterIsSaid) {
    for (const ExportFormat format :
         {ExportFormat::kVcd, ExportFormat::kSr, ExportFormat::kChrome, ExportFormat::kPerfetto}) {
        EXPECT_TRUE(says_that_spans_stay_open(exported("value >= 1", format))) << static_cast<int>(format);
        EXPECT_FALSE(says_that_spans_stay_open(exported("", format))) << static_cast<int>(format);
    }
    EXPECT_FALSE(says_that_spans_stay_open(exported("value >= 1", ExportFormat::kCsv))) << "rows are what they are";
}

}  // namespace
}  // namespace sla::formats
