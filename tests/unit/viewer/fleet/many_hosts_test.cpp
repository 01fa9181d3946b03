// What is asked of a stream for many hosts goes to it together: one after the other each question waits for its way.
#include "tests/unit/viewer/fleet/fake_stream.h"
#include "viewer/fleet/fleet_catalog.h"
#include "viewer/ingest/follow/fleet_following.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace sla::fleet {
namespace {

// Counts how many rows of questions come together.
class CountingStream final : public MessageStore {
public:
    [[nodiscard]] Result<StoredMessage> get(std::uint64_t sequence, std::chrono::milliseconds timeout) const override {
        return stream_.get(sequence, timeout);
    }
    [[nodiscard]] Result<StoredMessage> next(const std::string& subject, std::uint64_t from) const override {
        return stream_.next(subject, from);
    }
    [[nodiscard]] Result<std::uint64_t> newest(const std::string& subject) const override { return stream_.newest(subject); }
    [[nodiscard]] Result<StreamState> state() const override { return stream_.state(); }
    [[nodiscard]] bool ask_each(const std::vector<MessageQuestion>& first, const More& more,
                                std::chrono::milliseconds timeout, const std::function<bool()>& goes_on) const override {
        together_.push_back(first.size());
        return MessageStore::ask_each(first, more, timeout, goes_on);
    }
    [[nodiscard]] const std::vector<std::size_t>& together() const { return together_; }

private:
    FakeStream stream_;
    mutable std::vector<std::size_t> together_;
};

CaptureName name_of(int host) {
    return {"lab", 0, "web-" + std::to_string(host), "20261129T100000-0001"};
}

TEST(ManyHosts, AreOpenedTogether) {
    const CountingStream stream;
    std::vector<CaptureName> names;
    for (int host = 0; host < 100; ++host) names.push_back(name_of(host));
    const auto state = std::make_shared<const StreamState>();
    EXPECT_EQ(FleetCatalog::read(stream, names, state).size(), 100u);
    EXPECT_EQ(stream.together(), std::vector<std::size_t>{100});
    for (const auto& catalog : FleetCatalog::read(stream, names, state, [] { return false; })) EXPECT_FALSE(catalog.ok());
}

TEST(ManyHosts, AreFollowedTogether) {
    const auto stream = std::make_shared<CountingStream>();
    ingest::FollowOptions options;
    for (int host = 0; host < 100; ++host) options.hosts.push_back({{}, stream, name_of(host), {}, 0});
    const auto now = ingest::FleetFollowing::Time();
    ingest::FleetFollowing following(std::move(options), now);
    EXPECT_FALSE(following.step(now, [](const ingest::FrameItem&) {}));
    EXPECT_EQ(stream->together(), std::vector<std::size_t>{100});
}

}  // namespace
}  // namespace sla::fleet
