// A marker loop that lives in a shared object.
#pragma once

namespace sla::bench {

void mark_in_shared_object(int times);

}  // namespace sla::bench
