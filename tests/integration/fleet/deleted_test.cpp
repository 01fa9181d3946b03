// Messages that somebody deletes of a real server's streams: holes on the lanes of their host, counted everywhere; what is deleted
// first is a beginning that is late.
#include "proto/base/how_many.h"
#include "tests/integration/fleet/two_hosts.h"
#include "viewer/ingest/follow/open_followed.h"

#include <fmt/format.h>

namespace sla {
namespace {

class DeletedMessages : public TwoHosts {
protected:
    // Chunks of one channel from h1, with some marks each, and a burst from h2; both agents have ended.
    void publish() {
        ASSERT_NO_FATAL_FAILURE(start_servers(1));
        ASSERT_NO_FATAL_FAILURE(start_both({}, {}));
        Process other({SLA_TEST_MARKER, "burst", "1", "1", "700"}, other_.environment());
        EXPECT_EQ(other.wait().code, 0) << other.errors();
        for (int i = 0; i < kChunks; ++i) {
            for (int mark = 0; mark < kMarks; ++mark) ask({"mark", "some.thing", "1"});
            ASSERT_TRUE(all_published(offered_ += kMarks));
        }
        ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
        ASSERT_EQ(other_.stop(), 0) << other_.process().errors();
        connection_ = connect();
        ASSERT_NE(connection_, nullptr);
    }
    struct Stored {
        std::uint64_t sequence = 0;
        fleet::Kind kind = fleet::Kind::kFrames;
        std::uint64_t events = 0;
    };
    // h1's, in order.
    std::vector<Stored> messages() {
        std::vector<Stored> all;
        for (const support::FleetMessage& one : support::read_fleet(*cluster_, "t").messages) {
            if (one.headers.id.host == "h1") all.push_back({one.sequence, one.headers.id.kind, one.headers.rows});
        }
        return all;
    }
    static std::string stream() { return fleet::stream_name("t", fleet::shard_of("h1", 2)); }
    void erase(const std::vector<Stored>& which) {
        for (const Stored& one : which) {
            jsErrCode code = static_cast<jsErrCode>(0);
            ASSERT_EQ(js_DeleteMsg(connection_->jetstream(), stream().c_str(), one.sequence, nullptr, &code), NATS_OK)
                << code;
        }
    }
    // The kth chunk that has rows, of all kinds that list it alone.
    static std::vector<Stored> chunk(const std::vector<Stored>& all, std::size_t k) {
        for (std::size_t i = 0; i + 1 < all.size(); ++i) {
            if (all[i].kind == fleet::Kind::kFrames && all[i].events > 0 && k-- == 0) return {all[i], all[i + 1]};
        }
        ADD_FAILURE() << "there is none";
        return {};
    }
    [[nodiscard]] std::string name(const std::string& host = "") const {
        return "fleet:" + cluster_->address() + "/t" + host;
    }
    // Behind the channel's name, in the table of channels.
    std::vector<std::string> channel(const std::string& name) {
        std::istringstream table(ask({"channels", "--format", "csv", "--channel", "some.thing", name}));
        std::string line;
        std::getline(table, line);
        std::getline(table, line);
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
        cells.resize(10);
        return cells;
    }
    int check(const std::string& limit, const std::string& name) {
        judged_ = ask({"check", name, "--limit", limit});
        return code_;
    }
    static constexpr int kMarks = 3;
    static constexpr int kChunks = 4;
    static constexpr std::size_t kEvents = 3;
    static constexpr std::size_t kLost = 4;
    static constexpr std::size_t kLosses = 8;

