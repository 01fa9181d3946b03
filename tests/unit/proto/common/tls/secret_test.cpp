#include "proto/common/tls/secret.h"

#include <gtest/gtest.h>

namespace sla::tls {
namespace {

TEST(Token, IsSixtyFourDigitsByChance) {
    const std::string token = make_token();
    EXPECT_TRUE(token.starts_with("sla-")) << token;
    EXPECT_EQ(token.find_first_not_of("0123456789abcdef", 4), std::string::npos) << token;
    EXPECT_EQ(token.size(), 4U + 64U);
    EXPECT_NE(token, make_token());
}

TEST(Token, IsKeptAsItsSha256) {
    EXPECT_EQ(hash_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");  // FIPS 180-2, B.1
    EXPECT_EQ(hash_of("").size(), 64U);
}

TEST(Token, IsComparedToTheLastByte) {
    EXPECT_TRUE(is_same_secret("abc", "abc"));
    EXPECT_FALSE(is_same_secret("abc", "abd"));
    EXPECT_FALSE(is_same_secret("abc", "ab"));
    EXPECT_TRUE(is_same_secret("", ""));
}

}  // namespace
}  // namespace sla::tls
