#include "proto/fleet/plain_words.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace sla::fleet {
namespace {

TEST(PlainWords, LackThePlaceInLibnatsSource) {
    EXPECT_EQ(plain_words("(conn.c:2088): No server available for connection"), "No server available for connection");
    EXPECT_EQ(plain_words("(opts.c:380): Error loading trusted certificates 'no.pem': (null)"),
              "Error loading trusted certificates 'no.pem'");
    for (const char* as_it_is : {"", "Timeout", "(not a place): x", "(a.c:x): x", "(a.c:12", "a (b.c:1): x"})
        EXPECT_EQ(plain_words(as_it_is), as_it_is);
}

TEST(PlainWords, OfTlsSayWhatToDo) {
    const std::vector<std::pair<const char*, const char*>> cases = {
        {"SSL handshake error: 20:unable to get local issuer certificate:depth=0:cert=/CN=good:issuer=/CN=ca", "--nats-ca"},
        {"SSL handshake error: 18:self signed certificate", "--nats-ca"},
        {"SSL handshake error: 10:certificate has expired:depth=0", "renewed"},
        {"SSL handshake error: 64:IP address mismatch:depth=0", "not for that name"},
        {"SSL handshake error: 62:Hostname mismatch:depth=0", "not for that name"},
        {"Error loading private key 'k.key': key values mismatch", "belong to the certificate"},
        {"Expected 'PONG', got ''", "want a certificate of you"},
    };
    for (const auto& [said, words] : cases)
        EXPECT_NE(advice_on_tls(said, false).find(words), std::string::npos) << said << ": " << advice_on_tls(said, false);
    EXPECT_NE(advice_on_tls("SSL_write error", true).find("--nats-cert"), std::string::npos);
    EXPECT_EQ(advice_on_tls("SSL_write error", true).find("may want"), std::string::npos);
    EXPECT_EQ(advice_on_tls("No server available for connection", false), "");
}

}  // namespace
}  // namespace sla::fleet
