// The snapshot's file: what comes back from it, and what is refused.
#include "emu/snapshot/snapshot_file.h"
#include "emu/snapshot/state_text.h"
#include "emu/snapshot/subject.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

namespace sla::snapshot {
namespace {

using testing::HasSubstr;

struct Chip {
    std::uint8_t mode = 0;
    bool on = false;
    std::int64_t due = 0;
    std::optional<std::uint32_t> latched;
    std::vector<std::uint8_t> fifo;
    std::vector<std::uint8_t> ram = std::vector<std::uint8_t>(64);

    void visit_state(bus::StateVisitor& state) {
        state.section("chip");
        state.part("counter0", [&] { state.field("mode", mode, 5); });
        state.field("on", on);
        state.field("due", due);
        state.field("latched", latched);
        state.list("fifo", fifo, 16);
        state.show("twice", static_cast<std::uint16_t>(2U * mode));
        state.memory("ram", ram);
    }
    [[nodiscard]] Visit visit() {
        return [this](bus::StateVisitor& state) { visit_state(state); };
    }
    friend bool operator==(const Chip&, const Chip&) = default;
};

Chip some_chip() {
    Chip chip{3, true, -7, 0x1234, {1, 2, 3}, {}};
    chip.ram.assign(64, 0x5A);
    return chip;
}

std::vector<std::uint8_t> packed(Chip& chip) {
    auto bytes = pack({{"CPU", "x86emu"}, {"memory", "16 MB"}}, chip.visit());
    EXPECT_TRUE(bytes.ok());
    return *bytes;
}

std::string message_of(const std::vector<std::uint8_t>& bytes) {
    const auto parsed = SnapshotFile::parse(bytes);
    return parsed ? "" : parsed.error().message;
}

TEST(SnapshotFile, WhatWasSavedComesBack) {
    Chip saved = some_chip();
    Chip loaded;
    const auto file = SnapshotFile::parse(packed(saved));
    ASSERT_TRUE(file.ok()) << file.error().message;
    const auto done = file->load(loaded.visit());
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(loaded, saved);
}

TEST(SnapshotFile, OneThatIsCutOffAnywhereIsRefused) {
    Chip chip = some_chip();
    const auto whole = packed(chip);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        EXPECT_NE(message_of({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}), "") << size;
    }
    auto longer = whole;
    longer.push_back(0);
    EXPECT_THAT(message_of(longer), HasSubstr("something follows its end"));
}

TEST(SnapshotFile, OneWithAChangedByteIsRefused) {
    Chip chip = some_chip();
    const auto whole = packed(chip);
    for (std::size_t at = 0; at < whole.size(); ++at) {
        auto changed = whole;
        changed[at] ^= 0x10;
        EXPECT_NE(message_of(changed), "") << at;
    }
    EXPECT_THAT(message_of({'#', '!', '/', 'b', 'i', 'n', '/', 's', 'h', '\n', 0, 0, 0, 0, 0, 0}),
                HasSubstr("is no snapshot of an emulated PC"));
    auto later = whole;
    later[8] = 9;
    EXPECT_THAT(message_of(later), HasSubstr("is of version 9"));
}

TEST(SnapshotFile, AnotherPcIsRefusedInWords) {
    Chip chip = some_chip();
    const auto file = SnapshotFile::parse(packed(chip));
    ASSERT_TRUE(file.ok());
    EXPECT_TRUE(file->fits({{"CPU", "x86emu"}, {"memory", "16 MB"}}).ok());
    const auto other = file->fits({{"CPU", "x86emu"}, {"memory", "32 MB"}});
    ASSERT_FALSE(other.ok());
    EXPECT_THAT(other.error().message, HasSubstr("its memory is 16 MB, here it is 32 MB"));
    EXPECT_FALSE(file->fits({{"disk0", "none"}}).ok());
}

// A few bytes of it would become gigabytes of names and values.
TEST(SnapshotFile, ADescriptionThatNoPcHasIsRefused) {
    Chip chip = some_chip();
    const auto bytes = pack({{"CPU", std::string(std::size_t{1} << 20, '\n')}}, chip.visit());
    ASSERT_TRUE(bytes.ok());
    ASSERT_LT(bytes->size(), 10'000U);
    EXPECT_THAT(message_of(*bytes), HasSubstr("it claims more state than a PC has"));
}

// A second one behind 256 MB of fields would let the next part claim any size.
TEST(SnapshotFile, ADescriptionStandsOnceAtTheBeginning) {
    Chip chip = some_chip();
    auto bytes = packed(chip);
    constexpr std::size_t kEntries = 12;
    constexpr std::size_t kHead = 16;
    const std::size_t size_at = kHead + 2 + bytes[kHead + 1] + 8;
    const std::size_t end = size_at + 16 + bytes[size_at];
    const std::vector<std::uint8_t> description(bytes.begin() + kHead, bytes.begin() + static_cast<std::ptrdiff_t>(end));
    bytes.insert(bytes.end(), description.begin(), description.end());
    bytes[kEntries]++;
    EXPECT_THAT(message_of(bytes), HasSubstr("does not stand once, at its beginning"));
}

TEST(SnapshotFile, AFieldOutOfItsBoundsIsRefusedByName) {
    Chip chip = some_chip();
    chip.mode = 6;  // a mode that no counter has
    const auto file = SnapshotFile::parse(packed(chip));
    ASSERT_TRUE(file.ok());
    Chip loaded;
    const auto done = file->load(loaded.visit());
    ASSERT_FALSE(done.ok());
    EXPECT_THAT(done.error().message, HasSubstr("chip counter0.mode is out of its bounds"));
    EXPECT_EQ(loaded.mode, 0);
}

TEST(SnapshotFile, AStateWithOtherFieldsIsRefused) {
    Chip chip = some_chip();
    const auto file = SnapshotFile::parse(packed(chip));
    ASSERT_TRUE(file.ok());
    std::uint8_t number = 0;
    const auto other = file->load([&](bus::StateVisitor& state) {
        state.section("chip");
        state.field("colour", number);
    });
    ASSERT_FALSE(other.ok());
    EXPECT_THAT(other.error().message, HasSubstr("chip colour is missing"));
    const auto absent = file->load([](bus::StateVisitor& state) { state.section("pit"); });
    ASSERT_FALSE(absent.ok());
    EXPECT_TRUE(file->load([](bus::StateVisitor& state) { EXPECT_FALSE(state.optional_section("pit")); }).ok());
}

// As on a disk that becomes full.
class ShortFiles {
public:
    explicit ShortFiles(std::uint64_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit less{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &less);
    }
    ~ShortFiles() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    ShortFiles(const ShortFiles&) = delete;
    ShortFiles& operator=(const ShortFiles&) = delete;

private:
    rlimit before_{};
    void (*handler_)(int) = SIG_DFL;
};

class SubjectFiles : public testing::Test {
protected:
    void SetUp() override {
        char name[] = "/tmp/sla-snapshot-XXXXXX";
        ASSERT_NE(::mkdtemp(name), nullptr);
        directory_ = name;
    }
    void TearDown() override { std::filesystem::remove_all(directory_); }
    [[nodiscard]] std::string file(const std::string& name) const { return directory_ + "/" + name; }

    std::string directory_;
};

TEST_F(SubjectFiles, WhatDoesNotFitLeavesEverythingAsItWas) {
    Chip chip = some_chip();
    Subject subject;
    subject.describe("CPU", "x86emu");
    subject.add(chip.visit());
    chip.mode = 6;
    ASSERT_TRUE(subject.save(file("wrong")).ok());
    chip = some_chip();
    chip.ram.assign(64, 0x77);
    const Chip before = chip;
    const auto loaded = subject.load(file("wrong"));
    ASSERT_FALSE(loaded.ok());
    EXPECT_EQ(chip, before);
    EXPECT_FALSE(subject.load(file("absent")).ok());
    EXPECT_FALSE(subject.load(directory_).ok());
    ASSERT_EQ(::mkfifo(file("pipe").c_str(), 0600), 0);
    EXPECT_FALSE(subject.load(file("pipe")).ok()) << "and nobody waits for who never writes";
    EXPECT_EQ(chip, before);
}

TEST_F(SubjectFiles, WhatOlderOnesDoNotSayIsNotComparedAndSaid) {
    Chip chip = some_chip();
    Subject older;
    older.add(chip.visit());
    ASSERT_TRUE(older.save(file("older")).ok());
    const auto with_kernel = [&](const std::string& kernel) {
        Subject subject;
        subject.add(chip.visit());
        subject.describe_newer("kernel", kernel);
        subject.describe_newer("program", Subject::kNone);
        return subject;
    };
    const auto loaded = with_kernel("1 bytes, 1").load(file("older"));
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_THAT(*loaded, HasSubstr("does not say its kernel: whether"));
    const auto without = with_kernel(Subject::kNone).load(file("older"));
    ASSERT_TRUE(without.ok());
    EXPECT_EQ(*without, "") << "there is nothing to compare";

    ASSERT_TRUE(with_kernel("1 bytes, 1").save(file("newer")).ok());
    const auto same = with_kernel("1 bytes, 1").load(file("newer"));
    ASSERT_TRUE(same.ok());
    EXPECT_EQ(*same, "");
    for (const char* other : {"1 bytes, 2", Subject::kNone}) {
        const auto refused = with_kernel(other).load(file("newer"));
        ASSERT_FALSE(refused.ok()) << other;
        EXPECT_THAT(refused.error().message, HasSubstr("its kernel is 1 bytes, 1, here it is "));
    }
}

TEST_F(SubjectFiles, AFileThatCannotBeWrittenLeavesTheOldOne) {
    Chip chip = some_chip();
    Subject subject;
    subject.add(chip.visit());
    ASSERT_TRUE(subject.save(file("kept")).ok());
    const auto size = std::filesystem::file_size(file("kept"));
    const auto saved = [&] {
        const ShortFiles no_space(size / 2);
        return subject.save(file("kept"));
    }();
    ASSERT_FALSE(saved.ok());
    EXPECT_THAT(saved.error().message, HasSubstr("cannot write "));
    EXPECT_EQ(std::filesystem::file_size(file("kept")), size);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_), {}), 1) << "of the new one nothing stays";
    subject.cannot("the disk is written to");
    EXPECT_EQ(subject.save(file("other")).error().message, "the disk is written to");
    EXPECT_FALSE(std::filesystem::exists(file("other")));
}

