#include "agent/stream/access_list.h"

#include "proto/common/tls/private_file.h"
#include "proto/common/tls/secret.h"
#include "tests/support/process.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

namespace sla::stream {
namespace {

using By = AccessEntry::By;

const std::string kFingerprint(64, 'a');

AccessList two() {
    AccessList list;
    EXPECT_TRUE(list.add({Role::kLooker, By::kToken, tls::hash_of("secret"), "ann"}).ok());
    EXPECT_TRUE(list.add({Role::kController, By::kCertificate, kFingerprint, "bob"}).ok());
    return list;
}

std::string complaint(const std::string& text) {
    const auto list = AccessList::parse(text, "access");
    return list ? "" : list.error().message;
}

TEST(AccessList, IsWrittenAndReadAgainAndHoldsNoToken) {
    const support::TempDir directory;
    ASSERT_TRUE(two().write(directory.file("access")).ok());
    const auto list = AccessList::read(directory.file("access"));
    ASSERT_TRUE(list.ok()) << list.error().message;
    EXPECT_EQ(list->entries(), two().entries());
    EXPECT_EQ(list->text().find("secret"), std::string::npos);
    EXPECT_EQ(list->find_token("secret")->name, "ann");
    EXPECT_EQ(list->find_token("Secret"), nullptr);
    EXPECT_EQ(list->find_token(""), nullptr);
    EXPECT_EQ(list->find_token(tls::hash_of("secret")), nullptr) << "the hash itself opens nothing";
    EXPECT_EQ(list->find_certificate(kFingerprint)->role, Role::kController);
    EXPECT_EQ(list->find_certificate(tls::hash_of("secret")), nullptr);
    EXPECT_EQ(list->find_token(kFingerprint), nullptr);
}

TEST(AccessList, ThatIsNotThereIsEmptyAndOneThatOthersCanReadIsNotUsed) {
    const support::TempDir directory;
    EXPECT_TRUE(AccessList::read(directory.file("none"))->entries().empty());
    ASSERT_TRUE(two().write(directory.file("access")).ok());
    chmod(directory.file("access").c_str(), 0644);
    EXPECT_FALSE(AccessList::read(directory.file("access")).ok());
}

TEST(AccessList, SkipsEmptyLinesAndRemarks) {
    const auto list = AccessList::parse("\n  # remark\r\nlook token " + tls::hash_of("x") + "\tann # ours\r\n\n", "access");
    ASSERT_TRUE(list.ok()) << list.error().message;
    EXPECT_EQ(list->find_token("x")->name, "ann");
}

TEST(AccessList, WithALineThatCannotBeReadLetsNobodyIn) {
    const std::string good = "look token " + kFingerprint + " ann\n";
    for (const auto& [line, why] : std::vector<std::pair<std::string, const char*>>{
             {"look token " + kFingerprint, "it is not ROLE"},
             {"look token " + kFingerprint + " bob more", "it is not ROLE"},
             {"own token " + kFingerprint + " bob", "no role: there are look and control"},
             {"look password " + kFingerprint + " bob", "neither token nor certificate"},
             {"look token " + kFingerprint.substr(1) + " bob", "64 hex digits"},
             {"look token " + kFingerprint + " b/b", "no name"},
             {"look token " + kFingerprint + " ann", "there is a 'ann' already"},
             {std::string("\0\xff\x80", 3), "it is not ROLE"}}) {
        EXPECT_NE(complaint(good + line).find("line 2 of access: "), std::string::npos) << complaint(good + line);
        EXPECT_NE(complaint(good + line).find(why), std::string::npos) << complaint(good + line);
    }
    for (std::size_t length = 1; length + 1 < good.size(); length++) {  // a write that stopped half-way
        const auto list = AccessList::parse(good.substr(0, length), "access");
        EXPECT_TRUE(!list || list->entries().front().hash == kFingerprint) << length;
    }
}

TEST(AccessList, TakesOutByNameAndFindsFreeNames) {
    AccessList list = two();
    EXPECT_EQ(list.free_name("look"), "look-1");
    ASSERT_TRUE(list.add({Role::kLooker, By::kToken, tls::hash_of("1"), "look-1"}).ok());
    EXPECT_EQ(list.free_name("look"), "look-2");
    EXPECT_FALSE(list.remove("carol"));
    EXPECT_TRUE(list.remove("ann"));
    EXPECT_EQ(list.find_token("secret"), nullptr);
    EXPECT_FALSE(list.add({Role::kLooker, By::kCertificate, kFingerprint, "carol"}).ok()) << "one certificate, two roles";
}

TEST(AccessList, IsBounded) {
    AccessList list;
    for (std::size_t i = 0; i < AccessList::kMaxEntries; i++) {
        ASSERT_TRUE(list.add({Role::kLooker, By::kToken, kFingerprint, "n" + std::to_string(i)}).ok());
    }
    EXPECT_FALSE(list.add({Role::kLooker, By::kToken, kFingerprint, "more"}).ok());
}

}  // namespace
}  // namespace sla::stream
