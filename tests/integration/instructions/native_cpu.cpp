#include "tests/integration/instructions/native_cpu.h"

#if defined(__x86_64__) && defined(__linux__)

#include <asm/ldt.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace sla::instructions {

namespace {

constexpr std::size_t kArenaBytes = std::size_t{1} << 20;
constexpr std::size_t kArenaCode = 0;
constexpr std::size_t kArenaData = 0x10000;
constexpr std::array kSignals{SIGSEGV, SIGILL, SIGFPE, SIGBUS, SIGTRAP, SIGUSR1};

// The batch that runs.
struct Batch {
    std::uint8_t* arena = nullptr;
    const DataMemory* memory = nullptr;
    std::span<const Case> cases;
    std::span<Result> results;
    std::size_t next = 0;
    mcontext_t way_back{};
};
Batch batch;

std::uint16_t read_selector(unsigned segment) {
    std::uint16_t value = 0;
    switch (segment) {
        case kEs: asm volatile("mov %%es, %0" : "=r"(value)); break;
        case kDs: asm volatile("mov %%ds, %0" : "=r"(value)); break;
        default: asm volatile("mov %%gs, %0" : "=r"(value)); break;
    }
    return value;
}

// FS is the C library's in this process, so no case loads it.
void load_selectors(std::uint16_t es, std::uint16_t ds, std::uint16_t gs) {
    asm volatile("mov %0, %%es\n\tmov %1, %%ds\n\tmov %2, %%gs" : : "r"(es), "r"(ds), "r"(gs));
}

constexpr std::array<int, 8> kRegisters{REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI};

void note(const mcontext_t& now) {
    Result& result = batch.results[batch.next - 1];
    for (std::size_t i = 0; i < kRegisters.size(); ++i)
        result.general[i] = static_cast<std::uint32_t>(now.gregs[kRegisters[i]]);
    result.eip = static_cast<std::uint32_t>(now.gregs[REG_RIP]);
    result.eflags = static_cast<std::uint32_t>(now.gregs[REG_EFL]);
    const auto selectors = static_cast<std::uint64_t>(now.gregs[REG_CSGSFS]);
    result.selectors = {read_selector(kEs),
                        static_cast<std::uint16_t>(selectors),
                        static_cast<std::uint16_t>(selectors >> 48),
                        read_selector(kDs),
                        0,
                        read_selector(kGs)};
    result.vector = static_cast<unsigned>(now.gregs[REG_TRAPNO]);
    const bool has_code = result.vector >= 10 && result.vector <= 14;
    result.error_code = has_code ? static_cast<std::uint32_t>(now.gregs[REG_ERR]) : 0;
    std::memcpy(result.memory.data(), batch.arena + kArenaData, result.memory.size());
    const Case& done = batch.cases[batch.next - 1];
    std::memset(batch.arena + kArenaCode + kCodeOffset, kBreakpoint, done.bytes.size());
}

void enter(const Case& next, mcontext_t& now) {
    std::memcpy(batch.arena + kArenaCode + kCodeOffset, next.bytes.data(), next.bytes.size());
    std::memcpy(batch.arena + kArenaData, batch.memory->data(), batch.memory->size());
    for (const Patch& patch : next.patches)
        std::memcpy(batch.arena + kArenaData + patch.offset, &patch.value, sizeof patch.value);
    for (std::size_t i = 0; i < kRegisters.size(); ++i) now.gregs[kRegisters[i]] = next.general[i];
    now.gregs[REG_RIP] = kCodeOffset;
    now.gregs[REG_EFL] = next.eflags;
    now.gregs[REG_CSGSFS] = static_cast<greg_t>(next.code_selector() | std::uint64_t{next.stack_selector()} << 48);
    load_selectors(kExtra, kData, kMore);
}

void on_signal(int, siginfo_t*, void* context) {
    mcontext_t& now = static_cast<ucontext_t*>(context)->uc_mcontext;
    if (batch.next == 0) {
        std::memcpy(batch.way_back.gregs, now.gregs, sizeof now.gregs);
    } else {
        note(now);
    }
    if (batch.next == batch.results.size()) {
        std::memcpy(now.gregs, batch.way_back.gregs, sizeof now.gregs);
        load_selectors(0, 0, 0);
        return;
    }
    enter(batch.cases[batch.next++], now);
}

}  // namespace