// As for every file that is kept for a person.
TEST_F(SubjectFiles, ALinkStaysOne) {
    Chip chip = some_chip();
    Subject subject;
    subject.add(chip.visit());
    ASSERT_TRUE(subject.save(file("elsewhere")).ok());
    std::filesystem::resize_file(file("elsewhere"), 1);
    std::filesystem::create_symlink(file("elsewhere"), file("kept"));
    ASSERT_TRUE(subject.save(file("kept")).ok());
    EXPECT_TRUE(std::filesystem::is_symlink(file("kept")));
    EXPECT_GT(std::filesystem::file_size(file("elsewhere")), 1U);
}

TEST(StateText, ShowsFieldsByNameAndWhatFollowsFromThem) {
    Chip chip = some_chip();
    StateText all;
    chip.visit_state(all);
    EXPECT_EQ(all.text(),
              "[chip]\ncounter0.mode 03\non 1\ndue -7\nlatched.present 1\nlatched 00001234\n"
              "fifo.bytes 0000000000000003\nfifo 01 02 03\ntwice 0006\n");
    StateText others({"pit"});
    chip.visit_state(others);
    EXPECT_EQ(others.text(), "");
    EXPECT_EQ(others.sections(), std::vector<std::string>{"chip"});
}

}  // namespace
}  // namespace sla::snapshot
