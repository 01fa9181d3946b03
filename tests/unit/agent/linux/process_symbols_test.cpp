#include "agent/linux/symbols/process_symbols.h"

#include "agent/linux/unique_fd.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

extern "C" {
volatile long sla_test_watched = 1;
__attribute__((noinline)) void sla_test_place() {
    sla_test_watched = sla_test_watched + 1;
}
}

namespace sla::linux {
namespace {

TEST(ProcessSymbols, MappingsAreReadAsTheKernelWritesThem) {
    const auto mappings = parse_mappings(
        "55d0-55f0 r-xp 00002000 fe:00 123    /usr/bin/with space\n"
        "nonsense\n"
        "7000-6000 r-xp 0 0 0 /upside/down\n"
        "7f00-7f10 rw-p 00000000 00:00 0 \n");
    ASSERT_EQ(mappings.size(), 2u);
    EXPECT_EQ(mappings[0].begin, 0x55d0u);
    EXPECT_EQ(mappings[0].end, 0x55f0u);
    EXPECT_EQ(mappings[0].offset, 0x2000u);
    EXPECT_EQ(mappings[0].path, "/usr/bin/with space");
    EXPECT_EQ(mappings[1].path, "");
}

TEST(ProcessSymbols, KernelSymbolsThatAreHiddenAreNone) {
    EXPECT_TRUE(parse_kernel_symbols("0000000000000000 T secret\n").empty());
    const auto functions = parse_kernel_symbols("ffff0020 T second\nffff0010 t first [module]\nffff0030 d data\n");
    ASSERT_EQ(functions.size(), 2u);
    EXPECT_EQ(functions[0].name, "first");
    EXPECT_EQ(functions[0].size, 0x10u);
}

TEST(ProcessSymbols, VariablesAndFunctionsOfAProcessAreFoundByNameAndNamedByAddress) {
    ProcessSymbols symbols;
    const auto variable = symbols.find(::getpid(), "sla_test_watched");
    ASSERT_TRUE(variable) << variable.error().message;
    EXPECT_EQ(variable->address, reinterpret_cast<std::uint64_t>(&sla_test_watched));
    EXPECT_EQ(variable->size, sizeof sla_test_watched);
    const auto function = symbols.find(::getpid(), "sla_test_place");
    ASSERT_TRUE(function);
    EXPECT_EQ(function->address, reinterpret_cast<std::uint64_t>(&sla_test_place));
    const std::string place = symbols.place_of(::getpid(), function->address + 1);
    EXPECT_TRUE(place.ends_with(":sla_test_place")) << place;
    EXPECT_EQ(symbols.place_of(::getpid(), 16), "?");
}

// Of an agent that runs for days, while what it samples is changed and built again.
TEST(ProcessSymbols, AProgramThatWasBuiltAnewHasItsNewNames) {
    const std::string path = testing::TempDir() + "sla-built-" + std::to_string(::getpid());
    const auto own = read_program_file("/proc/self/exe");
    ASSERT_TRUE(own);
    const std::uint64_t offset = own->find_function("sla_test_place")->file_offset;
    std::ostringstream bytes;
    bytes << std::ifstream("/proc/self/exe", std::ios::binary).rdbuf();
    std::string program = bytes.str();
    const auto build = [&] {
        std::ofstream(path + ".new", std::ios::binary) << program;
        std::filesystem::rename(path + ".new", path);
    };
    const auto place_in_mapped = [&](ProcessSymbols& symbols) {
        const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        void* base = ::mmap(nullptr, program.size(), PROT_READ, MAP_PRIVATE, file.get(), 0);
        symbols.forget(::getpid());  // a new process
        return symbols.place_of(::getpid(), reinterpret_cast<std::uint64_t>(base) + offset);
    };
    ProcessSymbols symbols;
    build();
    EXPECT_TRUE(place_in_mapped(symbols).ends_with(":sla_test_place"));
    const std::string before = "sla_test_place";
    const std::string after = "sla_next_place";
    for (std::size_t at = 0; (at = program.find(before, at)) != std::string::npos;) program.replace(at, after.size(), after);
    build();
    EXPECT_TRUE(place_in_mapped(symbols).ends_with(":sla_next_place"));
    std::filesystem::remove(path);
}

TEST(ProcessSymbols, WhatIsNotThereIsSaidPlainly) {
    ProcessSymbols symbols;
    EXPECT_NE(symbols.find(::getpid(), "no_such").error().message.find("no variable or function 'no_such'"),
              std::string::npos);
    EXPECT_FALSE(symbols.find(::getpid(), "0xzz"));
    EXPECT_EQ(symbols.find(::getpid(), "0x10")->address, 0x10u);
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    ::waitpid(child, nullptr, 0);
    EXPECT_NE(symbols.find(child, "main").error().message.find("may have ended"), std::string::npos);
}

}  // namespace
}  // namespace sla::linux
