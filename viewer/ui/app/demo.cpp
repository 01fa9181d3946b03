#include "viewer/ui/app/demo.h"

#include "viewer/process/programs.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

namespace sla::ui {

namespace {

constexpr std::chrono::milliseconds kSocketTimeout{3000};
constexpr std::chrono::milliseconds kEndTimeout{2000};
constexpr std::chrono::milliseconds kPollEvery{10};

}  // namespace

Result<void> Demo::run(const std::string& program, const std::vector<std::string>& words) {
    process::ChildOptions options;
    options.argv = {process::sister_program(program)};
    options.argv.insert(options.argv.end(), words.begin(), words.end());
    if (!process::program_exists(options.argv[0])) {
        return not_found("the demo needs " + program +
                         " beside sla-viewer or in PATH, and it is not there; `sh viewer/demo.sh` builds all");
    }
    options.environment = {{"SLA_RUNTIME_DIR", directory_.path()}};
    options.output = directory_.file(program + ".log");
    options.no_input = true;
    options.apart = true;
    auto child = process::Child::start(options);
    if (!child.ok()) return child.error();
    running_.push_back(std::move(*child));
    return {};
}

Result<std::unique_ptr<Demo>> Demo::start() {
    auto directory = process::OwnDirectory::make(std::filesystem::temp_directory_path().string(), "demo");
    if (!directory) return directory.error();
    std::unique_ptr<Demo> demo(new Demo(std::move(*directory)));
    if (Result<void> agent = demo->run("sla-agent", {}); !agent) return agent.error();
    const std::string socket = demo->directory_.file("agent.sock");
    const auto deadline = std::chrono::steady_clock::now() + kSocketTimeout;
    while (!std::filesystem::exists(socket) && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(kPollEvery);
    if (!std::filesystem::exists(socket)) return unavailable("the demo's agent opened no socket within 3 s");
    if (Result<void> pc = demo->run("sla-emu", {"run", "--demo"}); !pc) return pc.error();
    if (Result<void> program = demo->run("sla-example-pipeline", {}); !program) return program.error();
    return demo;
}

Demo::~Demo() {
    for (auto child = running_.rbegin(); child != running_.rend(); ++child) child->signal(SIGTERM);
    const auto until = std::chrono::steady_clock::now() + kEndTimeout;
    for (auto child = running_.rbegin(); child != running_.rend(); ++child) {
        using std::chrono::milliseconds;
        const auto left = std::chrono::duration_cast<milliseconds>(until - std::chrono::steady_clock::now());
        static_cast<void>(child->wait(std::max(left, milliseconds(0))));  // killed by its destructor when it still runs
    }
    running_.clear();
}

}  // namespace sla::ui
