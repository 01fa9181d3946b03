// Manifests of archives: taken or refused with a reason; what is taken says the same again.
#include "proto/base/check.h"
#include "viewer/archive/manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace archive = sla::archive;
    const auto manifest = archive::parse_manifest({reinterpret_cast<const char*>(data), size});
    if (!manifest.ok()) {
        SLA_CHECK(!manifest.error().message.empty());
        return 0;
    }
    const auto again = archive::parse_manifest(manifest->json());
    SLA_CHECK(again.ok() && *again == *manifest);
    return 0;
}
