#include "viewer/formats/names.h"

namespace sla::formats {

std::string thread_text(const store::Session& session, std::uint32_t id) {
    const store::Thread* thread = session.thread(ThreadId{id});
    if (thread == nullptr) return id == 0 ? "" : std::to_string(id);
    if (thread->tid == 0) return thread->name;  // not a thread of the kernel, as with `sla mark`
    if (thread->name.empty()) return std::to_string(thread->tid);
    return thread->name + "/" + std::to_string(thread->tid);
}

std::string source_text(const store::Session& session, const store::Lane& lane) {
    const store::Source* source = session.source_of(lane);
    if (source == nullptr) return "";
    if (session.hosts().empty()) return source->name;
    const store::Host* host = session.host_of(lane);
    const std::string& of = host == nullptr ? session.origin().host : host->name;
    return of.empty() ? source->name : source->name + " on " + of;
}

}  // namespace sla::formats
