#include "proto/wire/capture.pb.h"
#include "proto/wire/control.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/support/capture_builder.h"
#include "tests/support/fake_agent.h"
#include "tests/unit/viewer/cli/run_sla.h"
#include "viewer/ingest/file_source.h"

#include <sla/ring_abi.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace sla::cli {
namespace {

wire::Request request_of(const std::string& bytes) {
    wire::FrameDecoder decoder;
    decoder.feed(bytes);
    wire::Request request;
    const auto frame = decoder.next();
    const bool read =
        frame.ok() && frame->has_value() && request.ParseFromArray((*frame)->data(), static_cast<int>((*frame)->size()));
    EXPECT_TRUE(read);
    return request;
}

std::string status_frame(std::uint64_t tick, std::uint64_t events) {
    wire::Frame frame;
    auto* status = frame.mutable_status();
    status->set_tick(tick);
    status->set_readers(1);
    status->set_ticks_per_second(1e9);
    auto* one = status->add_channels();
    one->set_id(1);
    one->set_events(events);
    one->set_overrun(3);
    return wire::encode_frame(frame);
}

// The agent has done what it was asked for.
std::string done_frame() {
    wire::Frame frame;
    frame.mutable_answer()->set_request(1);
    return wire::encode_frame(frame);
}

// What an agent gets of it.
wire::Mark mark(const std::vector<std::string>& words) {
    support::FakeAgent agent({done_frame()});
    std::vector<std::string> all = {"mark", "--address", agent.address()};
    all.insert(all.end(), words.begin(), words.end());
    EXPECT_EQ(run_sla(all).code, kDone);
    return request_of(agent.requests().at(0)).mark();
}

TEST(AgentCommands, MarkSendsWhatWasTyped) {
    EXPECT_EQ(mark({"note"}).channel(), "note");
    EXPECT_EQ(mark({"note"}).what_case(), wire::Mark::WHAT_NOT_SET);
    EXPECT_EQ(mark({"load", "42"}).value(), 42);
    EXPECT_EQ(mark({"load", "-5"}).value(), -5) << "as its help says";
    EXPECT_EQ(mark({"load", "--", "-5"}).value(), -5);
    EXPECT_EQ(mark({"load", "--", "-x"}).text(), "-x");
    EXPECT_EQ(mark({"load", "2.5"}).number(), 2.5);
    EXPECT_EQ(mark({"note", "hello", "world"}).text(), "hello world");
    EXPECT_EQ(mark({"--text", "note", "42"}).text(), "42");
    EXPECT_EQ(mark({"note", "12abc"}).text(), "12abc");
    const std::string longest(SLA_TEXT_BYTES, 'x');
    EXPECT_EQ(mark({"note", longest}).text(), longest);
    EXPECT_EQ(mark({"note", longest.substr(1) + "\xc3\xa4"}).text(), longest.substr(1)) << "no half of a character";
}

TEST(AgentCommands, AMarkThatNobodyTookIsAFailure) {
    support::FakeAgent agent({"SSH-2.0-OpenSSH_9.2\r\n", ""});
    const Outcome another = run_sla({"mark", "--address", agent.address(), "note"});
    EXPECT_EQ(another.code, kOutsideFailed);
    EXPECT_NE(another.errors.find("really speaking this protocol"), std::string::npos) << another.errors;
    EXPECT_EQ(run_sla({"mark", "--address", agent.address(), "note"}).code, kOutsideFailed);
}

TEST(AgentCommands, MarkRefusesWhatItWouldRoundOrCutBeforeAnAgentIsAsked) {
    const auto refused = [](const std::vector<std::string>& words) {
        std::vector<std::string> all = {"mark", "--address", "unix:/tmp/sla-no-such-agent"};
        all.insert(all.end(), words.begin(), words.end());
        const Outcome outcome = run_sla(all);
        EXPECT_EQ(outcome.code, kWrongUse) << outcome.errors;
        return outcome.errors;
    };
    EXPECT_NE(refused({"load", "9223372036854775808"}).find("9223372036854775808 does not fit 64 bits"), std::string::npos);
    EXPECT_NE(refused({"load", "--", "-9223372036854775809"}).find("--text"), std::string::npos);
    EXPECT_NE(refused({std::string(256, 'n'), "1"}).find("at most 255 bytes"), std::string::npos);
    EXPECT_EQ(mark({"load", "9223372036854775807"}).value(), INT64_MAX);
    EXPECT_EQ(mark({"load", "--", "-9223372036854775808"}).value(), INT64_MIN);
    EXPECT_EQ(mark({"load", "9223372036854775808.0"}).number(), 9223372036854775808.0);
    EXPECT_EQ(mark({"--text", "load", "9223372036854775808"}).text(), "9223372036854775808");
    EXPECT_EQ(mark({std::string(255, 'n')}).channel().size(), 255u);
}

// No agent and no fleet is needed to say so: what stands there may be a rule as sla-agent takes them.
TEST(AgentCommands, SetSaysWhatCanBeSetWhereNothingIs) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"set"}, {"set", "net.*: off"}, {"fleet", "set", "nats://127.0.0.1:1", "net.*: off"}}) {
        const Outcome outcome = run_sla(words);
        EXPECT_EQ(outcome.code, kWrongUse) << outcome.errors;
        EXPECT_NE(outcome.errors.find("as in 'net.*' --off"), std::string::npos) << outcome.errors;
    }
}

