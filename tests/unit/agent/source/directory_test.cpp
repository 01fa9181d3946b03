#include "agent/source/directory.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sla::source
