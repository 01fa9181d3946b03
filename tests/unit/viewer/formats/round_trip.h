// Captures that are exported and imported again.
#pragma once

#include "tests/support/capture_builder.h"
#include "tests/unit/viewer/formats/imported.h"
#include "viewer/formats/table/table.h"

#include <tuple>

namespace sla::formats {

inline std::string csv_of(const store::Session& session) {
    std::string out;
    formats::Output output = formats::Output::to_string(out);
    EXPECT_TRUE(formats::write_table(session, *analysis::select(session, {}), formats::Format::kCsv, output).ok());
    return out;
}

class RoundTrip : public WithFiles {
protected:
    void there_and_back(const store::Session& session, formats::ExportFormat format, store::Session& back) {
        const auto report =
            formats::export_capture(session, *analysis::select(session, {}), {format, 1e9}, file("exported"));
        ASSERT_TRUE(report.ok()) << report.error().message;
        take_in(file("exported"), back);
        std::filesystem::remove_all(file("exported"));
    }
    // The same by a capture file, which is read as it is.
    template <typename Compare>
    void saved_and_back(const store::Session& session, Compare compare) {
        const std::string path = file("saved.sla");
        const auto report =
            formats::export_capture(session, *analysis::select(session, {}), {ExportFormat::kSla, 1e9}, path);
        ASSERT_TRUE(report.ok()) << report.error().message;
        store::Session back;
        ASSERT_TRUE(ingest::load(path, back).ok());
        compare(back);
    }
    // Every row of the event table, byte for byte: ticks, times and their errors, names, values, texts, order.
    void expect_same_table(const support::CaptureBuilder& capture, formats::ExportFormat format) {
        store::Session session;
        store::Session back;
        capture.fill(session);
        there_and_back(session, format, back);
        EXPECT_EQ(csv_of(back), csv_of(session));
    }
    // Kinds, values, texts and ticks of every lane.
    static void expect_same_events(const store::Session& session, const store::Session& back) {
        each_event(session, back, [](const store::Event& a, const store::Event& b, const std::string& place) {
            ASSERT_EQ(std::tie(a.tick, a.value, a.code), std::tie(b.tick, b.value, b.code)) << place;
        });
    }
    // compare(event, the same that came back, "CHANNEL event NUMBER") of every lane; both have the same lanes and events.
    template <typename Compare>
    static void each_event(const store::Session& session, const store::Session& back, Compare compare) {
        ASSERT_EQ(back.lanes().size(), session.lanes().size());
        for (const store::Lane* lane : session.lanes()) {
            const store::Lane* other = back.lane_named(lane->channel().name);
            ASSERT_NE(other, nullptr) << lane->channel().name;
            ASSERT_EQ(other->size(), lane->size()) << lane->channel().name;
            for (std::uint64_t i = 0; i < lane->size(); ++i) {
                ASSERT_NO_FATAL_FAILURE(
                    compare((*lane)[i], (*other)[i], lane->channel().name + " event " + std::to_string(i)));
            }
        }
    }
};

}  // namespace sla::formats
