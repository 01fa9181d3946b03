// Certificates that vouch for themselves: whoever talks to their owner knows their fingerprint.
#pragma once

#include "proto/base/result.h"

#include <string>
#include <string_view>
#include <vector>

struct x509_st;  // OpenSSL's X509

namespace sla::tls {

struct Certificate {
    std::string certificate;  // PEM
    std::string key;          // PEM, not encrypted: a daemon has nobody to ask
    std::string fingerprint;  // SHA-256 of the DER form, 64 lower-case hex digits
};

// `names`: host names and IP addresses that it is for, the first is its subject. ECDSA on P-256.
Result<Certificate> make_certificate(const std::vector<std::string>& names, int years);

// What this machine is called: its name, its full name when that is another, localhost and both loopback addresses.
std::vector<std::string> own_names();

// Of one that OpenSSL holds; "" when it cannot be had.
std::string fingerprint_of(const x509_st& certificate);
// Of the first certificate in a PEM text; `name` is for messages.
Result<std::string> fingerprint_of(std::string_view pem, const std::string& name);

}  // namespace sla::tls
