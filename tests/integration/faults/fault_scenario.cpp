#include "tests/integration/faults/fault_scenario.h"

#include "proto/capture/capture_reader.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/support/fault_injector.h"
#include "tests/support/process.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

namespace sla::faults {
namespace {

using std::chrono::seconds;
using support::Exit;
using support::Process;

constexpr auto kLimit = seconds(8);  // a second of back-off and a busy machine; what takes longer hangs
constexpr int kOutsideWorld = 3;

std::vector<std::string> call_names() {
    std::vector<std::string> names;
#define SLA_NAME(name) names.emplace_back(#name);
    SLA_FAULT_CALL_LIST(SLA_NAME)
#undef SLA_NAME
    return names;
}

// Events that a capture holds or reports, by gap rows; and whether it was finished.
struct Account {
    std::uint64_t recorded = 0;
    std::uint64_t lost = 0;
    bool finished = false;
};

Account account_of(const std::string& path) {
    Account account;
    auto reader = capture::CaptureReader::open(path);
    if (!reader) return account;
    wire::Frame frame;
    wire::EventBatch batch;
    while (const auto bytes = reader->next()) {
        if (!wire::parse_message(*bytes, frame) || !frame.has_batch()) continue;
        if (!wire::decode_batch(frame.batch(), batch).ok()) continue;
        for (std::size_t i = 0; i < batch.size(); i++) {
            const bool gap = batch.codes[i] == SLA_CODE_GAP;
            account.lost += gap ? batch.values[i] : 0;
            account.recorded += gap ? 0 : 1;
        }
    }
    account.finished = reader->finished();
    return account;
}

class Scenario {
public:
    explicit Scenario(const Fault& fault) : fault_(fault) {}

    Outcome run() {
        Process agent({SLA_BINARIES "/sla-agent", "--no-config", "--record", capture()}, environment("sla-agent"));
        support::eventually([&] { return listens(agent) || !agent.is_running(); }, kLimit);
        // A line that could not be written does not come: the sockets show it as well.
        Process program({SLA_FAULT_PROGRAM}, environment("sla-fault-program"));
        const Exit program_exit = program.wait(kLimit);
        Process reader(
            {SLA_BINARIES "/sla", "table", "--format", "csv", "-o", read_file(), "unix:" + runtime() + "/agent.sock"},
            environment("sla"));
        const Exit reader_exit = reader.wait(kLimit);
        agent.signal(SIGTERM);
        const Exit agent_exit = agent.wait(kLimit);
        judge_program(program, program_exit);
        judge_end("the reader", "sla", reader, reader_exit);
        judge_end("the agent", "sla-agent", agent, agent_exit);
        judge_capture(agent, agent_exit);
        if (!problems_.empty()) problems_ += "  agent: " + agent.errors() + "  reader: " + reader.errors();
        return {problems_, calls()};
    }

private:
    [[nodiscard]] std::string runtime() const { return directory_.file("run"); }
    [[nodiscard]] std::string capture() const { return directory_.file("capture.sla"); }
    [[nodiscard]] std::string read_file() const { return directory_.file("read.csv"); }
    [[nodiscard]] bool is_victim(const std::string& program) const { return fault_.program == program; }
    [[nodiscard]] std::map<std::string, std::string> environment(const std::string& program) const {
        std::map<std::string, std::string> variables = {{"SLA_RUNTIME_DIR", runtime()},
                                                        {"XDG_CONFIG_HOME", directory_.file("config")}};
        if (!is_victim(program)) return variables;
        variables["LD_PRELOAD"] = SLA_FAULT_INJECTOR;
        variables["SLA_FAULT_PROGRAM"] = program;
        variables["SLA_FAULT_CALLS"] = directory_.file("calls");
        if (!fault_.call.empty()) {
            variables["SLA_FAULT"] = fault_.call + ":" + std::to_string(fault_.number) + ":" + std::to_string(fault_.error);
        }
        return variables;
    }
    bool listens(Process& agent) { return agent.errors().find("listening on unix:") != std::string::npos; }