    std::uint64_t offered_ = 0;
    std::unique_ptr<fleet::Connection> connection_;
    std::string judged_;
};

TEST_F(DeletedMessages, AreHolesOnTheLaneWhateverIsLeftOfTheChunk) {
    ASSERT_NO_FATAL_FAILURE(publish());
    const std::vector<Stored> all = messages();
    EXPECT_EQ(check("lost some.thing < 1", name("/h1")), 0) << judged_ << said_;
    std::vector<Stored> second = chunk(all, 1);
    ASSERT_EQ(second.size(), 2u);
    std::vector<Stored> whole = second;
    std::copy_if(all.begin(), all.end(), std::back_inserter(whole),
                 [](const Stored& one) { return one.kind == fleet::Kind::kIndex; });
    std::uint64_t gone = 0;
    for (const std::vector<Stored>& more :
         {std::vector{second[0]}, std::vector{second[1]}, std::vector(whole.begin() + 2, whole.end())}) {
        ASSERT_NO_FATAL_FAILURE(erase(more));
        const bool is_summed = more.front().kind != fleet::Kind::kIndex;  // by the chunk or by an index
        for (const std::string& capture : {name("/h1"), name()}) {
            const std::vector<std::string> cells = channel(capture);
            const std::uint64_t lost = std::stoull(cells[kLost]);
            EXPECT_EQ(check("lost some.thing < 1", capture), 1) << judged_;
            EXPECT_NE(judged_.find(is_summed ? "fail" : "cannot tell"), std::string::npos) << judged_;
            if (is_summed) {
                EXPECT_GE(lost, second[0].events) << said_;
                EXPECT_TRUE(gone == 0 || gone == lost);
                gone = lost;
            } else {  // some of the rows may have told of losses
                EXPECT_EQ(lost, 0U);
                EXPECT_EQ(cells[kLosses], "an unknown number damaged");
            }
            EXPECT_EQ(std::stoull(cells[kEvents]) + gone, offered_);
        }
    }
    const std::string status = fleet("status", {"--format", "csv"});
    EXPECT_NE(said_.find("the stream lacks " + how_many(gone, "event") + " that had been published"), std::string::npos)
        << said_;
    EXPECT_NE(status.find(fmt::format(",{},{}\n", whole.size(), gone)), std::string::npos) << status;
}

TEST_F(DeletedMessages, OfTheBeginningAreHistoryAndOfTheEndALoss) {
    ASSERT_NO_FATAL_FAILURE(publish());
    const std::vector<Stored> all = messages();
    const std::vector<Stored> first = chunk(all, 0);
    ASSERT_NO_FATAL_FAILURE(erase({first[0]}));
    EXPECT_EQ(check("lost some.thing < 1", name("/h1")), 0) << judged_ << said_;
    EXPECT_NE(said_.find(fmt::format("without {} of 'h1' from before", how_many(first[0].events, "event"))),
              std::string::npos)
        << said_;
    std::vector<std::string> cells = channel(name("/h1"));
    EXPECT_EQ(std::stoull(cells[kEvents]) + first[0].events, offered_);
    EXPECT_EQ(cells[kLost], "0");
    fleet("status", {});
    EXPECT_EQ(said_.find("not in the stream"), std::string::npos) << said_;

    const std::uint64_t last = chunk(all, kChunks - 1).front().sequence;
    std::vector<Stored> end;
    std::copy_if(all.begin(), all.end(), std::back_inserter(end), [&](const Stored& one) { return one.sequence >= last; });
    ASSERT_NO_FATAL_FAILURE(erase(end));
    EXPECT_EQ(check("gap some.thing < 1h", name("/h1")), 1);
    EXPECT_NE(judged_.find("cannot tell"), std::string::npos) << judged_ << said_;
    EXPECT_NE(channel(name("/h1"))[8].find("damaged"), std::string::npos);
    fleet("status", {});
    EXPECT_NE(said_.find("the stream lacks events of its end that had been published"), std::string::npos) << said_;
    auto opened = ingest::open_followed(name("/h1"), {});
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    store::Session session;
    ingest::FrameApplier applier(session);
    while (opened->source.step(applier, std::chrono::milliseconds(100))) {
    }
    const store::Lane& lane = *session.lanes().front();
    EXPECT_EQ(lane[lane.size() - 1].kind(), wire::Kind::kGap);

    jsErrCode code = static_cast<jsErrCode>(0);
    ASSERT_EQ(js_PurgeStream(connection_->jetstream(), stream().c_str(), nullptr, &code), NATS_OK) << code;
    EXPECT_EQ(check("lost some.thing < 1", name("/h1")), 3);
    EXPECT_NE(said_.find(fmt::format("all of its {} events", offered_)), std::string::npos) << said_;
}

}  // namespace
}  // namespace sla
