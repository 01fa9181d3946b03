// The file of agents that were met over TLS: read or refused, and one that is in it with another certificate is never let
// through.
#include "proto/base/check.h"
#include "proto/common/tls/private_file.h"
#include "viewer/ingest/remote/known_agents.h"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace {

// In memory, one for the process.
struct Folder {
    std::string path = std::filesystem::exists("/dev/shm") ? "/dev/shm/fuzz-known-XXXXXX" : "/tmp/fuzz-known-XXXXXX";
    Folder() { SLA_CHECK(mkdtemp(path.data()) != nullptr); }
    ~Folder() { std::filesystem::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Folder kFolder;
    const std::string path = kFolder.path + "/known_agents";
    SLA_CHECK(sla::tls::write_private(path, {reinterpret_cast<const char*>(data), size}).ok());
    const sla::ingest::KnownAgents known(path);
    const sla::wire::Address lab = *sla::wire::parse_address("tls:lab:4321");
    const std::string one(64, '1');
    const auto first = known.check(lab, one);
    if (!first) return 0;
    // Either it was there, or it is now: from here on it is this one and no other.
    SLA_CHECK(known.check(lab, one).ok() && known.check(lab, one)->empty());
    SLA_CHECK(!known.check(lab, std::string(64, '2')).ok());
    return 0;
}