// The agent takes a filter as a whole.
TEST(AgentCommands, SetSaysThatAFilterAndEveryAreOneSetting) {
    EXPECT_NE(run_sla({"set", "--help"}).out.find("--every and --filter are one setting"), std::string::npos);
    EXPECT_NE(run_sla({"fleet", "set", "--help"}).out.find("One setting with --every"), std::string::npos);
}

// The default itself cannot be the default again: taken as a number it would drop all that the agent holds.
TEST(AgentCommands, NoBytesAreADefaultForChannelsOnly) {
    const Outcome outcome = run_sla({"set", "--bytes", "0"});
    EXPECT_EQ(outcome.code, kWrongUse);
    EXPECT_NE(outcome.errors.find("name them"), std::string::npos) << outcome.errors;
}

TEST(AgentCommands, AFilterThatTheKernelsChannelsDoNotHaveIsSaid) {
    support::CaptureBuilder capture(0);
    const std::uint32_t host = capture.source("linux", support::BuilderSource::kHost, 0);
    const std::uint32_t program = capture.source("program");
    for (const char* name : {"linux.irq.disk", "linux.irq.net"}) capture.channel(name, host);
    capture.channel("net.rx", program);
    capture.leave_open(1);
    const std::string names = capture.stream() + status_frame(1'000'000'000, 100);
    const auto errors_of = [&](std::vector<std::string> words) {
        support::FakeAgent agent({done_frame(), names});  // it is asked once for all warnings
        words.insert(words.begin(), {"set", "--address", agent.address()});
        const Outcome outcome = run_sla(words);
        EXPECT_EQ(outcome.code, kDone);
        return outcome.errors;
    };
    EXPECT_NE(errors_of({"*", "--every", "10"}).find("the filter does not reach linux.irq.disk and 1 more: "),
              std::string::npos);
    EXPECT_EQ(errors_of({"net.*", "--filter", "value > 3"}), "");
}

TEST(AgentCommands, TopOnceGivesRatesFromTwoStatuses) {
    support::CaptureBuilder capture(0);
    capture.channel("net.rx");
    capture.leave_open(1);
    const std::string stream = capture.stream() + status_frame(1'000'000'000, 100) + status_frame(3'000'000'000, 5100);
    wire::Frame end;
    end.mutable_end()->set_reason("done");
    support::FakeAgent agent({stream + wire::encode_frame(end)});
    const Outcome outcome = run_sla({"top", agent.address(), "--once", "--format", "csv"});
    EXPECT_EQ(outcome.code, kDone);
    EXPECT_NE(outcome.out.find("\nnet.rx,program,2500,5100,3,3 overrun,0,0,0,\n"), std::string::npos) << outcome.out;
    EXPECT_TRUE(request_of(agent.requests().at(0)).subscribe().status_only());
}

// An agent's stream with a Status a second, and its end.
std::string three_seconds() {
    support::CaptureBuilder capture(0);
    capture.channel("net.rx");
    capture.leave_open(1);
    std::string stream = capture.stream();
    for (const std::uint64_t second : {1, 2, 3}) stream += status_frame(second * 1'000'000'000, second * 100);
    wire::Frame end;
    end.mutable_end()->set_reason("done");
    return stream + wire::encode_frame(end);
}

TEST(AgentCommands, TopWritesOneTableThatGrowsWithEveryStatus) {
    support::FakeAgent agent({three_seconds(), three_seconds(), three_seconds()});
    const Outcome csv = run_sla({"top", agent.address(), "--format", "csv"});
    EXPECT_EQ(csv.code, kDone);
    EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 3) << csv.out;
    EXPECT_TRUE(csv.out.starts_with("time_ns,channel,source,rate_hz,")) << csv.out;
    EXPECT_NE(csv.out.find("\n2000000000.000,net.rx,program,100,200,"), std::string::npos) << csv.out;
    EXPECT_NE(csv.out.find("\n3000000000.000,net.rx,program,100,300,"), std::string::npos) << csv.out;
    const Outcome json = run_sla({"top", agent.address(), "--format", "json"});
    EXPECT_EQ(nlohmann::json::parse(json.out).size(), 2u) << json.out;
    const Outcome lines = run_sla({"top", agent.address(), "--format", "jsonl"});
    EXPECT_EQ(nlohmann::json::parse(lines.out.substr(0, lines.out.find('\n'))).at("events"), 200) << lines.out;
}

TEST(AgentCommands, TopOnceOfAnAgentThatEndsBeforeItsSecondStatusSaysWhatItKnows) {
    support::CaptureBuilder capture(0);
    capture.channel("net.rx");
    capture.leave_open(1);
    wire::Frame end;
    end.mutable_end()->set_reason("done");
    support::FakeAgent agent({capture.stream() + status_frame(1'000'000'000, 100) + wire::encode_frame(end)});
    const Outcome outcome = run_sla({"top", agent.address(), "--once", "--format", "csv"});
    EXPECT_EQ(outcome.code, kDone);
    EXPECT_NE(outcome.out.find("\nnet.rx,program,0,100,"), std::string::npos) << outcome.out;
}

class RecordStream : public WithDirectory {};

TEST_F(RecordStream, AStreamBecomesAFile) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 6, 1000);
    support::FakeAgent agent({capture.stream()});
    const Outcome outcome = run_sla({"record", "-o", file("r.sla"), "--address", agent.address()});
    EXPECT_EQ(outcome.code, kDone);
    EXPECT_NE(outcome.errors.find("next: sla table"), std::string::npos);
    store::Session recorded;
    ASSERT_TRUE(ingest::load_file(file("r.sla"), recorded).ok());
    store::Session direct;
    capture.fill(direct);
    EXPECT_EQ(recorded.events(), direct.events());
    EXPECT_EQ(recorded.damage_count(), 0u);
}

TEST_F(RecordStream, AnAgentThatDiesLeavesAReadableFileAndCodeThree) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 6, 1000);
    const std::string stream = capture.stream();
    support::FakeAgent agent({stream.substr(0, stream.size() / 2)});
    const Outcome outcome = run_sla({"record", "-o", file("r.sla"), "--address", agent.address()});
    EXPECT_EQ(outcome.code, kOutsideFailed);
    store::Session recorded;
    ASSERT_TRUE(ingest::load_file(file("r.sla"), recorded).ok());
    EXPECT_GT(recorded.events(), 0u);
}

}  // namespace
}  // namespace sla::cli