NativeCpu::NativeCpu() : signal_stack_(std::size_t{64} << 10) {
    void* arena =
        ::mmap(nullptr, kArenaBytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (arena == MAP_FAILED) {
        missing_ = "no memory below 4 GB that may hold code";
        return;
    }
    arena_ = static_cast<std::uint8_t*>(arena);
    std::memset(arena_ + kArenaCode, kBreakpoint, kArenaData);
    describe_segments();
    if (!missing_) try_in_a_child();
}

// Some hypervisors run no code in segments of one's own, and end the process that tries.
void NativeCpu::try_in_a_child() {
    const pid_t child = ::fork();
    if (child < 0) {
        missing_ = std::string("no process to try it in: ") + std::strerror(errno);
        return;
    }
    if (child == 0) {
        const DataMemory memory{};
        std::array<Case, 4> nothing{};  // of each width of code and stack
        for (std::size_t i = 0; i < nothing.size(); ++i) {
            nothing[i].code32 = i % 2 != 0;
            nothing[i].stack32 = i / 2 != 0;
        }
        std::array<Result, 4> results{};
        run(nothing, memory, results);
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        missing_ =
            std::string("this host's hypervisor runs no code in segments of our own: ") + ::strsignal(WTERMSIG(status));
}

NativeCpu::~NativeCpu() {
    if (arena_ != nullptr) ::munmap(arena_, kArenaBytes);
}

void NativeCpu::describe_segments() {
    const auto base = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(arena_));
    for (const Entry& entry : kTable) {
        user_desc description{};
        const bool code = (entry.access & 8) != 0;
        const bool writable_or_readable = (entry.access & 2) != 0;
        description.entry_number = entry.selector >> 3;
        const bool slot = (entry.access & 8) != 0;  // code
        description.base_addr =
            base + static_cast<std::uint32_t>(slot ? kArenaCode : kArenaData + entry.region * kDataBytes);
        description.limit = entry.limit;
        description.seg_32bit = entry.big ? 1 : 0;
        description.contents = code ? 2 : 0;
        description.read_exec_only = writable_or_readable ? 0 : 1;
        description.seg_not_present = (entry.access & 0x80) != 0 ? 0 : 1;
        constexpr int kWrite = 0x11;
        // Of an error the system call gives 32 bits only, which the C library takes for a success.
        const auto failed = static_cast<std::int32_t>(::syscall(SYS_modify_ldt, kWrite, &description, sizeof description));
        if (failed == 0) continue;
        missing_ =
            std::string("this kernel makes no local descriptor tables: ") + std::strerror(failed == -1 ? errno : -failed);
        return;
    }
}

void NativeCpu::run(std::span<const Case> cases, const DataMemory& memory, std::span<Result> results) {
    if (results.empty()) return;
    batch = {arena_, &memory, cases.first(results.size()), results, 0, {}};
    stack_t stack{};
    stack.ss_sp = signal_stack_.data();
    stack.ss_size = signal_stack_.size();
    stack_t stack_before{};
    ::sigaltstack(&stack, &stack_before);
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    std::array<struct sigaction, kSignals.size()> before{};
    for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &before[i]);
    ::raise(SIGUSR1);
    for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before[i], nullptr);
    ::sigaltstack(&stack_before, nullptr);
}

}  // namespace sla::instructions

#else

namespace sla::instructions {

NativeCpu::NativeCpu() : missing_("this host is no x86 with Linux") {}
NativeCpu::~NativeCpu() = default;
void NativeCpu::run(std::span<const Case>, const DataMemory&, std::span<Result>) {}
void NativeCpu::describe_segments() {}
void NativeCpu::try_in_a_child() {}

}  // namespace sla::instructions

#endif
