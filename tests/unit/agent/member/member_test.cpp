// A member of a fleet whose server is real.
#include "agent/member/member.h"

#include "proto/fleet/listener.h"
#include "proto/fleet/names.h"
#include "proto/fleet/talk.h"
#include "tests/support/nats_cluster.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <optional>

namespace sla::member {
namespace {

class FleetMember : public ::testing::Test {
protected:
    void SetUp() override {
        if (access("/usr/sbin/nats-server", X_OK) != 0) GTEST_SKIP() << "nats-server is not installed";
        ASSERT_TRUE(cluster_.start()) << cluster_.problem();
        auto connection = fleet::Connection::open(cluster_.connect_options());
        ASSERT_TRUE(connection.ok()) << connection.error().message;
        connection_ = std::move(*connection);
        auto listening = fleet::Listener::open(*connection_, fleet::talk_subject("t", fleet::Talk::kShot, "*"),
                                               [this](const fleet::Received& message) { hear(message); });
        ASSERT_TRUE(listening.ok()) << listening.error().message;
        listening_ = std::move(*listening);
        ASSERT_EQ(natsConnection_Flush(connection_->get()), NATS_OK);
    }
    void hear(const fleet::Received& message) {
        const auto shot = fleet::parse_shot(message.body, "a");
        const std::lock_guard lock(mutex_);
        if (shot) heard_.push_back(shot->number());
    }
    bool hears(std::uint64_t number) {
        return support::eventually(
            [&] {
                const std::lock_guard lock(mutex_);
                return std::find(heard_.begin(), heard_.end(), number) != heard_.end();
            },
            std::chrono::seconds(20));
    }
    static wire::Shot shot(std::uint64_t number) {
        wire::Shot shot;
        shot.set_trigger_name("slow");
        shot.set_number(number);
        shot.set_begin_tick(10);
        shot.set_tick(20);
        shot.set_end_tick(30);
        return shot;
    }

    support::NatsCluster cluster_{1};
    retain::Retention retention_{{}};
    std::mutex mutex_;
    std::vector<std::uint64_t> heard_;  // under mutex_
    std::unique_ptr<fleet::Connection> connection_;
    std::unique_ptr<fleet::Listener> listening_;
};

TEST_F(FleetMember, AShotOfTheLastEventsIsSaidThoughTheThreadHasEnded) {
    Member::Options options;
    options.servers = cluster_.connect_options().servers;
    options.self = {"t", "a", "a", "boot-a"};
    options.capture = "capture";
    Member member(options, 1e9, retention_, {[](auto, auto) {}, [](const std::string&) {}});
    member.start();
    member.on_shot(shot(1));
    ASSERT_TRUE(hears(1));
    member.stop();
    member.on_shot(shot(2));
    member.finish();
    EXPECT_TRUE(hears(2));
}

}  // namespace
}  // namespace sla::member
