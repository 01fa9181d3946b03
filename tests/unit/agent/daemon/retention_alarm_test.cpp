#include "agent/daemon/health/retention_alarm.h"

#include "agent/daemon/pipeline/channel_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace sla::daemon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t kRowBytes = 1000;

class RetentionAlarmTest : public testing::Test {
protected:
    void rule(const std::string& channel, std::int64_t keep_s, std::uint64_t bytes) {
        wire::SetChannels rule;
        rule.add_channels(channel);
        rule.set_keep_ns(keep_s * 1'000'000'000);
        if (bytes > 0) rule.set_keep_bytes(bytes);
        ASSERT_EQ(policy_.set(rule), "");
    }
    // One with more in it than one channel's memory holds, all of this moment.
    void fill_channel(const std::string& name) {
        OpenChannel& channel = *channels_.emplace_back(std::make_unique<OpenChannel>());
        channel.id = ChannelId{static_cast<std::uint32_t>(channels_.size())};
        channel.name = name;
        retention_.announce_channel(channel.id, name, "");
        channel.settings = policy_.apply(channel.id, name);
        for (std::uint64_t i = 0; i < 100; i++)
            retention_.append({channel.id, i, kNow, kNow, 1, 1}, std::string(kRowBytes, 'x'));
    }
    std::vector<std::string> look() {
        std::vector<OpenChannel*> all;
        for (const auto& channel : channels_) all.push_back(channel.get());
        return RetentionAlarm::look(all, retention_, policy_, kNow + 1);
    }

    static constexpr std::uint64_t kNow = 1'000'000;
    retain::Retention retention_{{.channel_bytes = 20 * kRowBytes}};
    ClockWatch clock_;
    ChannelPolicy policy_{retention_, clock_};
    std::vector<std::unique_ptr<OpenChannel>> channels_;
};

TEST_F(RetentionAlarmTest, NamesTheTimeOfEachAndWhatHelpsIt) {
    rule("ruled*", 60, 20 * kRowBytes);
    rule("brief", 5, 20 * kRowBytes);
    rule("plain", 60, 0);
    for (const char* name : {"ruled-1", "ruled-2", "brief", "plain", "any"}) fill_channel(name);
    const std::string by_rule =
        "the memory that a rule gives each is full; give more by `bytes` in --channel, or with sla set --bytes, or keep "
        "less";
    EXPECT_THAT(look(), ElementsAre("brief cannot be kept for 5 s: " + by_rule,
                                    "plain cannot be kept for 60 s: the memory of one channel is full; give more with "
                                    "--channel-memory, or keep less",
                                    "ruled-1, ruled-2 cannot be kept for 60 s: " + by_rule));
    EXPECT_THAT(look(), IsEmpty()) << "said once";
}

}  // namespace
}  // namespace sla::daemon
