// What anybody can send before he has logged in, and the file that says who may: no verdict lets in who is not on the list,
// and what a list says survives being written.
#include "agent/stream/access_list.h"
#include "agent/stream/login.h"
#include "proto/base/check.h"
#include "proto/common/tls/secret.h"

#include <google/protobuf/stubs/logging.h>

#include <string>
#include <string_view>

namespace {

using sla::stream::AccessEntry;
using sla::stream::AccessList;
using sla::stream::LoginVerdict;

AccessList list_of_two() {
    AccessList list;
    SLA_CHECK(list.add({sla::stream::Role::kLooker, AccessEntry::By::kToken, sla::tls::hash_of("good"), "ann"}).ok());
    SLA_CHECK(list.add({sla::stream::Role::kController, AccessEntry::By::kCertificate, std::string(64, 'a'), "bob"}).ok());
    return list;
}

void judge(std::string_view received) {
    static const AccessList kAccess = list_of_two();
    for (const std::string& certificate : {std::string(), std::string(64, 'a'), std::string(64, 'b')}) {
        const LoginVerdict verdict = sla::stream::judge_login(received, certificate, kAccess);
        SLA_CHECK(verdict.used <= received.size());
        SLA_CHECK((verdict.what == LoginVerdict::What::kRefused) == !verdict.why.empty());
        if (verdict.what != LoginVerdict::What::kAdmitted) continue;
        const bool by_token = verdict.entry.name == "ann" && received.find("good") != std::string_view::npos;
        SLA_CHECK(by_token || (verdict.entry.name == "bob" && certificate == std::string(64, 'a') && verdict.used == 0));
    }
    if (!sla::stream::begins_like_tls(received)) SLA_CHECK(!sla::stream::answer_in_plain(received).empty());
}

void read_list(std::string_view text) {
    const auto list = AccessList::parse(text, "it");
    if (!list) return;
    const auto again = AccessList::parse(list->text(), "it");
    SLA_CHECK(again.ok() && again->entries() == list->entries());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    google::protobuf::SetLogHandler(nullptr);
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    judge(bytes);
    read_list(bytes);
    return 0;
}
