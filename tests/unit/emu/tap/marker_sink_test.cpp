// The marker library as a sink, with nobody listening: nothing may fail, nothing may be wanted.
#include "emu/tap/marker_sink.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace sla::tap {
namespace {

TEST(MarkerSink, TakesEventsWithoutAnAgent) {
    ASSERT_EQ(::setenv("SLA_RUNTIME_DIR", "no-such-runtime-directory", 1), 0);
    MarkerSink sink;
    const ChannelId level = sink.open("irq.0", "");
    const ChannelId port = sink.open("port.post", "x86.port");
    EXPECT_NE(level, port);
    for (int i = 0; i < 1000; ++i) {
        sink.plain(level, SLA_CODE_LEVEL, 1);
        sink.wide(port, SLA_CODE_TICK_VALUE, 0x42, 0x40080, 0);
    }
    EXPECT_FALSE(sink.listens(port)) << "after the first marker the library knows that nobody is there";
}

}  // namespace
}  // namespace sla::tap
