#include "viewer/workspace/source/told_notes.h"

#include "viewer/store/session.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace sla::workspace {
namespace {

void add(store::Session& session, const std::string& text) {
    session.add_note({0, text, true});
}

std::vector<std::string> texts(const std::vector<store::Note>& notes) {
    std::vector<std::string> out;
    for (const store::Note& note : notes) out.push_back(note.text);
    return out;
}

TEST(ToldNotes, AreToldOnceAndInTheirOrder) {
    store::Session session;
    ToldNotes told;
    EXPECT_TRUE(told.take_new(session.notes()).empty());
    add(session, "a");
    add(session, "b");
    EXPECT_EQ(texts(told.take_new(session.notes())), (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(told.take_new(session.notes()).empty());
    add(session, "a");
    EXPECT_EQ(texts(told.take_new(session.notes())), std::vector<std::string>{"a"}) << "it happened again";
}

TEST(ToldNotes, AreNotToldAgainWhenTheOldestOfManyGo) {
    store::Session session;
    ToldNotes told;
    std::size_t count = 0;
    for (; count < store::Session::kMaxNotes; ++count) add(session, std::to_string(count));
    EXPECT_EQ(told.take_new(session.notes()).size(), count);
    for (; count < 3 * store::Session::kMaxNotes; ++count) {
        add(session, std::to_string(count));
        ASSERT_EQ(texts(told.take_new(session.notes())), std::vector<std::string>{std::to_string(count)});
    }
}

TEST(ToldNotes, OfManyThatComeAtOnceNoneIsLeftOut) {
    store::Session session;
    ToldNotes told;
    for (std::size_t i = 0; i < 950; ++i) add(session, std::to_string(i));
    EXPECT_EQ(told.take_new(session.notes()).size(), 950u);
    for (std::size_t i = 950; i < 1200; ++i) add(session, std::to_string(i));
    EXPECT_EQ(told.take_new(session.notes()).size(), 250u);
}

TEST(ToldNotes, OfALongerSessionAreThoseThatTheOtherDidNotHave) {
    store::Session shorter;
    store::Session longer;
    ToldNotes told;
    add(shorter, "damaged at 7 s");
    EXPECT_EQ(told.take_new(shorter.notes()).size(), 1u);
    for (const char* text : {"damaged at 1 s", "damaged at 7 s", "damaged at 9 s"}) add(longer, text);
    EXPECT_EQ(texts(told.take_new(longer.notes())), (std::vector<std::string>{"damaged at 1 s", "damaged at 9 s"}));
    EXPECT_TRUE(told.take_new(longer.notes()).empty());
}

}  // namespace
}  // namespace sla::workspace
