#include "emu/cpu/unicorn/crash_guard.h"

#include <array>
#include <csetjmp>
#include <csignal>
#include <cstring>

namespace sla::cpu {

namespace {

constexpr int kLeft = -1;  // no signal's number
constexpr std::array kSignals{SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};

// Of the thread that runs the machine: other threads of the program crash as they always did.
thread_local volatile std::sig_atomic_t armed = 0;
thread_local sigjmp_buf way_back;

std::array<struct sigaction, kSignals.size()> previous;

void on_signal(int signal, siginfo_t* info, void*) {
    if (armed != 0 && info->si_code != SI_USER) {
        armed = 0;
        siglongjmp(way_back, signal);
    }
    // Not the library's: as if this handler had never been, the fault happens again, and what was sent comes once more.
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        if (kSignals[i] == signal) ::sigaction(signal, &previous[i], nullptr);
    }
    if (info->si_code <= 0) ::raise(signal);
}

bool install() {
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO;
    for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &previous[i]);
    return true;
}

// The jump leaves the handler without its return, so the signal is still blocked.
void unblock(int signal) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace

std::optional<std::string> CrashGuard::run_erased(void (*call)(void*), void* argument) {
    [[maybe_unused]] static const bool installed = install();
    const int signal = sigsetjmp(way_back, 0);  // without the mask: saving it would be a system call
    if (signal == kLeft) return std::nullopt;
    if (signal != 0) {
        unblock(signal);
        return std::string(::strsignal(signal));
    }
    armed = 1;
    call(argument);
    armed = 0;
    return std::nullopt;
}

void CrashGuard::leave() {
    armed = 0;
    siglongjmp(way_back, kLeft);
}

CrashGuard::Outside::Outside() {
    armed = 0;
}
CrashGuard::Outside::~Outside() {
    armed = 1;
}

}  // namespace sla::cpu
