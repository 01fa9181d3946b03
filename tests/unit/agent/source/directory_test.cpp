#include "agent/source/directory.h"

#include <gtest/gtest.h>

#include <set>

namespace sla::source {
namespace {

TEST(Directory, ProgramsOfTwoContainersWithTheSamePidAndStartKeepApart) {
    Directory directory;
    const Known<SourceId> agent = directory.source(0, 0);
    const Known<SourceId> first = directory.source(4711, 100);
    const Known<SourceId> second = directory.source(4712, 100);
    EXPECT_TRUE(first.is_new && second.is_new);
    EXPECT_NE(first.id, second.id);
    EXPECT_NE(first.id, agent.id);
}

TEST(Directory, ASegmentHandedOverAgainIsTheSameSource) {
    Directory directory;
    const SourceId first = directory.source(4711, 100).id;
    EXPECT_EQ(directory.source(4711, 100).id, first);
    EXPECT_FALSE(directory.source(4711, 100).is_new);
    EXPECT_NE(directory.source(4711, 200).id, first) << "an inode's number comes back after a long time";
}

TEST(Directory, AForgottenSourceAndItsNamesAreOthersWhenTheyComeAgain) {
    Directory directory;
    const SourceId first = directory.source(4711, 100).id;
    const SourceId second = directory.source(4712, 100).id;
    const ChannelId channel = directory.channel(first, "a").id;
    const ThreadId thread = directory.thread(first, 7, "main").id;
    const ChannelId other = directory.channel(second, "a").id;
    directory.forget(first);
    EXPECT_EQ(directory.source_count() + directory.channel_count() + directory.thread_count(), 2u);
    EXPECT_EQ(directory.channel(second, "a").id, other);
    const Known<SourceId> again = directory.source(4711, 100);
    EXPECT_TRUE(again.is_new);
    EXPECT_NE(again.id, first);
    EXPECT_NE(directory.channel(again.id, "a").id, channel);
    EXPECT_NE(directory.thread(again.id, 7, "main").id, thread);
}

TEST(Directory, AfterFourThousandMillionIdsThoseThatNobodyHasAreGivenAgain) {
    Directory directory(~std::uint32_t{0} - 2);
    const SourceId source = directory.source(1, 1).id;
    std::set<ChannelId> given;
    for (const char* name : {"a", "b", "c", "d"}) {
        const ChannelId id = directory.channel(source, name).id;
        EXPECT_NE(id.value, 0u);
        EXPECT_TRUE(given.insert(id).second) << name;
    }
    EXPECT_EQ(given.begin()->value, 1u);
}

}  // namespace
}  // namespace sla::source
