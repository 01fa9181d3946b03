// Batches that nobody honest would send, of columns of varints and of packed ones.
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/unit/proto/wire/random_batch.h"
#include "tests/unit/proto/wire/varint_batch.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

namespace sla::wire {
namespace {

using Spoil = std::function<void(Batch&)>;

// Three events (a value, a float, a gap with its story) that decode, before somebody spoils them.
EventBatch sound_batch() {
    EventBatch batch;
    batch.channel.value = 9;
    batch.add(100, SLA_CODE_TICK_VALUE, 5, 1);
    batch.add(110, SLA_CODE_VALUE_FLOAT, as_bits(1.5), 2);
    batch.add(120, SLA_CODE_GAP, 3, 2);
    batch.extras.push_back({2, LossCause::kOverrun, 125});
    return batch;
}

Batch sound_message() {
    Batch encoded;
    encode_varint_batch(sound_batch(), encoded);
    return encoded;
}

std::string complaint(const Spoil& spoil) {
    Batch batch = sound_message();
    spoil(batch);
    EventBatch out;
    const Result<void> result = decode_batch(batch, out);
    return result.ok() ? "accepted" : result.error().message;
}

struct Case {
    const char* expected;
    Spoil spoil;
};

void expect_complaints(const std::vector<Case>& cases) {
    for (const Case& one : cases) {
        const std::string said = complaint(one.spoil);
        EXPECT_NE(said.find(one.expected), std::string::npos) << "expected: " << one.expected << "\nsaid: " << said;
    }
}

std::string bytes(std::initializer_list<int> list) {
    std::string out;
    for (const int byte : list) out += static_cast<char>(byte);
    return out;
}

TEST(HostileBatch, IsSoundBeforeItIsSpoilt) {
    EXPECT_EQ(complaint([](Batch&) {}), "accepted");
}

TEST(HostileBatch, WithACountThatCannotBeIsRefused) {
    expect_complaints({
        {"there are no events", [](Batch& b) { b.set_count(0); }},
        {"65537 events, 65536 are allowed", [](Batch& b) { b.set_count(65537); }},
        {"encoding: 3 is not known here; use a newer program",
         [](Batch& b) { b.set_encoding(static_cast<Batch::Encoding>(3)); }},
        {"encoding", [](Batch& b) { b.set_encoding(static_cast<Batch::Encoding>(-1)); }},
        {"fewer bytes than events", [](Batch& b) { b.set_count(65536); }},
        {"fewer bytes than events", [](Batch& b) { b.set_count(4); }},
        {"bytes follow", [](Batch& b) { b.set_count(2); }},
        {"first_index", [](Batch& b) { b.set_first_index(std::numeric_limits<std::uint64_t>::max() - 2); }},
    });
}

TEST(HostileBatch, WithBadTicksIsRefused) {
    expect_complaints({
        {"channel 9", [](Batch& b) { b.clear_ticks(); }},
        {"cut off",
         [](Batch& b) {
             b.set_ticks(bytes({0, 10, 0x8a}));
         }},
        {"too long",
         [](Batch& b) {
             b.set_ticks(bytes({0, 10, 0x8a, 0}));
         }},
        {"beyond 64 bits",
         [](Batch& b) {
             b.set_ticks(bytes({0, 10}) + std::string(9, '\xff') + "\x01");
         }},
        {"bytes follow", [](Batch& b) { b.mutable_ticks()->push_back(0); }},
        {"not first_tick",
         [](Batch& b) {
             b.set_ticks(bytes({1, 9, 10}));
         }},
        {"not last_tick",
         [](Batch& b) {
             b.set_ticks(bytes({0, 10, 11}));
         }},
        {"not last_tick", [](Batch& b) { b.set_first_tick(90); }},
        {"not last_tick", [](Batch& b) { b.set_last_tick(119); }},
    });
}

TEST(HostileBatch, WithBadCodesIsRefused) {
    expect_complaints({
        {"add up", [](Batch& b) { b.clear_codes(); }},
        {"0 is not a code",
         [](Batch& b) {
             b.set_codes(bytes({0, 3}));
         }},
        {"12 is not a code",
         [](Batch& b) {
             b.set_codes(bytes({12, 3}));
         }},
        {"255 is not a code",
         [](Batch& b) {
             b.set_codes(bytes({255, 3}));
         }},
        {"cut off", [](Batch& b) { b.set_codes(bytes({1})); }},
        {"add up",
         [](Batch& b) {
             b.set_codes(bytes({1, 0}));
         }},
        {"add up",
         [](Batch& b) {
             b.set_codes(bytes({1, 4}));
         }},
        {"add up",
         [](Batch& b) {
             b.set_codes(bytes({1, 2}));
         }},
        {"add up", [](Batch& b) { b.set_codes(bytes({1}) + std::string(9, '\xff') + "\x01"); }},
        {"bytes follow",
         [](Batch& b) {
             b.set_codes(bytes({2, 1, 10, 1, 15, 1, 1, 1}));
         }},
        {"bytes follow",
         [](Batch& b) {
             b.set_codes(bytes({1, 3}));
         }},
    });
}

TEST(HostileBatch, WithBadThreadsIsRefused) {
    expect_complaints({
        {"cut off", [](Batch& b) { b.clear_threads(); }},
        {"cut off", [](Batch& b) { b.set_threads(bytes({1})); }},
        {"add up",
         [](Batch& b) {
             b.set_threads(bytes({1, 0}));
         }},
        {"add up",
         [](Batch& b) {
             b.set_threads(bytes({1, 4}));
         }},
        {"bytes follow",
         [](Batch& b) {
             b.set_threads(bytes({1, 3, 1, 1}));
         }},
        {"32 bits",
         [](Batch& b) {
             b.set_threads(bytes({0x80, 0x80, 0x80, 0x80, 0x10, 3}));
         }},
    });
}

TEST(HostileBatch, WithBadValuesIsRefused) {
    expect_complaints({
        {"cut off", [](Batch& b) { b.clear_values(); }},
        {"floating-point number is cut off",
         [](Batch& b) {
             b.set_values(bytes({10, 0, 0, 0}));
         }},
        {"cut off", [](Batch& b) { b.mutable_values()->pop_back(); }},
        {"bytes follow", [](Batch& b) { b.mutable_values()->push_back(0); }},
        {"neither 0 nor 1",
         [](Batch& b) {
             b.set_codes(bytes({7, 3}));
             b.set_values(bytes({2, 0, 2}));
             b.clear_extras();
         }},
    });
}

TEST(HostileBatch, WithBadExtrasIsRefused) {
    expect_complaints({
        {"beyond the last event", [](Batch& b) { b.mutable_extras(0)->set_position(3); }},
        {"do not rise", [](Batch& b) { b.add_extras()->set_position(1); }},
        {"do not rise", [](Batch& b) { b.add_extras()->set_position(2); }},
        {"more than events",
         [](Batch& b) {
             while (b.extras_size() < 4) b.add_extras();
         }},
        {"no gap", [](Batch& b) { b.mutable_extras(0)->set_position(1); }},
        {"cause", [](Batch& b) { b.mutable_extras(0)->set_cause(static_cast<Batch::LossCause>(Batch::LossCause_MAX + 1)); }},
        {"cause", [](Batch& b) { b.mutable_extras(0)->set_cause(static_cast<Batch::LossCause>(-1)); }},
        {"ends before", [](Batch& b) { b.mutable_extras(0)->set_until_tick(119); }},
        {"too long", [](Batch& b) { b.mutable_extras(0)->set_text(std::string(kMaxTextBytes + 1, 'x')); }},
    });
}

std::string packed_complaint(const Spoil& spoil) {
    Batch batch;
    encode_batch(sound_batch(), batch);
    spoil(batch);
    EventBatch out;
    const Result<void> result = decode_batch(batch, out);
    return result.ok() ? "accepted" : result.error().message;
}

void expect_packed_complaints(const std::vector<Case>& cases) {
    for (const Case& one : cases) {
        const std::string said = packed_complaint(one.spoil);
        EXPECT_NE(said.find(one.expected), std::string::npos) << "expected: " << one.expected << "\nsaid: " << said;
    }
}

TEST(HostileBatch, OfPackedColumnsIsSoundBeforeItIsSpoilt) {
    EXPECT_EQ(packed_complaint([](Batch&) {}), "accepted");
}

TEST(HostileBatch, OfPackedColumnsWithACountThatLiesIsRefused) {
    expect_packed_complaints({
        {"there are no events", [](Batch& b) { b.set_count(0); }},
        {"65537 events, 65536 are allowed", [](Batch& b) { b.set_count(65537); }},
        {"fewer bytes than so many events need", [](Batch& b) { b.set_count(65536); }},
        {"ticks", [](Batch& b) { b.set_count(1); }},
        {"ticks", [](Batch& b) { b.set_count(2); }},
        {"ticks", [](Batch& b) { b.set_count(4); }},
        {"codes",
         [](Batch& b) {
             b.set_count(4);
             b.set_last_tick(130);
         }},
        {"fewer bytes", [](Batch& b) { b.set_encoding(Batch::ENCODING_VARINTS); }},
    });
}

// Two ticks behind the first, 10 apart: shape 0x40 (steps, no planes), base zigzag(10).
TEST(HostileBatch, WithBadPackedTicksIsRefused) {
    const auto ticks = [](std::string column) { return [column](Batch& b) { b.set_packed_ticks(column); }; };
    expect_packed_complaints({
        {"accepted", ticks(bytes({0x40, 20}))},
        {"fewer bytes", ticks("")},
        {"a base is cut off", ticks(bytes({0x40, 0x80}))},
        {"a base is cut off or too long", ticks(bytes({0x40, 0x80, 0}))},
        {"bytes follow", ticks(bytes({0x40, 20, 0}))},
        {"a layout that there is not", ticks(bytes({0x40 | 33, 20, 0}))},
        {"a layout that there is not", ticks(bytes({0x7f, 20, 0}))},
        {"cut off", ticks(bytes({0x40 | 4, 20, 0}))},
        {"cut off", ticks(bytes({0x40 | 32, 20}) + std::string(15, '\0'))},
        {"bits behind the last", ticks(bytes({0x40 | 1, 20, 0x04}))},
        {"bits behind the last", ticks(bytes({0x40 | 2, 20, 0x10}))},
        {"go back", ticks(bytes({0x40, 19}))},
        {"go back", ticks(bytes({0, 19}))},
        {"go back", ticks(bytes({0x40 | 32, 20, 0xec, 0xec}) + std::string(14, '\xff'))},
        {"not last_tick", ticks(bytes({0x40, 22}))},
        {"not last_tick", [](Batch& b) { b.set_last_tick(119); }},
        {"not last_tick", [](Batch& b) { b.set_first_tick(90); }},
    });
}

TEST(HostileBatch, WithBadExceptionsIsRefused) {
    const auto ticks = [](std::string column) { return [column](Batch& b) { b.set_packed_ticks(column); }; };
    const int shape = 0x80 | 0x40;
    expect_packed_complaints({
        {"accepted", ticks(bytes({shape, 0, 2, 0, 1, 10, 10}))},
        {"cut off", ticks(bytes({shape, 20}))},
        {"none, or more exceptions than numbers", ticks(bytes({shape, 20, 0}))},
        {"none, or more exceptions than numbers", ticks(bytes({shape, 20, 3, 0, 1, 2, 1, 1, 1}))},
        {"cut off", ticks(bytes({shape, 20, 2, 0}))},
        {"no place of its own", ticks(bytes({shape, 20, 1, 2, 1}))},
        {"no place of its own", ticks(bytes({shape, 20, 2, 0, 0, 1, 1}))},
        {"no place of its own", ticks(bytes({shape, 20, 2, 1, 0, 1, 1}))},
        {"an exception is cut off", ticks(bytes({shape, 20, 1, 0}))},
        {"an exception is cut off", ticks(bytes({shape, 20, 1, 0, 0x81}))},
        {"is 0, or beyond 64 bits", ticks(bytes({shape, 20, 1, 0, 0}))},
        {"is 0, or beyond 64 bits", ticks(bytes({shape | 32, 20}) + std::string(16, '\0') + bytes({1, 0, 1}))},
        {"is 0, or beyond 64 bits", ticks(bytes({shape | 31, 20}) + std::string(15, '\0') + bytes({1, 0, 16}))},
    });
}

TEST(HostileBatch, WithBadPackedCodesIsRefused) {
    const auto codes = [](std::string column) { return [column](Batch& b) { b.set_packed_codes(column); }; };
    expect_packed_complaints({
        {"there are none", codes("")},
        {"a form that there is not", codes(bytes({3, 1, 3}))},
        {"add up", codes(bytes({0}))},
        {"add up", codes(bytes({0, 1, 2}))},
        {"add up", codes(bytes({0, 1, 4}))},
        {"add up", codes(bytes({0, 1, 0}))},
        {"cut off", codes(bytes({0, 1}))},
        {"0 is not a code", codes(bytes({0, 0, 3}))},
        {"200 is not a code", codes(bytes({0, 200, 3}))},
        {"bytes follow", codes(bytes({0, 2, 1, 10, 1, 15, 1, 1, 1}))},
        {"by turns are cut off", codes(bytes({1, 2}))},
        {"12 is not a code", codes(bytes({1, 2, 12}))},
        {"bytes follow", codes(bytes({1, 2, 10, 0}))},
        {"the pairs are cut off", codes(bytes({2, 0x22}))},
        {"behind the last event", codes(bytes({2, 0xf2, 0x1a}))},
        {"14 is not a code", codes(bytes({2, 0xe2, 0x0a}))},
        {"bytes follow", codes(bytes({2, 0xf2, 0x0a, 0}))},
    });
}

TEST(HostileBatch, WithBadPackedThreadsIsRefused) {
    const auto threads = [](std::string column) { return [column](Batch& b) { b.set_packed_threads(column); }; };
    expect_packed_complaints({
        {"there are none", threads("")},
        {"a form that there is not", threads(bytes({2, 1, 3}))},
        {"cut off", threads(bytes({0}))},
        {"cut off", threads(bytes({0, 1}))},
        {"add up", threads(bytes({0, 1, 0}))},
        {"add up", threads(bytes({0, 1, 4}))},
        {"bytes follow", threads(bytes({0, 1, 3, 1}))},
        {"32 bits", threads(bytes({0, 0x80, 0x80, 0x80, 0x80, 0x10, 3}))},
        {"the first number is cut off", threads(bytes({1}))},
        {"cut off", threads(bytes({1, 7}))},
        {"32 bits", threads(bytes({1, 7, 0, 0x80, 0x80, 0x80, 0x80, 0x40}))},
        {"bytes follow", threads(bytes({1, 7, 0, 0, 0}))},
    });
}

TEST(HostileBatch, WithBadPackedValuesIsRefused) {
    const auto values = [](std::string column) { return [column](Batch& b) { b.set_packed_values(column); }; };
    expect_packed_complaints({
        {"the first number is cut off", values("")},
        {"cut off", values(bytes({10}))},
        {"bytes follow", [](Batch& b) { b.mutable_packed_values()->push_back(0); }},
        {"bytes follow",
         [](Batch& b) {
             b.set_packed_codes(bytes({0, 1, 3}));
             b.clear_extras();
         }},
        {"neither 0 nor 1",
         [](Batch& b) {
             b.set_packed_codes(bytes({0, 7, 3}));
             b.set_packed_values(bytes({2, 0x40, 2}));
             b.clear_extras();
         }},
        {"neither 0 nor 1",
         [](Batch& b) {
             b.set_packed_codes(bytes({0, 1, 1, 7, 2}));
             b.set_packed_values(bytes({2, 0x40, 2}));
             b.clear_extras();
         }},
    });
}

// Bits flipped, bytes put in, taken out or doubled, in the serialized message.
std::string mutated(std::mt19937_64& random, std::string bytes_in) {
    for (int change = 1 + static_cast<int>(random() % 4); change > 0 && !bytes_in.empty(); --change) {
        const std::size_t at = random() % bytes_in.size();
        switch (random() % 5) {
            case 0: bytes_in[at] = static_cast<char>(bytes_in[at] ^ (1 << random() % 8)); break;
            case 1: bytes_in[at] = static_cast<char>(random()); break;
            case 2: bytes_in.insert(at, 1, static_cast<char>(random())); break;
            case 3: bytes_in.erase(at, 1 + random() % 3); break;
            default: bytes_in.insert(at, bytes_in.substr(random() % bytes_in.size(), random() % 16)); break;
        }
    }
    return bytes_in;
}

TEST(HostileBatch, MutatedAtRandomIsRefusedOrStillAValidBatch) {
    std::mt19937_64 random(13);
    int accepted = 0;
    int refused = 0;
    EventBatch out;
    for (int round = 0; round < 3000; ++round) {
        Batch encoded;
        const EventBatch batch = random_batch(random, round % 4 == 0 ? 300 : 60);
        round % 2 == 0 ? encode_batch(batch, encoded) : encode_varint_batch(batch, encoded);
        const std::string sound = encoded.SerializeAsString();
        for (int attempt = 0; attempt < 20; ++attempt) {
            Batch spoilt;
            if (!parse_message(mutated(random, sound), spoilt)) continue;
            if (decode_batch(spoilt, out)) {
                ++accepted;
                ASSERT_TRUE(is_valid(out));
            } else {
                ++refused;
            }
        }
    }
    EXPECT_GT(accepted, 1000);
    EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace sla::wire
