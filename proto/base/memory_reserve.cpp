#include "proto/base/memory_reserve.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace sla {
namespace {

constexpr std::size_t kReserve = std::size_t{1} << 20;  // bytes; never touched, so only address space

std::atomic<void*> reserve{nullptr};

// What operator new calls before it tries once more.
void give_reserve() {
    void* const held = reserve.exchange(nullptr);
    if (held == nullptr) throw std::bad_alloc();
    std::free(held);
}

}  // namespace

void hold_memory_reserve() {
    std::set_new_handler(give_reserve);
    if (reserve.load() != nullptr) return;
    void* expected = nullptr;
    void* const made = std::malloc(kReserve);
    if (!reserve.compare_exchange_strong(expected, made)) std::free(made);
}

}  // namespace sla
