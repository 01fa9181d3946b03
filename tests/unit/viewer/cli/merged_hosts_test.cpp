// Captures of several machines, merged: how well times are known.
#include "proto/capture/capture_writer.h"
#include "proto/wire/capture.pb.h"
#include "tests/support/capture_builder.h"
#include "tests/unit/viewer/cli/run_sla.h"
#include "viewer/ingest/file_source.h"

namespace sla::cli {
namespace {

constexpr std::uint64_t kBegin = 1'000;

using MergedHosts = WithDirectory;

// As of a fleet's hosts that are opened together.
TEST_F(MergedHosts, OfSeveralHostsTheSkewBetweenCoresIsTheWidest) {
    const auto write_host = [this](const std::string& host, std::uint64_t id, std::uint64_t skew) {
        support::CaptureBuilder capture(kBegin);
        const auto rx = capture.channel("rx");
        for (std::uint64_t i = 1; i < 50; ++i) capture.tick(rx, kBegin + 1'000 * i);
        auto writer = capture::CaptureWriter::create(file(host + ".sla"));
        ASSERT_TRUE(writer.ok());
        for (const std::string& bytes : capture.frames()) {
            wire::Frame frame;
            ASSERT_TRUE(frame.ParseFromString(bytes));
            if (frame.has_hello()) {
                frame.mutable_hello()->set_host(host);
                frame.mutable_hello()->set_boot_id(host + "'s boot");
                frame.mutable_hello()->set_capture_id(id);
            }
            if (frame.has_end()) {
                wire::Frame status;
                status.mutable_status()->set_tick(kBegin + 2'000);
                status.mutable_status()->mutable_clock_health()->set_cores(4);
                status.mutable_status()->mutable_clock_health()->set_skew_ticks(skew);
                ASSERT_TRUE(writer->append(status.SerializeAsString()).ok());
            }
            ASSERT_TRUE(writer->append(frame.SerializeAsString()).ok());
        }
        ASSERT_TRUE(writer->finish().ok());
    };
    ASSERT_NO_FATAL_FAILURE(write_host("alpha", 1, 150));
    ASSERT_NO_FATAL_FAILURE(write_host("beta", 2, 900));
    for (const auto& names : {std::vector<std::string>{"alpha.sla", "beta.sla"}, {"beta.sla", "alpha.sla"}}) {
        ASSERT_EQ(run_sla({"merge", "-o", file("both.sla"), file(names[0]), file(names[1])}).code, kDone);
        store::Session session;
        ASSERT_TRUE(ingest::load_file(file("both.sla"), session).ok());
        EXPECT_EQ(session.clock().skew().ticks, 900u) << names[0];
    }
}

}  // namespace
}  // namespace sla::cli
