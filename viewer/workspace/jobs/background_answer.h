// An answer over a session's rows, made beside the frames: a job that looks at a view of the session.
//
//   window: ask(question) ─ asked twice ─► job: open the view, work(session, question) ─► window: ask(question) has it
//
// Of very few rows it is there at once.
//
// What is under way is answered to its end though the view moves on or rows come, so that answers come while the newest is
// followed; then it begins anew, after a rest. Where something else is asked, it is given up. Owner: the window's thread.
#pragma once

#include "viewer/ingest/caches.h"
#include "viewer/store/session.h"
#include "viewer/workspace/jobs/job_runner.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sla::workspace {

// A question is a value, with `channels()` (rising), whose lanes it is about, and `is_near(other)`: the same of a place that
// has something in common with the other's.
template <class Question, class Answer>
class BackgroundAnswer {
public:
    // On the job's thread. Nothing: there is no answer, or it was cancelled.
    using Work = std::optional<Answer> (*)(const store::Session&, const Question&, const JobRunner::Control&);
    // `what` is for people: "counting widths".
    BackgroundAnswer(const char* what, Work work) : what_(what), work_(work) {}

    struct Answered {
        Question question;
        std::optional<Answer> answer;  // nothing: there is none
    };

    // The newest that is known of this place; null: nothing yet. `beside`: lanes of other sessions that it may be about.
    const Answered* ask(const store::Session& session, const Question& question,
                        const std::vector<const store::Lane*>& beside = {}) {
        take();
        const bool is_asked_again = asked_ && asked_->is_near(question);
        asked_ = question;
        const auto is_known = [&] { return answered_ && answered_->question.is_near(question); };
        const bool is_answered = is_known() && answered_->question == question;
        if (result_ != nullptr) {
            if (!running_.is_near(question)) job_.cancel();
        } else if (!is_answered && is_little(session)) {
            begin(session.view_of(question.channels(), beside), question, true);
        } else if (!is_answered && is_asked_again && !(is_known() && Clock::now() < rests_until_)) {
            begin(session.view_of(question.channels(), beside), question, false);
        }
        return is_known() ? &*answered_ : nullptr;
    }

private:
    using Clock = std::chrono::steady_clock;

    void begin(const store::SessionView& view, const Question& question, bool at_once) {
        running_ = question;
        begun_ = Clock::now();
        result_ = std::make_shared<std::optional<Answer>>();
        const auto answer = [result = result_, view, question, work = work_](JobRunner::Control& control) {
            store::Session reader;
            view.open(reader, ingest::kWalkCache, question.channels());
            *result = work(reader, question, control);
        };
        job_ = at_once ? JobRunner::shared().finish(what_, answer) : JobRunner::shared().start(what_, answer);
        take();
    }
    // What takes long begins less often.
    void take() {
        if (result_ == nullptr || job_.is_running()) return;
        if (!job_.is_cancelled()) answered_ = Answered{running_, std::move(*result_)};
        result_.reset();
        const auto now = Clock::now();
        rests_until_ = now + std::max<Clock::duration>(kRest, 2 * (now - begun_));
    }

    static constexpr std::chrono::milliseconds kRest{100};

    const char* const what_;
    const Work work_;
    std::optional<Question> asked_;
    std::optional<Answered> answered_;
    Question running_;
    Clock::time_point begun_;
    Clock::time_point rests_until_;
    std::shared_ptr<std::optional<Answer>> result_;  // of the job; null: there is none
    JobRunner::Job job_;
};

// How many rows of the lane have come that may be in the range; kNever: all that will ever be have.
std::uint64_t rows_until(const store::Lane& lane, std::uint64_t last);

}  // namespace sla::workspace
