// Many questions at once, to a server that is real and somebody behind it who answers as a test wants it.
#include "proto/fleet/questions.h"
#include "proto/fleet/listener.h"
#include "tests/support/nats_cluster.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

namespace sla::fleet {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds kPatience{60};

class FleetQuestions : public ::testing::Test {
protected:
    using Answer = std::function<void(const std::string& body, const std::string& reply)>;

    // `users`: of the server's configuration, `user` one of them.
    explicit FleetQuestions(std::string users = "", std::string user = "")
        : users_(std::move(users)), user_(std::move(user)) {}

    void SetUp() override {
        if (access("/usr/sbin/nats-server", X_OK) != 0) GTEST_SKIP() << "nats-server is not installed";
        cluster_.emplace(1, users_);
        if (!user_.empty()) cluster_->connect_as(user_);
        ASSERT_TRUE(cluster_->start()) << cluster_->problem();
        for (auto* connection : {&asking_, &answering_}) {
            auto opened = Connection::open(cluster_->connect_options());
            ASSERT_TRUE(opened.ok()) << opened.error().message;
            *connection = std::move(*opened);
        }
    }

    // For as long as what it returns, which goes before anything that `answer` uses: the last questions may still be on their way.
    [[nodiscard]] std::unique_ptr<Listener> answer_with(Answer answer) {
        auto listening = Listener::open(*answering_, "who", [answer = std::move(answer)](const Received& question) {
            answer(std::string(question.body), std::string(question.reply));
        });
        EXPECT_TRUE(listening.ok()) << listening.error().message;
        EXPECT_EQ(natsConnection_Flush(answering_->get()), NATS_OK);
        return listening.ok() ? std::move(*listening) : nullptr;
    }
    void give(const std::string& reply, const std::string& body) { ASSERT_TRUE(publish(*answering_, reply, body).ok()); }
    // The first answer tells how long they take: a lost one is noticed soon then.
    void learn_pace(Questions& questions) {
        questions.ask("who", "first", [](natsStatus, natsMsg*) { return true; });
        ASSERT_TRUE(questions.run({}));
    }

