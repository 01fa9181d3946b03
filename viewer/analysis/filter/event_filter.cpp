#include "viewer/analysis/filter/event_filter.h"

#include "proto/wire/glob.h"

#include <algorithm>

namespace sla::analysis {

namespace {

using Number = EventFilter::Number;

// -1, 0, 1; 2: not comparable (nan).
int order(const Number& a, const Number& b) {
    if (a.is_integer && b.is_integer) return a.integer < b.integer ? -1 : a.integer > b.integer ? 1 : 0;
    const long double left = a.is_integer ? static_cast<long double>(a.integer) : static_cast<long double>(a.real);
    const long double right = b.is_integer ? static_cast<long double>(b.integer) : static_cast<long double>(b.real);
    return left < right ? -1 : left > right ? 1 : left == right ? 0 : 2;
}

bool number_matches(const Number& number, const EventFilter::Node& node) {
    const int low = order(number, node.low);
    if (low == 2) return node.compare == EventFilter::Compare::kNotEqual;
    switch (node.compare) {
        case EventFilter::Compare::kEqual: return low == 0;
        case EventFilter::Compare::kNotEqual: return low != 0;
        case EventFilter::Compare::kLess: return low < 0;
        case EventFilter::Compare::kLessEqual: return low <= 0;
        case EventFilter::Compare::kGreater: return low > 0;
        case EventFilter::Compare::kGreaterEqual: return low >= 0;
        case EventFilter::Compare::kInside: return low >= 0 && order(number, node.high) <= 0;
        case EventFilter::Compare::kGlob: return false;
    }
    return false;
}

bool word_matches(std::string_view word, const EventFilter::Node& node) {
    if (node.compare == EventFilter::Compare::kGlob) return wire::glob_match(node.word, word);
    return (word == node.word) == (node.compare == EventFilter::Compare::kEqual);
}

bool value_matches(const store::Event& event, const EventFilter::Node& node) {
    switch (wire::value_type_of(event.code)) {
        case wire::ValueType::kNone: return false;
        case wire::ValueType::kSigned: return number_matches({true, static_cast<std::int64_t>(event.value), 0}, node);
        case wire::ValueType::kUnsigned: return number_matches({true, event.value, 0}, node);
        case wire::ValueType::kFloat: return number_matches({false, 0, wire::as_double(event.value)}, node);
    }
    return false;
}

// People name a thread or a program by its name, its number or both.
bool one_matches(const std::string& name, const std::string& number, const EventFilter::Node& node) {
    const auto fits = [&](const std::string& word) {
        return node.compare == EventFilter::Compare::kGlob ? wire::glob_match(node.word, word) : word == node.word;
    };
    return (fits(name) || fits(number) || fits(name + "/" + number)) == (node.compare != EventFilter::Compare::kNotEqual);
}

bool thread_matches(const store::Session& session, std::uint32_t id, const EventFilter::Node& node) {
    const store::Thread* thread = session.thread(ThreadId{id});
    if (thread == nullptr) return one_matches("", std::to_string(id), node);
    return one_matches(thread->name, std::to_string(thread->tid), node);
}

bool source_matches(const store::Session& session, const store::Lane& lane, const EventFilter::Node& node) {
    const store::Source* source = session.source_of(lane);
    if (source == nullptr || source->pid == 0) return word_matches(source == nullptr ? "" : source->name, node);
    return one_matches(source->name, std::to_string(source->pid), node);
}

}  // namespace

bool EventFilter::node_matches(const Node& node, const store::Session& session, const store::RowRef& place,
                               const store::Event& event) const {
    const auto side = [&](std::size_t at) { return node_matches(nodes_[at], session, place, event); };
    switch (node.what) {
        case Node::What::kAnd: return side(node.left) && side(node.right);
        case Node::What::kOr: return side(node.left) || side(node.right);
        case Node::What::kNot: return !side(node.left);
        case Node::What::kCondition: break;
    }
    switch (node.field) {
        case Field::kKind: return (event.kind() == node.kind) == (node.compare == EventFilter::Compare::kEqual);
        case Field::kValue: return value_matches(event, node);
        case Field::kTick: return number_matches({true, event.tick, 0}, node);
        case Field::kText: return word_matches(place.lane->text(place.index), node);
        case Field::kChannel: return word_matches(place.lane->channel().name, node);
        case Field::kThread: return thread_matches(session, event.thread, node);
        case Field::kSource: return source_matches(session, *place.lane, node);
    }
    return false;
}

std::vector<std::string> EventFilter::channels() const {
    std::vector<std::string> names;
    for (const Node& node : nodes_) {
        if (node.is_short) names.push_back(node.word);
    }
    return names;
}

bool EventFilter::is_of_names_alone() const {
    return std::all_of(nodes_.begin(), nodes_.end(),
                       [](const Node& node) { return node.what != Node::What::kCondition || node.is_short; });
}

bool EventFilter::speaks_of_losses() const {
    return std::any_of(nodes_.begin(), nodes_.end(), [](const Node& node) {
        return node.what == Node::What::kCondition && node.field == Field::kKind && node.kind == wire::Kind::kGap;
    });
}

EventFilter EventFilter::with_losses() const {
    EventFilter filter = *this;
    Node losses;
    losses.kind = wire::Kind::kGap;
    filter.nodes_.push_back(std::move(losses));
    Node either;
    either.what = Node::What::kOr;
    either.left = nodes_.size() - 1;
    either.right = nodes_.size();
    filter.nodes_.push_back(std::move(either));
    return filter;
}

namespace {

// What names say of all a lane's events, or of those of one thread: none matches, some may, all do.
enum class NameShare : std::uint8_t { kNone, kSome, kAll };

struct Named {
    const store::Session& session;
    const store::Lane& lane;
    std::uint32_t thread = 0;  // 0: any
};

NameShare share_of(const std::vector<EventFilter::Node>& nodes, std::size_t at, const Named& events) {
    using What = EventFilter::Node::What;
    const EventFilter::Node& node = nodes[at];
    if (node.what == What::kNot) {
        const NameShare inner = share_of(nodes, node.left, events);
        return inner == NameShare::kSome ? NameShare::kSome : inner == NameShare::kAll ? NameShare::kNone : NameShare::kAll;
    }
    if (node.what != What::kCondition) {
        const NameShare left = share_of(nodes, node.left, events);
        const NameShare right = share_of(nodes, node.right, events);
        return node.what == What::kAnd ? std::min(left, right) : std::max(left, right);
    }
    const auto all_or_none = [](bool matches) { return matches ? NameShare::kAll : NameShare::kNone; };
    switch (node.field) {
        case EventFilter::Field::kChannel: return all_or_none(word_matches(events.lane.channel().name, node));
        case EventFilter::Field::kSource: return all_or_none(source_matches(events.session, events.lane, node));
        case EventFilter::Field::kThread:
            if (events.thread == 0) return NameShare::kSome;
            return all_or_none(thread_matches(events.session, events.thread, node));
        default: return NameShare::kSome;
    }
}

}  // namespace

bool EventFilter::may_match(const store::Session& session, const store::Lane& lane) const {
    return share_of(nodes_, nodes_.size() - 1, {session, lane}) != NameShare::kNone;
}

bool EventFilter::may_hide(const store::Session& session, const store::RowRef& loss) const {
    const std::uint32_t thread = (*loss.lane)[loss.index].thread;
    return share_of(nodes_, nodes_.size() - 1, {session, *loss.lane, thread}) != NameShare::kNone;
}

bool EventFilter::matches(const store::Session& session, const store::RowRef& place) const {
    return node_matches(nodes_.back(), session, place, (*place.lane)[place.index]);
}

}  // namespace sla::analysis
