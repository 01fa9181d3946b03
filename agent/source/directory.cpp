#include "agent/source/directory.h"

namespace sla::source {

Known<SourceId> Directory::source(std::uint64_t segment_id, std::uint64_t start_time) {
    return look_up(sources_, std::pair{segment_id, start_time});
}

Known<ChannelId> Directory::channel(SourceId source, const std::string& name) {
    return look_up(channels_, std::pair{source, name});
}

Known<ThreadId> Directory::thread(SourceId source, std::uint32_t tid, const std::string& name) {
    return look_up(threads_, std::tuple{source, tid, name});
}

}  // namespace sla::source