    const std::string users_;
    const std::string user_;
    std::optional<support::NatsCluster> cluster_;
    std::unique_ptr<Connection> asking_;
    std::unique_ptr<Connection> answering_;
    AnswerPace pace_;
};

// Whoever asked one after the other would wait for ever.
TEST_F(FleetQuestions, ManyAreOnTheirWayAtOnceAndEachGetsItsOwnAnswer) {
    constexpr int kCount = 200;
    constexpr std::size_t kAtOnce = 8;
    std::vector<std::pair<std::string, std::string>> held;
    const auto answering = answer_with([&](const std::string& body, const std::string& reply) {
        held.emplace_back(reply, body);
        if (held.size() < kAtOnce) return;
        for (; !held.empty(); held.pop_back()) give(held.back().first, "of " + held.back().second);
    });
    Questions questions(*asking_, pace_, kPatience, kAtOnce);
    std::set<int> answered;
    std::function<void(int)> ask = [&](int number) {
        questions.ask("who", std::to_string(number), [&, number](natsStatus status, natsMsg* answer) {
            EXPECT_EQ(status, NATS_OK);
            EXPECT_EQ(std::string(natsMsg_GetData(answer)), "of " + std::to_string(number));
            EXPECT_TRUE(answered.insert(number).second);
            if (number + static_cast<int>(kAtOnce) < kCount) ask(number + static_cast<int>(kAtOnce));
            return true;
        });
    };
    for (int i = 0; i < static_cast<int>(kAtOnce); ++i) ask(i);
    EXPECT_TRUE(questions.run({}));
    EXPECT_EQ(answered.size(), static_cast<std::size_t>(kCount));
}

TEST_F(FleetQuestions, AnAnswerThatIsLostIsAskedForAgain) {
    std::set<std::string> seen;
    const auto answering = answer_with([&](const std::string& body, const std::string& reply) {
        if (body == "first" || !seen.insert(body).second) give(reply, body);
    });
    Questions questions(*asking_, pace_, kPatience, 4);
    ASSERT_NO_FATAL_FAILURE(learn_pace(questions));
    int answered = 0;
    for (int i = 0; i < 10; ++i) {
        questions.ask("who", std::to_string(i), [&](natsStatus status, natsMsg*) {
            answered += status == NATS_OK ? 1 : 0;
            return true;
        });
    }
    EXPECT_TRUE(questions.run({}));
    EXPECT_EQ(answered, 10);
}

TEST_F(FleetQuestions, WhatIsNoAnswerToWhoAskedIsAskedAgainAndMayWait) {
    std::atomic<int> asked = 0;
    const auto answering =
        answer_with([&](const std::string&, const std::string& reply) { give(reply, std::to_string(++asked)); });
    Questions questions(*asking_, pace_, kPatience, 4);
    std::string last;
    questions.ask(
        "who", "?",
        [&](natsStatus, natsMsg* answer) {
            last = natsMsg_GetData(answer);
            return last == "3";
        },
        milliseconds(10));
    EXPECT_TRUE(questions.run({}));
    EXPECT_EQ(last, "3");
}

TEST_F(FleetQuestions, WhereNobodyAnswersPatienceEnds) {
    Questions questions(*asking_, pace_, milliseconds(150), 4);
    std::vector<natsStatus> said;
    for (int i = 0; i < 6; ++i) {
        questions.ask("nobody", "?", [&](natsStatus status, natsMsg* answer) {
            EXPECT_EQ(answer, nullptr);
            said.push_back(status);
            return true;
        });
    }
    EXPECT_TRUE(questions.run({}));
    EXPECT_EQ(said, std::vector<natsStatus>(6, NATS_NO_RESPONDERS));
}

// libnats may hold a subscription's lock a moment longer than its last message is waited for.
TEST_F(FleetQuestions, WhoEndsWhileAnswersComeLeavesTheConnectionWhole) {
    constexpr int kCount = 48;
    const auto answering = answer_with([&](const std::string& body, const std::string& reply) { give(reply, body); });
    for (int round = 0; round < 300; ++round) {
        Questions questions(*asking_, pace_, kPatience, kCount);
        for (int i = 0; i < kCount; ++i) {
            questions.ask("who", std::to_string(round), [&](natsStatus, natsMsg* answer) {
                EXPECT_EQ(std::string(natsMsg_GetData(answer)), std::to_string(round)) << "of who asked before";
                return true;
            });
        }
        int looks = 0;
        EXPECT_FALSE(questions.run([&] { return ++looks < 2 + round % 40; }));
    }
}

TEST_F(FleetQuestions, WhoStopsGetsNoMoreAnswers) {
    const auto answering = answer_with([](const std::string&, const std::string&) {});
    Questions questions(*asking_, pace_, kPatience, 4);
    questions.ask("who", "?", [](natsStatus, natsMsg*) {
        ADD_FAILURE();
        return true;
    });
    int looks = 0;
    EXPECT_FALSE(questions.run([&] { return ++looks < 3; }));
    EXPECT_TRUE(questions.run({})) << "nothing is left";
}

class FleetQuestionsOfOneWhoMayNotAskAll : public FleetQuestions {
protected:
    FleetQuestionsOfOneWhoMayNotAskAll()
        : FleetQuestions(
              "authorization { users = [ { user: one, password: some, permissions: { publish: { deny: "
              "[\"closed\"] } } } ] }",
              "one:some") {}

    // What the question comes to.
    natsStatus ask(const std::string& subject, const std::string& body) {
        natsStatus outcome = NATS_ERR;
        questions_->ask(subject, body, [&](natsStatus status, natsMsg*) {
            outcome = status;
            return true;
        });
        EXPECT_TRUE(questions_->run({}));
        return outcome;
    }
    std::optional<Questions> questions_;
};

TEST_F(FleetQuestionsOfOneWhoMayNotAskAll, ARefusalIsOfWhatWasAskedAndOfNothingThatIsAskedLater) {
    std::set<std::string> seen;
    const auto answering = answer_with([&](const std::string& body, const std::string& reply) {
        if (body == "first" || !seen.insert(body).second) give(reply, body);
    });
    questions_.emplace(*asking_, pace_, kPatience, 4);
    ASSERT_NO_FATAL_FAILURE(learn_pace(*questions_));
    const auto begin = std::chrono::steady_clock::now();
    const std::uint64_t before = asking_->complaints();
    EXPECT_EQ(ask("closed", "?"), NATS_TIMEOUT);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, kPatience / 2);
    EXPECT_NE(asking_->error("nothing", NATS_TIMEOUT, before).message.find("\"closed\""), std::string::npos);
    const std::uint64_t behind = asking_->complaints();
    EXPECT_EQ(ask("who", "lost"), NATS_OK) << "its first answer is lost: it is asked again";
    EXPECT_FALSE(asking_->lacks_permission(behind));
    EXPECT_EQ(asking_->error("nothing", NATS_TIMEOUT, behind).message.find("Permissions"), std::string::npos);
    questions_.reset();
}

}  // namespace
}  // namespace sla::fleet
