#include "viewer/ingest/remote/credentials.h"

#include "proto/common/tls/private_file.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace sla::ingest {
namespace {

constexpr std::size_t kMaxToken = 256;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace

std::string& token_file() {
    static std::string path;
    return path;
}

Result<std::string> own_token() {
    const std::string path = token_file().empty() ? variable("SLA_TOKEN_FILE") : token_file();
    if (token_file().empty() && !variable("SLA_TOKEN").empty()) return variable("SLA_TOKEN");
    if (path.empty()) return std::string();
    Result<std::string> text = tls::read_private(path, tls::Others::kMayNotRead);
    if (!text) return Error{ErrorCode::kUnavailable, "no token: " + text.error().message};
    const std::string_view line = std::string_view(*text).substr(0, text->find_first_of("\r\n"));
    const bool is_one_word = !line.empty() && line.size() <= kMaxToken &&
                             std::all_of(line.begin(), line.end(), [](unsigned char c) { return c > ' ' && c < 0x7f; });
    if (!is_one_word) return unavailable("no token: the first line of " + path + " is none");
    return std::string(line);
}

std::optional<tls::Files> own_certificate() {
    const tls::Files files{tls::config_file("client-cert.pem"), tls::config_file("client-key.pem")};
    std::error_code ignored;
    const auto is_there = [&](const std::string& path) { return !path.empty() && std::filesystem::exists(path, ignored); };
    if (is_there(files.certificate) || is_there(files.key)) return files;  // of one alone whoever reads them says so
    return std::nullopt;
}

}  // namespace sla::ingest
