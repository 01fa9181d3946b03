// Keeps a library that gives up (abort, segmentation fault) on some guest code from taking the program with it: the run ends
// and says so. Unicorn's translator aborts on rare byte sequences, and guests are free to contain them.
//
// Works by a signal handler that jumps back to the fence. Only what runs inside the library is fenced: calls back to us are
// taken out, so that a bug of ours is still a crash, and so is a signal that another process sends. What the library held is
// lost; its engine must not be used again. One fence at a time, on the machine's thread.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

namespace sla::cpu {

class CrashGuard {
public:
    // Runs the call; the name of the signal if it did not come back. Costs about 10 ns.
    template <typename Call>
    static std::optional<std::string> run(Call&& call) {
        return run_erased([](void* erased) { (*static_cast<std::remove_reference_t<Call>*>(erased))(); }, &call);
    }

    // From a callback behind which the library shall not go on, when nothing of ours is left to destroy: run() ends as if its call
    // had come back.
    [[noreturn]] static void leave();

    // While one lives, the code is ours.
    class Outside {
    public:
        Outside();
        ~Outside();
        Outside(const Outside&) = delete;
        Outside& operator=(const Outside&) = delete;
    };

private:
    static std::optional<std::string> run_erased(void (*call)(void*), void* argument);
};

}  // namespace sla::cpu
