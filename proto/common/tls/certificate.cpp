#include "proto/common/tls/certificate.h"

#include "proto/base/text.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>

namespace sla::tls {
namespace {

constexpr long kSecondsPerDay = 24L * 60 * 60;
constexpr int kDaysPerYear = 365;
constexpr std::size_t kMaxName = 253;
constexpr long kX509Version3 = 2;

template <auto kFree>
struct FreeWith {
    template <typename T>
    void operator()(T* owned) const {
        kFree(owned);
    }
};
using Key = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using X509Certificate = std::unique_ptr<X509, FreeWith<X509_free>>;
using Bio = std::unique_ptr<BIO, FreeWith<BIO_free_all>>;
using Extension = std::unique_ptr<X509_EXTENSION, FreeWith<X509_EXTENSION_free>>;

Error openssl_error(const std::string& what) {
    std::array<char, 256> text{};
    ERR_error_string_n(ERR_get_error(), text.data(), text.size());
    ERR_clear_error();
    return unavailable(what + ": " + text.data());
}

bool is_address(const std::string& name) {
    std::array<unsigned char, sizeof(in6_addr)> bytes{};
    return inet_pton(AF_INET, name.c_str(), bytes.data()) == 1 || inet_pton(AF_INET6, name.c_str(), bytes.data()) == 1;
}

bool is_host_name(const std::string& name) {
    return !name.empty() && name.size() <= kMaxName && std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return isalnum(c) || c == '.' || c == '-' || c == '_';
    });
}

bool add_extension(X509* certificate, int what, const std::string& text) {
    const Extension extension(X509V3_EXT_conf_nid(nullptr, nullptr, what, text.c_str()));
    return extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool set_subject(X509* certificate, const std::string& name) {
    X509_NAME* subject = X509_get_subject_name(certificate);
    const std::string common_name = name.substr(0, 64);  // the most that X.520 allows
    return X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                                      reinterpret_cast<const unsigned char*>(common_name.c_str()), -1, -1, 0) == 1 &&
           X509_set_issuer_name(certificate, subject) == 1;
}

bool set_serial(X509* certificate) {
    std::uint64_t serial = 0;
    return RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1 &&
           ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1) == 1;
}

bool fill(X509* certificate, EVP_PKEY* key, const std::vector<std::string>& names, int years) {
    std::string alternatives;
    for (const std::string& name : names) {
        alternatives += (alternatives.empty() ? "" : ",") + std::string(is_address(name) ? "IP:" : "DNS:") + name;
    }
    // From yesterday on: clocks differ.
    return X509_set_version(certificate, kX509Version3) == 1 && set_serial(certificate) &&
           X509_gmtime_adj(X509_getm_notBefore(certificate), -kSecondsPerDay) != nullptr &&
           X509_time_adj_ex(X509_getm_notAfter(certificate), years * kDaysPerYear, 0, nullptr) != nullptr &&
           X509_set_pubkey(certificate, key) == 1 && set_subject(certificate, names.front()) &&
           add_extension(certificate, NID_basic_constraints, "critical,CA:FALSE") &&
           add_extension(certificate, NID_key_usage, "critical,digitalSignature") &&
           add_extension(certificate, NID_ext_key_usage, "serverAuth,clientAuth") &&
           add_extension(certificate, NID_subject_alt_name, alternatives) && X509_sign(certificate, key, EVP_sha256()) > 0;
}

std::string text_of(BIO* bio) {
    char* data = nullptr;
    const long size = BIO_get_mem_data(bio, &data);
    return {data, static_cast<std::size_t>(std::max(size, 0L))};
}

}  // namespace

std::string fingerprint_of(const x509_st& certificate) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    if (X509_digest(&certificate, EVP_sha256(), digest.data(), &length) != 1) return "";
    return hex_of(std::span(digest).first(length));
}

Result<Certificate> make_certificate(const std::vector<std::string>& names, int years) {
    if (names.empty()) return invalid_input("a certificate needs a name");
    for (const std::string& name : names) {
        if (!is_address(name) && !is_host_name(name))
            return invalid_input("'" + name + "' is no host name and no IP address");
    }
    const Key key(EVP_EC_gen("P-256"));
    const X509Certificate certificate(X509_new());
    if (key == nullptr || certificate == nullptr || !fill(certificate.get(), key.get(), names, years)) {
        return openssl_error("cannot make a certificate");
    }
    const Bio key_text(BIO_new(BIO_s_mem()));
    const Bio certificate_text(BIO_new(BIO_s_mem()));
    if (PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1 ||
        PEM_write_bio_X509(certificate_text.get(), certificate.get()) != 1) {
        return openssl_error("cannot write a certificate");
    }
    return Certificate{text_of(certificate_text.get()), text_of(key_text.get()), fingerprint_of(*certificate)};
}

std::vector<std::string> own_names() {
    std::array<char, kMaxName + 1> host{};
    std::vector<std::string> names;
    if (::gethostname(host.data(), host.size() - 1) == 0 && is_host_name(host.data())) names.emplace_back(host.data());
    addrinfo hints{};
    hints.ai_flags = AI_CANONNAME;
    addrinfo* found = nullptr;
    if (!names.empty() && ::getaddrinfo(host.data(), nullptr, &hints, &found) == 0 && found != nullptr) {
        const std::string full = found->ai_canonname == nullptr ? "" : found->ai_canonname;
        if (is_host_name(full) && full != names.front()) names.push_back(full);
    }
    if (found != nullptr) ::freeaddrinfo(found);
    for (const char* own : {"localhost", "127.0.0.1", "::1"}) {
        if (std::find(names.begin(), names.end(), own) == names.end()) names.emplace_back(own);
    }
    return names;
}

Result<std::string> fingerprint_of(std::string_view pem, const std::string& name) {
    const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    const X509Certificate certificate(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
    ERR_clear_error();
    if (certificate == nullptr) return unavailable(name + " holds no certificate in PEM");
    return fingerprint_of(*certificate);
}

}  // namespace sla::tls
