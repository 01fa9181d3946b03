#include "proto/common/tls/secret.h"

#include "proto/base/check.h"
#include "proto/base/text.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <array>

namespace sla::tls {
namespace {

constexpr std::size_t kTokenBytes = 32;
constexpr std::string_view kTokenPrefix = "sla-";

}  // namespace

std::string make_token() {
    std::array<unsigned char, kTokenBytes> bytes{};
    SLA_CHECK(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1);
    return std::string(kTokenPrefix) + hex_of(bytes);
}

std::string hash_of(std::string_view token) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    SLA_CHECK(EVP_Digest(token.data(), token.size(), digest.data(), &length, EVP_sha256(), nullptr) == 1);
    return hex_of(std::span(digest).first(length));
}

bool is_same_secret(std::string_view one, std::string_view other) {
    return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

}  // namespace sla::tls
