// Tables kept column by column, of which some columns are mostly empty.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace sla {

// As long as the last value that is not zero.
template <typename Value>
class SparseColumn {
public:
    [[nodiscard]] Value operator[](std::size_t at) const { return at < values_.size() ? values_[at] : Value{}; }
    // `expected`: so many rows will come; a column without any value takes no memory all the same.
    void set(std::size_t at, Value value, std::size_t expected = 0) {
        if (at >= values_.size()) {
            if (value == Value{}) return;
            if (values_.empty()) values_.reserve(expected);
            values_.resize(at + 1);
        }
        values_[at] = value;
    }
    // All its rows at once; none: all are zero.
    void assign(std::vector<Value> values) { values_ = std::move(values); }
    // Rising values in so many rows: the first row that has this one or a greater; `rows` when none has.
    [[nodiscard]] std::size_t first_from(Value value, std::size_t rows) const {
        if (value == Value{}) return 0;
        const auto at = std::lower_bound(values_.begin(), values_.end(), value);
        return at == values_.end() ? rows : static_cast<std::size_t>(at - values_.begin());
    }
    // Rising values: the first row with a greater one; the number of values when none has.
    [[nodiscard]] std::size_t first_above(Value value) const {
        return static_cast<std::size_t>(std::upper_bound(values_.begin(), values_.end(), value) - values_.begin());
    }
    [[nodiscard]] std::uint64_t memory_bytes() const { return values_.capacity() * sizeof(Value); }

private:
    std::vector<Value> values_;
};

// Over anything that gives rows by number.
template <typename Table, typename Row>
class RowIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Row;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Row;

    RowIterator(const Table& table, std::size_t at) : table_(&table), at_(at) {}
    Row operator*() const { return (*table_)[at_]; }
    RowIterator& operator++() {
        ++at_;
        return *this;
    }
    void operator++(int) { ++at_; }
    bool operator==(const RowIterator& other) const { return at_ == other.at_; }

private:
    const Table* table_;
    std::size_t at_;
};

}  // namespace sla
