// Every question of the handbook (viewer/SQL.md), asked of the scene it speaks of: the answers there are the answers here.
#include "tests/support/sample_capture.h"
#include "tests/unit/viewer/sql/asked.h"

#include <fstream>
#include <sstream>

namespace sla::sql {
namespace {

struct Worked {
    std::string question;
    std::string answer;  // fields by '|', without the heading
};

// ```sql blocks, each with the ``` block behind it: the heading, then a row a line.
std::vector<Worked> read_handbook() {
    std::ifstream in(SLA_SQL_HANDBOOK);
    std::vector<Worked> all;
    std::string* open = nullptr;
    bool is_heading = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("```")) {
            if (open != nullptr) {
                open = nullptr;
            } else if (line == "```sql") {
                open = &all.emplace_back().question;
            } else if (line == "```text" && !all.empty()) {
                open = &all.back().answer;
                is_heading = true;
            }
        } else if (open != nullptr && is_heading) {
            is_heading = false;
        } else if (open != nullptr) {
            *open += line + "\n";
        }
    }
    return all;
}

TEST(SqlHandbook, EachOfItsQuestionsHasTheAnswerThatStandsBelowIt) {
    support::CaptureBuilder capture(1'000'000, 2.7e9, 70);
    support::add_bench_scene(capture);
    store::Session session;
    capture.fill(session);
    auto engine = Engine::open({{"scene.sla", &session}}).value();
    const std::vector<Worked> all = read_handbook();
    EXPECT_EQ(all.size(), 22U);
    for (const Worked& one : all) {
        EXPECT_FALSE(one.answer.empty()) << one.question;
        EXPECT_EQ(answer_of(*engine, one.question), one.answer) << one.question;
    }
}

}  // namespace
}  // namespace sla::sql
