// A capture with every kind of event, a loss, two threads, two sources, details and a text that needs care, on a clock of
// 2 GHz: what the golden files were made of.
#pragma once

#include "tests/support/capture_builder.h"

namespace sla::formats {

inline support::CaptureBuilder small_capture() {
    support::CaptureBuilder capture(1000, 2e9);
    const auto pc = capture.source("emulated PC", support::BuilderSource::kPc);
    const auto worker = capture.thread("worker", 77);
    const auto rx = capture.channel("net.rx");
    const auto port = capture.channel("port.dbg", pc, "x86.port");
    const auto line = capture.channel("irq.0", pc);
    const auto load = capture.channel("load");
    const auto work = capture.channel("work \"hard\"");
    capture.tick(rx, 1000);
    capture.tick(rx, 1003, -5, worker);
    capture.detail(port, 1003, SLA_CODE_VALUE_UNSIGNED, 0xff, 0x40080, 0);
    capture.event(port, 1004, SLA_CODE_VALUE_UNSIGNED, ~std::uint64_t{0});
    capture.level(line, 1010, true);
    capture.level(line, 1050, false);
    capture.begin(work, 1100);
    capture.event(work, 1150, SLA_CODE_BEGIN_VALUE, 7);
    capture.event(work, 1160, SLA_CODE_END_VALUE, 8);
    capture.begin(work, 1170, worker);
    capture.end(work, 1200);
    capture.gap(work, 1210, 3, wire::LossCause::kTorn, 0, worker);
    capture.number(load, 1400, 0.25);
    capture.value(load, 1410, -3);
    capture.text(load, 1500, "say \"hi\",\n\tok \\");
    capture.gap(rx, 1600, 412, wire::LossCause::kOverrun, 1700);
    capture.tick(rx, 1800);
    return capture;
}

}  // namespace sla::formats