    void object(const std::string& what) { problems_ += "  " + what + "\n"; }

    // Unharmed, whoever the victim was.
    void judge_program(Process& program, const Exit& exit) {
        if (exit.code != 0) object("the program ended with " + in_words(exit) + ": " + program.errors());
        std::istringstream words(program.output());
        std::string word;
        if (!(words >> word >> offered_ >> word >> unheard_ >> word >> unsure_))
            object("the program's output is not its own: " + program.output());
    }
    static std::string in_words(const Exit& exit) {
        if (exit.signal == SIGKILL) return "nothing: it hung and was killed";
        return exit.signal != 0 ? "signal " + std::to_string(exit.signal) : "exit code " + std::to_string(exit.code);
    }
    // By itself or as it was asked to; and with a reason, if it was not well.
    void judge_end(const std::string& who, const std::string& program, Process& process, const Exit& exit) {
        if (exit.code == 0) return;
        const bool agent_was_away = is_victim("sla-agent");
        if (exit.code == 1 && program == "sla" && offered_ <= unheard_ + unsure_) return;  // there was no event to show
        const bool may_fail = is_victim(program) || (program == "sla" && agent_was_away);
        if (exit.code != kOutsideWorld || !may_fail) return object(who + " ended with " + in_words(exit));
        if (process.errors().find(": ") == std::string::npos && fault_.call != "write")
            object(who + " failed without a word");
    }
    void judge_capture(Process& agent, const Exit& exit) {
        if (!std::filesystem::exists(capture())) {
            if (exit.code == 0) object("the agent ended well without a capture");
            return;
        }
        Process verify({SLA_BINARIES "/sla", "verify", capture()});
        const Exit verified = verify.wait(kLimit);
        const Account account = account_of(capture());
        if (exit.code == 0 && (verified.code != 0 || !account.finished)) {
            object("the agent ended well, its capture is not whole: " + verify.errors());
        }
        if (verified.code != 0 && verified.code != 1 && verified.code != kOutsideWorld) {
            object("verify ended with " + in_words(verified));
        }
        if (exit.code != 0 && verified.code == 0 && !is_accounted_for(account)) {
            object("the agent failed and its capture, which lacks events, is called whole");
        }
        const bool said = agent.errors().find("warning") != std::string::npos;
        if (exit.code == 0 && !is_accounted_for(account) && !said) {
            object("offered " + std::to_string(offered_) + " (unheard " + std::to_string(unheard_) + ", unsure " +
                   std::to_string(unsure_) + "), recorded " + std::to_string(account.recorded) + ", lost " +
                   std::to_string(account.lost) + ", and nobody said a word");
        }
    }
    [[nodiscard]] bool is_accounted_for(const Account& account) const {
        const std::uint64_t reported = account.recorded + account.lost;
        return reported <= offered_ - unheard_ && reported + unsure_ >= offered_ - unheard_;
    }
    [[nodiscard]] std::map<std::string, std::uint64_t> calls() const {
        std::map<std::string, std::uint64_t> counted;
        std::ifstream file(directory_.file("calls"), std::ios::binary);
        for (const std::string& name : call_names()) {
            std::uint64_t number = 0;
            file.read(reinterpret_cast<char*>(&number), sizeof number);
            counted[name] = number;
        }
        return counted;
    }

    Fault fault_;
    support::TempDir directory_;
    std::string problems_;
    std::uint64_t offered_ = 0;
    std::uint64_t unheard_ = 0;
    std::uint64_t unsure_ = 0;
};

}  // namespace

std::string Fault::text() const {
    return program + ":" + call + ":" + std::to_string(number) + ":" + std::to_string(error) + " (" + std::strerror(error) +
           ")";
}

Outcome run_scenario(const Fault& fault) {
    return Scenario(fault).run();
}

}  // namespace sla::faults
