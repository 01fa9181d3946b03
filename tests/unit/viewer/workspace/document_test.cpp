#include "viewer/workspace/document.h"

#include "tests/support/sample_capture.h"

#include <gtest/gtest.h>

#include <chrono>

namespace sla::workspace {
namespace {

// Counts how often it may take in what came.
class CountingSource final : public DataSource {
public:
    CountingSource() {
        support::CaptureBuilder capture(1'000'000, 2.7e9);
        support::add_mixed(capture, 20, 5000);
        capture.fill(session_);
    }
    store::Session& session() override { return session_; }
    [[nodiscard]] SourceStatus status() const override { return {SourceState::kLive, "agent", {}, 1, 0}; }
    void poll(std::chrono::milliseconds) override { ++polls; }

    int polls = 0;

private:
    store::Session session_;
};

TEST(Documents, take_in_what_comes_while_an_export_is_written) {
    auto owned = std::make_unique<CountingSource>();
    const CountingSource& source = *owned;
    Document document(std::move(owned), false);
    document.job = std::make_unique<ExportJob>(document.source->session(), *analysis::select(document.source->session(), {}),
                                               formats::ExportOptions{}, "/dev/null");
    document.take_data(std::chrono::milliseconds(6), 1.0 / 60);
    EXPECT_EQ(source.polls, 1);
}

}  // namespace
}  // namespace sla::workspace
