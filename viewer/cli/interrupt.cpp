#include "viewer/cli/interrupt.h"

#include <chrono>
#include <csignal>
#include <initializer_list>

namespace sla::cli {

namespace {

volatile std::sig_atomic_t g_signal = 0;
volatile std::sig_atomic_t g_alone = 0;

void note(int signal, siginfo_t* info, void*) {
    g_signal = signal;
    g_alone = info != nullptr && info->si_code <= 0 ? 1 : 0;  // SI_USER and its kin; the terminal's come from the kernel
}

}  // namespace

void catch_interrupts() {
    struct sigaction action {};
    action.sa_sigaction = note;
    action.sa_flags = SA_SIGINFO;  // no SA_RESTART: waiting calls return and look
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

int interrupted() {
    return g_signal;
}
void forget_interrupts() {
    g_signal = 0;
}
bool interrupted_alone() {
    return g_alone != 0;
}

process::Ending end_interrupted(process::Child& program) {
    using Clock = std::chrono::steady_clock;
    constexpr auto kTimeout = std::chrono::seconds(5);
    if (interrupted_alone()) program.signal(interrupted());
    const auto kill_at = Clock::now() + kTimeout;
    for (;;) {
        if (const auto ending = program.wait(std::chrono::milliseconds(100))) return *ending;
        if (Clock::now() >= kill_at) program.signal(SIGKILL);
    }
}

}  // namespace sla::cli
