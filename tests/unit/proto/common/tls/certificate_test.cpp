#include "proto/common/tls/certificate.h"

#include "tests/support/process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace sla::tls {
namespace {

TEST(Certificate, IsWhatOpensslMakesOfIt) {
    if (!std::filesystem::exists("/usr/bin/openssl")) GTEST_SKIP() << "there is no openssl";
    const auto made = make_certificate({"lab-3.example", "127.0.0.1", "::1"}, 10);
    ASSERT_TRUE(made.ok()) << made.error().message;
    const support::TempDir directory;
    std::ofstream(directory.file("cert")) << made->certificate;
    std::ofstream(directory.file("key")) << made->key;
    support::Process look({"/usr/bin/openssl", "x509", "-in", directory.file("cert"), "-noout", "-text", "-fingerprint",
                           "-sha256", "-checkend", "283824000"});  // nine years
    ASSERT_EQ(look.wait().code, 0) << look.output();
    const std::string text = look.output();
    EXPECT_NE(text.find("Subject: CN = lab-3.example"), std::string::npos) << text;
    EXPECT_NE(text.find("DNS:lab-3.example, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1"), std::string::npos) << text;
    EXPECT_NE(text.find("CA:FALSE"), std::string::npos) << text;
    EXPECT_NE(text.find("ASN1 OID: prime256v1"), std::string::npos) << text;
    std::string said = text.substr(text.find("sha256 Fingerprint=") + 19, 95);
    std::erase(said, ':');
    std::transform(said.begin(), said.end(), said.begin(), [](unsigned char c) { return std::tolower(c); });
    EXPECT_EQ(said, made->fingerprint);
    EXPECT_EQ(*fingerprint_of(made->certificate, "it"), made->fingerprint);
    support::Process verify({"/usr/bin/openssl", "verify", "-CAfile", directory.file("cert"), "-verify_hostname",
                             "lab-3.example", directory.file("cert")});
    EXPECT_EQ(verify.wait().code, 0) << verify.errors();
    support::Process check({"/usr/bin/openssl", "pkey", "-in", directory.file("key"), "-check", "-noout"});
    EXPECT_EQ(check.wait().code, 0) << check.errors();
}

TEST(Certificate, IsAnotherEachTime) {
    EXPECT_NE(make_certificate({"a"}, 1)->fingerprint, make_certificate({"a"}, 1)->fingerprint);
}

TEST(Certificate, IsForHostNamesAndAddressesOnly) {
    EXPECT_EQ(make_certificate({}, 1).error().code, ErrorCode::kInvalidInput);
    for (const char* name : {"", "a b", "a,DNS:evil", "a\nb", "a/b", "a:b"}) {
        const auto made = make_certificate({"good", name}, 1);
        ASSERT_FALSE(made.ok()) << name;
        EXPECT_EQ(made.error().code, ErrorCode::kInvalidInput);
    }
    EXPECT_FALSE(make_certificate({std::string(254, 'a')}, 1).ok());
    EXPECT_TRUE(make_certificate({std::string(100, 'a')}, 1).ok()) << "longer than a subject may be";
}

TEST(Certificate, IsForThisMachineByAllItsNames) {
    const std::vector<std::string> names = own_names();
    for (const char* own : {"localhost", "127.0.0.1", "::1"}) {
        EXPECT_EQ(std::count(names.begin(), names.end(), own), 1) << own;
    }
    EXPECT_TRUE(make_certificate(names, 10).ok());
}

TEST(Fingerprint, OfWhatIsNoCertificateIsAnError) {
    const std::string pem = make_certificate({"a"}, 1)->certificate;
    for (const std::string& text : {std::string(), std::string("garbage"), pem.substr(0, pem.size() / 2),
                                    std::string("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")}) {
        const auto read = fingerprint_of(text, "it");
        ASSERT_FALSE(read.ok());
        EXPECT_EQ(read.error().message, "it holds no certificate in PEM");
    }
}

}  // namespace
}  // namespace sla::tls
