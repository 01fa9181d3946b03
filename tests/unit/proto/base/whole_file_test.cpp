#include "proto/base/whole_file.h"

#include "tests/support/with_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

namespace sla {
namespace {

class WholeFile : public support::WithDirectory {
protected:
    void write(const std::string& name, const std::string& bytes) { std::ofstream(file(name), std::ios::binary) << bytes; }
};

TEST_F(WholeFile, IsWhatWasWrittenAtAnyLength) {
    for (const std::size_t length : {0, 1, 4095, 4096, 4097, 1'000'000}) {
        std::string bytes(length, '\0');
        for (std::size_t i = 0; i < length; ++i) bytes[i] = static_cast<char>(i * 7);
        write("a", bytes);
        const auto read = read_whole_file(file("a"));
        ASSERT_TRUE(read.ok());
        EXPECT_TRUE(*read == bytes) << length;
    }
}

TEST_F(WholeFile, OfProcAndOfAPipeIsReadToItsEnd) {
    const auto environment = read_whole_file("/proc/self/maps");
    ASSERT_TRUE(environment.ok());
    EXPECT_GT(environment->size(), 1000u);
    EXPECT_EQ(environment->back(), '\n');
    ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
    std::thread writer([this] { write("pipe", std::string(300'000, 'x')); });
    const auto read = read_whole_file(file("pipe"));
    writer.join();
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, std::string(300'000, 'x'));
}

TEST_F(WholeFile, ThatIsTooLongIsRefused) {
    write("a", std::string(1000, 'x'));
    EXPECT_TRUE(read_whole_file(file("a"), 1000).ok());
    const auto read = read_whole_file(file("a"), 999);
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().code, ErrorCode::kDamaged);
    EXPECT_NE(read.error().message.find("longer than 999 bytes"), std::string::npos) << read.error().message;
}

TEST_F(WholeFile, ThatIsNotThereIsNothingOrAnErrorWithItsName) {
    const auto found = read_file_if_there(file("none"));
    ASSERT_TRUE(found.ok());
    EXPECT_FALSE(found->has_value());
    const auto read = read_whole_file(file("none"));
    ASSERT_FALSE(read.ok());
    EXPECT_NE(read.error().message.find(file("none")), std::string::npos);
    EXPECT_NE(read.error().message.find("No such file"), std::string::npos) << read.error().message;
    EXPECT_FALSE(read_file_if_there(file("")).ok()) << "a folder is no file";
}

}  // namespace
}  // namespace sla
