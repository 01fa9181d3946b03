// The trigger editor: drafts of what the agent was set to, doubts, errors that point at their place, files of levels.
#include "proto/wire/control.pb.h"
#include "tests/unit/viewer/ui/panels_fixture.h"
#include "viewer/workspace/trigger_draft.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>

namespace sla::ui {
namespace {

using testing::HasSubstr;

TEST(TriggerDraft, IsAsTheAgentWasSet) {
    wire::SetTrigger asked;
    asked.set_name("slow");
    asked.set_levels("level a\n  if net.rx > 3 trigger\n");
    asked.set_window_ns(1'500'000);
    asked.set_pre_share(0.25);
    asked.set_shots(3);
    asked.set_keep_shots(2);
    asked.set_hold_off_ns(7'000);
    asked.add_actions("notify");
    asked.add_actions("run=logger \"a; b\"");
    const TriggerDraft draft = TriggerDraft::of(asked);
    EXPECT_EQ(draft.name, "slow");
    EXPECT_TRUE(draft.is_sequencer());
    EXPECT_EQ(draft.text, asked.levels());
    EXPECT_EQ(draft.window, "1500us");
    EXPECT_DOUBLE_EQ(draft.pre_percent, 25);
    EXPECT_EQ(draft.shots, 3u);
    EXPECT_EQ(draft.keep, 2u);
    EXPECT_EQ(draft.hold_off, "7us");
    EXPECT_EQ(draft.actions, "notify; run=logger \"a; b\"");
    EXPECT_TRUE(draft.check().ok());
}

TEST(TriggerDraft, TakesATimeBeforeAndOneAfterAsAWindow) {
    wire::SetTrigger asked;
    asked.set_expression("net.rx > 3");
    asked.set_pre_ns(3'000'000);
    asked.set_post_ns(1'000'000);
    const TriggerDraft draft = TriggerDraft::of(asked);
    EXPECT_EQ(draft.window, "4ms");
    EXPECT_DOUBLE_EQ(draft.pre_percent, 75);
}

TEST(TriggerDraft, SurvivesWhatNoAgentWouldSay) {
    EXPECT_TRUE(TriggerDraft::of(wire::SetTrigger()).is_empty());
    wire::SetTrigger asked;
    asked.set_pre_ns(std::numeric_limits<std::int64_t>::max());
    asked.set_post_ns(std::numeric_limits<std::int64_t>::max());
    asked.set_hold_off_ns(std::numeric_limits<std::int64_t>::min());
    const TriggerDraft draft = TriggerDraft::of(asked);
    EXPECT_DOUBLE_EQ(draft.pre_percent, 50);
    EXPECT_EQ(draft.hold_off, "0s");
}

TEST(TriggerDraft, AnErrorIsPointedAtInWhateverSpaceThereIs) {
    TriggerDraft draft;
    draft.text = "net.received.frames > 1500 then gap net.received.frames > oops";
    const auto checked = draft.check();
    ASSERT_FALSE(checked.ok());
    for (const std::size_t width : {10U, 24U, 40U, 200U}) {
        const std::string part = pointed_part(checked.error().message, width);
        const std::size_t end = part.find('\n');
        ASSERT_NE(end, std::string::npos) << width;
        const std::string line = part.substr(0, end);
        const std::size_t mark = part.size() - end - 2;
        EXPECT_LE(line.size(), width);
        ASSERT_LT(mark, line.size()) << width << "\n" << part;
        EXPECT_EQ(line.substr(mark, 2), "oo") << part;
    }
    EXPECT_EQ(pointed_part("the text is longer than 32768 bytes", 40), "");
    draft.text = "\xC3\xBC\xC3\xBC > ?";
    const std::string part = pointed_part(draft.check().error().message, 40);
    EXPECT_EQ(part.substr(part.find('\n') + 1), "     ^") << part;
}

class TriggerEditor : public Panels {
protected:
    void SetUp() override {
        folder_ = std::filesystem::path(testing::TempDir()) / ("sla-editor-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    TriggerPanel& panel() { return app().panels().inspector.trigger(); }
    std::filesystem::path folder_;
};

TEST_F(TriggerEditor, DoubtsWhatNobodyHas) {
    open_bench(1280, 900);
    ctrl('T');
    frames(3);
    type("pipe.quue > 3");
    keep("trigger-doubt");
    ASSERT_EQ(panel().doubts().size(), 1u);
    EXPECT_THAT(panel().doubts()[0], HasSubstr("pipe.quue"));
    type(" then pipe.queue > 4");
    ASSERT_EQ(panel().doubts().size(), 1u);
    key(kKeyEscape);
    panel().draft().text = "pipe.queue > 3";
    frames(2);
    EXPECT_TRUE(panel().doubts().empty());
}

TEST_F(TriggerEditor, LoadsAndSavesLevelsAndWritesOverNoOtherFile) {
    open_bench(1280, 900);
    ctrl('T');
    frames(2);
    const std::string text = "level a\n  if pipe.queue > 3 trigger\n";
    const std::string path = (folder_ / "slow.trigger").string();
    std::ofstream(path) << text;
    panel().load(path);
    EXPECT_EQ(panel().file_problem(), "");
    EXPECT_EQ(panel().draft().text, text);
    panel().draft().text += "# more\n";
    panel().save(path);
    EXPECT_EQ(panel().file_problem(), "");
    const std::string other = (folder_ / "other.trigger").string();
    std::ofstream(other) << "mine";
    panel().save(other);
    EXPECT_THAT(panel().file_problem(), HasSubstr("is there already"));
    EXPECT_EQ(std::filesystem::file_size(other), 4u);
    EXPECT_EQ(std::filesystem::file_size(path), text.size() + 7);
    panel().load((folder_ / "none").string());
    EXPECT_THAT(panel().file_problem(), HasSubstr("none"));
    panel().save((folder_ / "no" / "folder").string());
    EXPECT_THAT(panel().file_problem(), HasSubstr("cannot write"));
}

}  // namespace
}  // namespace sla::ui
