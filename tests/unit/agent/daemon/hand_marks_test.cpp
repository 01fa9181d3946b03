#include "agent/daemon/pipeline/hand_marks.h"

#include "tests/unit/agent/daemon/pipeline_fixture.h"

#include <gmock/gmock.h>

#include <set>
#include <string>

namespace sla::daemon {
namespace {

using testing::Contains;
using testing::UnorderedElementsAre;

class HandMarksTest : public PipelineTest {
protected:
    void mark(const std::string& channel, const std::string& source = "") {
        wire::Mark mark;
        mark.set_channel(channel);
        mark.set_source(source);
        pipeline_.mark(mark);
    }
    std::set<std::string> channels() {
        pipeline_.finish("test");
        read();
        std::set<std::string> names;
        for (const auto& [id, name] : received_.channels) names.insert(name);
        return names;
    }
};

TEST_F(HandMarksTest, NamesThatClientsGiveAreMadeFitToBeShown) {
    mark("evil\n\x1b[31mred", "src\n\x1b[31m");
    mark(
        "a\xc2\x9b"
        "b");
    EXPECT_THAT(channels(), UnorderedElementsAre("evil??[31mred", "a??b"));
    EXPECT_THAT(received_.sources, Contains("src??[31m"));
}

TEST_F(HandMarksTest, AMarkWithoutANameIsOnAChannelThatHasOne) {
    mark("");
    EXPECT_THAT(channels(), UnorderedElementsAre("unnamed"));
}

TEST_F(HandMarksTest, ASourcesNameIsCutBetweenCharacters) {
    const std::string fits(HandMarks::kMaxNameBytes - 1, 'x');
    mark("c", fits + "\xc3\xa4");
    (void)channels();
    EXPECT_THAT(received_.sources, Contains(fits));
}

}  // namespace
}  // namespace sla::daemon
