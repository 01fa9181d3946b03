// Copies say what was wrong with what they were made of.
#include "viewer/capture_tools/capture_copy.h"

#include "proto/capture/file_format.h"
#include "tests/support/capture_builder.h"
#include "tests/support/damaged_chunk.h"
#include "tests/support/with_directory.h"
#include "viewer/ingest/open.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>

namespace sla::capture_tools {
namespace {

class Copies : public support::WithDirectory {
protected:
    void write() const {
        support::CaptureBuilder capture;
        support::add_mixed(capture, 3, 1000);
        capture.write(file("all.sla"));
    }
    // The copy's notes, and whether one of them is of damage.
    [[nodiscard]] std::pair<std::string, bool> copied() const {
        const auto store = capture::CaptureStore::open(file("all.sla"));
        EXPECT_TRUE(store.ok());
        EXPECT_TRUE(copy_capture(**store, file("copy.sla"), {}).ok());
        store::Session session;
        EXPECT_TRUE(ingest::load(file("copy.sla"), session).ok());
        std::string notes;
        for (const store::Note& note : session.notes()) notes += note.text + "\n";
        return {notes, session.damage_count() > 0};
    }
};

TEST_F(Copies, AreDamagedByWhatTookEvents) {
    write();
    ASSERT_NO_FATAL_FAILURE(support::damage_chunk(file("all.sla"), 0));
    const auto [notes, is_damaged] = copied();
    EXPECT_NE(notes.find("checksum"), std::string::npos) << notes;
    EXPECT_TRUE(is_damaged);
}

// Else no limit could be told of the copy, of which every event is there.
TEST_F(Copies, AreNotDamagedByWhatTookNoEvent) {
    write();
    {
        std::fstream bytes(file("all.sla"), std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp(capture::kFileHeaderBytes - 1);
        bytes.put('\x55');
    }
    const auto [notes, is_damaged] = copied();
    EXPECT_NE(notes.find("the file's header is damaged"), std::string::npos) << notes;
    EXPECT_FALSE(is_damaged) << notes;
}

}  // namespace
}  // namespace sla::capture_tools
