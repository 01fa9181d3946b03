// The emulated PC's CPUs against the processor of this host, instruction by instruction. SLA_INSTRUCTION_CASES: how many of each
// class (tests/integration/emu/long.sh instructions: a million), SLA_INSTRUCTION_SEED: another seed.
#include "tests/integration/instructions/comparison.h"
#include "tests/integration/instructions/emulated_cpu.h"
#include "tests/integration/instructions/generator.h"
#include "tests/integration/instructions/native_cpu.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <iostream>

namespace sla::instructions {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::uint64_t cases_of_a_class() {
    return from_environment("SLA_INSTRUCTION_CASES", 3000);
}

// What a CPU does not have at all, so that there is nothing to compare.
bool beyond(std::string_view cpu, const Class& of, const Result& native) {
    constexpr unsigned kStackFault = 12;
    constexpr unsigned kGeneralProtection = 13;
    if (cpu == "x86emu") return of.name == "privileged";
    const bool limit = (native.vector == kStackFault || native.vector == kGeneralProtection) && native.error_code == 0;
    return limit && of.name != "privileged" && of.name != "segment";
}

void compare(std::string_view cpu_name, const Class& of, Findings& findings, std::uint64_t& beyond_it) {
    NativeCpu native;
    ASSERT_FALSE(native.missing()) << *native.missing();
    EmulatedCpu emulated(cpu_name);
    ASSERT_EQ(emulated.missing(), "");
    Random random(from_environment("SLA_INSTRUCTION_SEED", 1) + std::hash<std::string_view>()(of.name));
    constexpr std::size_t kBatch = 256;
    std::vector<Case> cases(kBatch);
    std::vector<Result> expected(kBatch);
    Result got;
    for (std::uint64_t done = 0; done < cases_of_a_class(); done += kBatch) {
        const DataMemory memory = make_memory(random);
        for (Case& made : cases) made = make_case(of, random);
        native.run(cases, memory, expected);
        for (std::size_t i = 0; i < kBatch; ++i) {
            if (beyond(cpu_name, of, expected[i])) {
                ++beyond_it;
                continue;
            }
            emulated.run(cases[i], memory, got);
            ASSERT_EQ(emulated.missing(), "");
            findings.add(cases[i], expected[i], got);
        }
    }
}

class Instructions : public testing::TestWithParam<std::tuple<const char*, std::string_view>> {};

TEST_P(Instructions, DoWhatTheHostsProcessorDoes) {
    const auto& [cpu, name] = GetParam();
    if (const NativeCpu host; host.missing()) GTEST_SKIP() << *host.missing();
    if (const EmulatedCpu guest(cpu); !guest.missing().empty()) GTEST_SKIP() << guest.missing();
    const auto of = std::find_if(classes().begin(), classes().end(), [&](const Class& one) { return one.name == name; });
    Findings findings(cpu, name);
    std::uint64_t beyond_it = 0;
    compare(cpu, *of, findings, beyond_it);
    std::cout << cpu << " " << name << ": " << findings.cases() << " cases, " << findings.different() << " differ, "
              << beyond_it << " beyond this CPU\n";
    for (const auto& [what, finding] : findings.all()) {
        if (finding.known != nullptr)
            std::cout << "  " << finding.count << " " << what << ": " << finding.known->why << "\n";
    }
    EXPECT_EQ(findings.unknown(), "");
}

std::vector<std::string_view> class_names() {
    std::vector<std::string_view> names;
    for (const Class& of : classes()) names.push_back(of.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Cpu, Instructions,
                         testing::Combine(testing::Values("unicorn", "x86emu"), testing::ValuesIn(class_names())),
                         [](const auto& given) {
                             return std::string(std::get<0>(given.param)) + "_" + std::string(std::get<1>(given.param));
                         });

}  // namespace
}  // namespace sla::instructions
