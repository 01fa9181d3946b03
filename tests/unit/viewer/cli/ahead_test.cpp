// Captures with a guest whose own time ran ahead of the machine's clock: what is made of them knows how far that clock had come.
#include "proto/capture/capture_writer.h"
#include "proto/wire/capture.pb.h"
#include "tests/support/capture_builder.h"
#include "tests/unit/viewer/cli/run_sla.h"
#include "viewer/formats/source_facts.h"
#include "viewer/ingest/file_source.h"

#include <algorithm>
#include <filesystem>

namespace sla::cli {
namespace {

constexpr std::uint64_t kMs = 1'000'000;  // ticks
constexpr std::uint64_t kBegin = 1'000 * kMs;
constexpr std::uint64_t kKnown = kBegin + 3'000 * kMs;

class Ahead : public WithDirectory {
protected:
    // `n` of a program every 20 ms for three seconds; of a guest an interrupt every 50 ms for fifteen of its own.
    Ahead() {
        support::CaptureBuilder capture(kBegin);
        const auto guest = capture.source("guest", support::BuilderSource::kPc, 77);
        const auto guest_thread = capture.thread("cpu", 77, guest);
        const auto irq = capture.channel("irq", guest);
        const auto n = capture.channel("n");
        for (std::uint64_t i = 1; i <= 300; ++i) capture.tick(irq, kBegin + i * 50 * kMs, 1, guest_thread);
        for (std::uint64_t i = 1; i <= 150; ++i) capture.tick(n, kBegin + i * 20 * kMs);
        auto writer = capture::CaptureWriter::create(file("pc.sla"));
        EXPECT_TRUE(writer.ok());
        for (const std::string& bytes : capture.frames(40)) {
            wire::Frame frame;
            EXPECT_TRUE(frame.ParseFromString(bytes));
            if (frame.has_source() && frame.source().id() == guest) frame.mutable_source()->set_clock_domain(1);
            if (frame.has_watermark())
                frame.mutable_watermark()->set_tick(std::min<std::uint64_t>(frame.watermark().tick(), kKnown));
            if (frame.has_end()) frame.mutable_end()->set_tick(kKnown);
            EXPECT_TRUE(writer->append(frame.SerializeAsString()).ok());
            EXPECT_TRUE(!frame.has_watermark() || writer->flush().ok());
        }
        EXPECT_TRUE(writer->finish().ok());
    }
    void expect_no_silence(const std::string& name) {
        const Outcome check = run_sla({"check", file(name), "--limit", "gap n < 1s", "--limit", "rate n > 35/s", "--limit",
                                       "rate irq > 15/s", "--limit", "count irq > 250"});
        EXPECT_EQ(check.code, kDone) << name << ": " << check.out << check.errors;
        const Outcome broken = run_sla({"check", file(name), "--limit", "rate n < 45/s"});
        EXPECT_EQ(broken.code, kNo) << name << ": " << broken.out << broken.errors;
    }
};

TEST_F(Ahead, APartEndsWhereTheMachinesClockDid) {
    expect_no_silence("pc.sla");
    ASSERT_EQ(run_sla({"cut", file("pc.sla"), "--from", "100ms", "-o", file("part.sla")}).code, kDone);
    expect_no_silence("part.sla");
    ASSERT_EQ(run_sla({"cut", file("pc.sla"), "--to", "14s", "-o", file("begin.sla")}).code, kDone);
    expect_no_silence("begin.sla");
    ASSERT_EQ(run_sla({"cut", file("begin.sla"), "--from", "40ms", "-o", file("again.sla")}).code, kDone);
    expect_no_silence("again.sla");
    ASSERT_EQ(run_sla({"cut", file("pc.sla"), "--from", "14s", "-o", file("end.sla")}).code, kDone);
    ASSERT_EQ(run_sla({"merge", file("begin.sla"), file("end.sla"), "-o", file("merged.sla")}).code, kDone);
    expect_no_silence("merged.sla");
}

TEST_F(Ahead, WhatIsExportedComesBackAsFarAsItWasKnown) {
    ASSERT_EQ(run_sla({"export", file("pc.sla"), "--format", "sla", "-o", file("saved.sla")}).code, kDone);
    expect_no_silence("saved.sla");
    for (const char* const format : {"vcd", "chrome", "ctf", "parquet", "perfetto"}) {
        ASSERT_EQ(run_sla({"export", file("pc.sla"), "--format", format, "-o", file("exported")}).code, kDone);
        const Outcome imported = run_sla({"import", file("exported"), "-o", file(std::string(format) + ".sla")});
        ASSERT_EQ(imported.code, kDone) << imported.errors;
        std::filesystem::remove_all(file("exported"));
        expect_no_silence(std::string(format) + ".sla");
    }
}

// Of a recorder that was killed the file has no end.
TEST_F(Ahead, ACaptureWithoutAnEndIsKnownToItsNewestWatermark) {
    const auto whole = std::filesystem::file_size(file("pc.sla"));
    std::filesystem::resize_file(file("pc.sla"), whole - whole / 10);
    store::Session session;
    ASSERT_TRUE(ingest::load_file(file("pc.sla"), session).ok());
    EXPECT_GT(session.last_tick(), kKnown + 5'000 * kMs);
    EXPECT_EQ(session.watermark(), kKnown);
}

TEST_F(Ahead, OfTheGuestAloneASilenceIsKnownToo) {
    store::Session session;
    ASSERT_TRUE(ingest::load_file(file("pc.sla"), session).ok());
    const auto guest = analysis::select(session, {"irq"});
    ASSERT_TRUE(guest.ok());
    EXPECT_TRUE(formats::source_facts_text(session, *guest).ends_with("known::3000000000000"));
    const auto program = analysis::select(session, {"n"});
    ASSERT_TRUE(program.ok());
    EXPECT_EQ(formats::source_facts_text(session, *program).find("known"), std::string::npos) << "to its last event";
}

}  // namespace
}  // namespace sla::cli
