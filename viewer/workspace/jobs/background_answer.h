// An answer over rows that stay in the file: a job with a session of its own, so that no frame waits. Owner: the window's
// thread.
//
//   window: ask(what) ─ asked twice ─► job: load a session, work(session, what) ─► window: ask(what) has it
#pragma once

#include "viewer/store/session.h"
#include "viewer/workspace/jobs/job_runner.h"
#include "viewer/workspace/source/data_source.h"

#include <memory>
#include <optional>
#include <utility>

namespace sla::workspace {

template <class Question, class Answer>
class BackgroundAnswer {
public:
    // On the job's thread. Nothing: there is no answer, or it was cancelled.
    using Work = std::optional<Answer> (*)(const store::Session&, const Question&, const JobRunner::Control&);
    // `what` is for people: "counting widths".
    BackgroundAnswer(const char* what, Work work) : what_(what), work_(work) {}

    // Null until it is known: ask again; and where there is none. Work begins when the same was asked twice, so that a range that moves costs
    // nothing, and stops when something else is asked.
    template <class MakeLoader>  // DataSource::Loader(): called when work is to begin; an empty one: not yet
    const Answer* ask(const MakeLoader& make_loader, const Question& question) {
        take();
        if (answer_to_ == question) return answer_ ? &*answer_ : nullptr;
        if (result_ != nullptr) {
            if (running_ == question) return nullptr;
            job_.cancel();
            is_cancelled_ = true;
            return nullptr;
        }
        if (std::exchange(asked_, question) != question) return nullptr;
        const DataSource::Loader loader = make_loader();
        if (!loader) return nullptr;
        running_ = question;
        is_cancelled_ = false;
        result_ = std::make_shared<std::optional<Answer>>();
        job_ = JobRunner::shared().start(what_,
                                         [result = result_, loader, question, work = work_](JobRunner::Control& control) {
                                             store::Session session;
                                             loader(session);
                                             *result = work(session, question, control);
                                         });
        return nullptr;
    }

private:
    void take() {
        if (result_ == nullptr || job_.is_running()) return;
        if (!is_cancelled_) {
            answer_ = std::move(*result_);
            answer_to_ = running_;
        }
        result_.reset();
    }

    const char* const what_;
    const Work work_;
    std::optional<Question> asked_;
    std::optional<Answer> answer_;
    std::optional<Question> answer_to_;
    Question running_;
    bool is_cancelled_ = false;
    std::shared_ptr<std::optional<Answer>> result_;  // of the job; null: there is none
    JobRunner::Job job_;
};

}  // namespace sla::workspace
