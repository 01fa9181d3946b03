#include "emu/cpu/unicorn/unicorn_exception.h"

#include <array>
#include <cstring>
#include <new>
#include <optional>
#include <vector>

namespace sla::cpu {

namespace {

constexpr std::uint32_t kCodeAddress = 0x1000;
constexpr std::int32_t kNone = -1;
constexpr std::uint32_t kDivideError = 0;
constexpr std::uint32_t kGeneralProtection = 13;
constexpr std::uint32_t kSystemCall = 0x80;

using Code = std::span<const std::uint8_t>;
constexpr std::array<std::uint8_t, 4> kDivideByZero{0x31, 0xC9, 0xF7, 0xF1};               // xor ecx,ecx; div ecx
constexpr std::array<std::uint8_t, 6> kBadSelector28{0x66, 0xB8, 0x2B, 0x00, 0x8E, 0xD8};  // mov ax,2Bh; mov ds,ax
constexpr std::array<std::uint8_t, 6> kBadSelector50{0x66, 0xB8, 0x53, 0x00, 0x8E, 0xD8};  // mov ax,53h; mov ds,ax
constexpr std::array<std::uint8_t, 2> kInt80{0xCD, 0x80};

struct Taken {
    bool any = false;
    std::uint32_t vector = 0;
};

void on_interrupt(uc_engine* engine, std::uint32_t vector, void* user) {
    *static_cast<Taken*>(user) = {true, vector};
    uc_emu_stop(engine);
}

// A scratch engine with a zeroed page of memory and one piece of code.
class Scratch {
public:
    static Result<std::unique_ptr<Scratch>> make(Code code) {
        auto engine = UnicornEngine::open();
        if (!engine) return engine.error();
        auto scratch = std::unique_ptr<Scratch>(new Scratch(std::move(engine).value()));
        uc_engine* raw = scratch->engine_.get();
        const uc_err mapped = uc_mem_map(raw, 0, 2 * kCodeAddress, UC_PROT_ALL);
        if (mapped != UC_ERR_OK) return unicorn_error("map memory for its self test", mapped);
        scratch->engine_.write_memory(kCodeAddress, code);
        uc_hook hook = 0;
        // The library's hook interface takes every callback as void*.
        uc_hook_add(raw, &hook, UC_HOOK_INTR, reinterpret_cast<void*>(&on_interrupt), &scratch->taken_, 1, 0);
        return scratch;
    }

    bool takes(std::uint32_t vector) {
        taken_ = {};
        uc_emu_start(engine_.get(), kCodeAddress, ~std::uint64_t{0}, 0, 0);
        return taken_.any && taken_.vector == vector;
    }

    [[nodiscard]] std::vector<std::uint8_t> context() const {
        uc_context* saved = nullptr;
        if (uc_context_alloc(engine_.get(), &saved) != UC_ERR_OK) return {};
        uc_context_save(engine_.get(), saved);
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(saved);
        std::vector<std::uint8_t> copy(bytes, bytes + uc_context_size(engine_.get()));
        uc_context_free(saved);
        return copy;
    }

    UnicornEngine& engine() { return engine_; }

private:
    explicit Scratch(UnicornEngine engine) : engine_(std::move(engine)) {}
    UnicornEngine engine_;
    Taken taken_;
};

// The four experiments, in this order everywhere.
using Contexts = std::array<std::vector<std::uint8_t>, 4>;

Result<Contexts> observe() {
    const std::array<Code, 4> codes{kDivideByZero, kBadSelector28, kBadSelector50, kInt80};
    constexpr std::array vectors{kDivideError, kGeneralProtection, kGeneralProtection, kSystemCall};
    Contexts contexts;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        auto scratch = Scratch::make(codes[i]);
        if (!scratch) return scratch.error();
        if (!(*scratch)->takes(vectors[i])) return self_test_failed("a known fault was not reported");
        contexts[i] = (*scratch)->context();
        if (contexts[i].empty() || contexts[i].size() != contexts[0].size())
            return self_test_failed("its context cannot be read");
    }
    return contexts;
}

std::int32_t word_at(const std::vector<std::uint8_t>& bytes, std::size_t offset) {
    std::int32_t word = 0;
    std::memcpy(&word, bytes.data() + offset, sizeof word);
    return word;
}

// The one offset at which the four contexts hold these values.
std::optional<std::size_t> find(const Contexts& contexts, const std::array<std::int32_t, 4>& expected) {
    std::optional<std::size_t> found;
    for (std::size_t offset = 0; offset + 4 <= contexts[0].size(); offset += 4) {
        bool matches = true;
        for (std::size_t i = 0; i < expected.size(); ++i) matches = matches && word_at(contexts[i], offset) == expected[i];
        if (!matches) continue;
        if (found) return std::nullopt;
        found = offset;
    }
    return found;
}

Result<void> prove(const ExceptionLayout& layout) {
    auto scratch = Scratch::make(kDivideByZero);
    if (!scratch) return scratch.error();
    ExceptionContext context((*scratch)->engine(), layout);
    for (int round = 0; round < 3; ++round) {
        if (!(*scratch)->takes(kDivideError))
            return self_test_failed("three divisions by zero did not give three divide errors");
        const auto cause = context.take();
        if (cause.software_interrupt || cause.error_code != 0)
            return self_test_failed("a divide error is reported as something else");
    }
    return {};
}

}  // namespace

Result<ExceptionLayout> calibrate_exceptions() {
    auto contexts = observe();
    if (!contexts) return contexts.error();
    const auto error_code = find(*contexts, {0, 0x28, 0x50, 0});
    const auto in_flight = find(*contexts, {0, 13, 13, kNone});
    if (!error_code || !in_flight) return self_test_failed("the place of exception details in its context is not clear");
    const ExceptionLayout layout{*error_code, *error_code + 4, *in_flight};
    for (std::size_t i = 0; i < contexts->size(); ++i) {
        if (word_at((*contexts)[i], layout.from_int) != (i == 3 ? 1 : 0))
            return self_test_failed("INT n cannot be told from a fault");
    }
    if (auto proven = prove(layout); !proven) return proven.error();
    return layout;
}

ExceptionContext::ExceptionContext(const UnicornEngine& engine, const ExceptionLayout& layout)
    : engine_(engine.get()), layout_(layout) {
    uc_context* context = nullptr;
    if (uc_context_alloc(engine_, &context) != UC_ERR_OK) throw std::bad_alloc();
    context_.reset(context);
}

ExceptionContext::Cause ExceptionContext::take() {
    uc_context_save(engine_, context_.get());
    auto* bytes = reinterpret_cast<std::uint8_t*>(context_.get());
    std::int32_t from_int = 0;
    Cause cause;
    std::memcpy(&cause.error_code, bytes + layout_.error_code, sizeof cause.error_code);
    std::memcpy(&from_int, bytes + layout_.from_int, sizeof from_int);
    cause.software_interrupt = from_int != 0;
    std::memcpy(bytes + layout_.in_flight, &kNone, sizeof kNone);
    uc_context_restore(engine_, context_.get());
    return cause;
}

}  // namespace sla::cpu
