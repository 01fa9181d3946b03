#include "agent/member/control_handler.h"

#include <gtest/gtest.h>

namespace sla::member {
namespace {

class ControlHandlerOf : public testing::Test {
protected:
    static std::string trigger() {
        wire::Request request;
        request.mutable_set_trigger()->set_expression("a > 5");
        return request.SerializeAsString();
    }
    static fleet::Received message(std::string_view body, std::string_view reply = "_INBOX.x") {
        return {nullptr, "sla.v1.t.control.a", reply, body};
    }
    ControlHandler handler(fleet::Control may) {
        return {"a", may, [this](wire::Request request, ControlHandler::Answered answered) {
                    applied_.push_back(std::move(request));
                    answered_.push_back(std::move(answered));
                }};
    }
    static std::string error_of(ControlHandler& handler) {
        const auto replies = handler.take_answers();
        EXPECT_EQ(replies.size(), 1u);
        const auto answer = replies.empty() ? std::nullopt : fleet::parse_control_answer(replies[0].body);
        return answer ? answer->error() : "";
    }
    std::vector<wire::Request> applied_;
    std::vector<ControlHandler::Answered> answered_;
};

TEST_F(ControlHandlerOf, ARequestIsHandedOnAndItsAnswerGoesBack) {
    ControlHandler handler = this->handler(fleet::Control::kAll);
    const std::string body = trigger();
    handler.on_message(message(body));
    ASSERT_EQ(applied_.size(), 1u);
    EXPECT_EQ(applied_[0].set_trigger().expression(), "a > 5");
    EXPECT_TRUE(handler.take_answers().empty());
    answered_[0]("the agent is tired");
    const auto replies = handler.take_answers();
    ASSERT_EQ(replies.size(), 1u);
    EXPECT_EQ(replies[0].to, "_INBOX.x");
    const auto answer = fleet::parse_control_answer(replies[0].body);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->host(), "a");
    EXPECT_EQ(answer->error(), "the agent is tired");
    EXPECT_TRUE(handler.take_answers().empty());
}

TEST_F(ControlHandlerOf, WithoutFleetControlEveryRequestIsRefusedWithWhatToDo) {
    for (const fleet::Control may : {fleet::Control::kNone, fleet::Control::kShots}) {
        ControlHandler handler = this->handler(may);
        const std::string body = trigger();
        handler.on_message(message(body));
        EXPECT_NE(error_of(handler).find("--fleet-control all"), std::string::npos);
    }
    EXPECT_TRUE(applied_.empty());
}

TEST_F(ControlHandlerOf, WhatIsNoRequestOrNotForAFleetIsRefused) {
    ControlHandler handler = this->handler(fleet::Control::kAll);
    wire::Request stop;
    stop.mutable_stop();
    wire::Request mark;
    mark.mutable_mark()->set_channel("x");
    for (const std::string& body : {std::string("\xff\xff\xff"), std::string(100'000, 'x'), std::string(),
                                    stop.SerializeAsString(), mark.SerializeAsString()}) {
        handler.on_message(message(body));
        EXPECT_NE(error_of(handler), "") << body.size();
    }
    EXPECT_TRUE(applied_.empty());
}

TEST_F(ControlHandlerOf, AFloodOfRequestsIsBoundedAndSaidToBeOne) {
    ControlHandler handler = this->handler(fleet::Control::kAll);
    const std::string body = trigger();
    for (std::size_t i = 0; i < 1000; ++i) handler.on_message(message(body));
    EXPECT_EQ(applied_.size(), ControlHandler::kMaxAtOnce);
    EXPECT_EQ(handler.take_answers().size(), ControlHandler::kMaxWaiting);
    for (const auto& answered : answered_) answered("");
    handler.on_message(message(body));
    EXPECT_EQ(applied_.size(), ControlHandler::kMaxAtOnce + 1) << "when they are answered there is room again";
}

TEST_F(ControlHandlerOf, WhoCannotReceiveTheAnswerIsRefused) {
    ControlHandler handler = this->handler(fleet::Control::kAll);
    const std::string body = trigger();
    handler.on_message(message(body, ""));
    EXPECT_TRUE(applied_.empty());
    EXPECT_TRUE(handler.take_answers().empty()) << "there is nowhere to send one";
}

TEST_F(ControlHandlerOf, AnAnswerThatComesAfterTheEndHarmsNobody) {
    {
        ControlHandler handler = this->handler(fleet::Control::kAll);
        const std::string body = trigger();
        handler.on_message(message(body));
    }
    answered_.at(0)("");
}

}  // namespace
}  // namespace sla::member
