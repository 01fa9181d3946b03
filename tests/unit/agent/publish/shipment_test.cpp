#include "agent/publish/shipment.h"

#include "tests/unit/agent/publish/spooled.h"

#include <fstream>
#include <iterator>

namespace sla::publish {
namespace {

class Shipping : public Spooled {
protected:
    void SetUp() override {
        open_spool();
        begin("c");
    }
    publish::Run run() {
        std::vector<std::string> odd;
        return spool_->left(odd).front();
    }
    // Pieces of two flushes each; the last one without its end, when it was killed.
    void write(int pieces, bool killed) {
        SpoolWriter writer(*spool_, "c");
        auto now = start_;
        for (int piece = 1; piece <= pieces; ++piece) {
            for (int i = 0; i < 2; ++i) {
                ASSERT_TRUE(writer.add(rows(), now));
                ASSERT_TRUE(writer.flush(now));
            }
            now += std::chrono::seconds(11);
            if (piece < pieces) {
                ASSERT_TRUE(writer.flush(now));
            }
        }
        if (!killed) {
            ASSERT_TRUE(writer.finish());
        }
    }
    Shipment make() {
        return {*spool_, run(), 1e9, [this](const std::string& text) { said_.push_back(text); }};
    }
    // All that can be sent, each acknowledged at once.
    std::uint64_t ship(Shipment& shipment) {
        std::uint64_t sent = 0;
        while (const auto message = shipment.next()) shipment.acknowledge(message->headers.id, ++sent);
        return sent;
    }

    std::vector<std::string> said_;
};

TEST_F(Shipping, WhatAKilledAgentLeftIsPublishedWholeAndGoes) {
    write(3, true);
    Shipment shipment = make();
    shipment.take_over();
    EXPECT_EQ(ship(shipment), 7u + 7 + 5);  // frames and summary twice, of the end once more, and the index
    EXPECT_EQ(shipment.events(), 6 * kRows);
    EXPECT_TRUE(shipment.settle());
    EXPECT_GT(shipment.run().ended_ns, 0) << "the registry shall not wait for it";
    EXPECT_EQ(spool_->bytes(), 0u);
    std::vector<std::string> odd;
    ASSERT_EQ(spool_->left(odd).size(), 1u) << "until the registry knows, the next agent is told of it";
    EXPECT_EQ(spool_->left(odd).front().events_done, 6 * kRows);
    shipment.forget();
    EXPECT_FALSE(std::filesystem::exists(folder() + "/c"));
    EXPECT_TRUE(said_.empty());
}

TEST_F(Shipping, OfAStreamThatWasMadeAnewWhatIsStillHereIsSentFromItsBeginning) {
    write(3, true);
    Shipment shipment = make();
    shipment.take_over();
    for (std::uint64_t at = 1; at <= 7; ++at) {  // all of the first piece
        const auto message = shipment.next();
        ASSERT_TRUE(message);
        shipment.acknowledge(message->headers.id, at);
    }
    EXPECT_FALSE(shipment.settle());
    const auto of_second = shipment.next();
    ASSERT_TRUE(of_second);
    shipment.acknowledge(of_second->headers.id, 8);
    const auto on_the_way = shipment.next();
    ASSERT_TRUE(on_the_way);
    const std::uint64_t before = shipment.events();
    shipment.start_over();
    EXPECT_LT(shipment.events(), before);
    shipment.acknowledge(on_the_way->headers.id, 1);
    EXPECT_EQ(ship(shipment), 7u + 5 - 1) << "what has left is in the new stream, all else of what is here is sent again";
    EXPECT_TRUE(shipment.settle());
    EXPECT_EQ(shipment.events(), 6 * kRows) << "what was published, here or there";
}

TEST_F(Shipping, PiecesThatSomebodyRemovedAreCountedSaidAndTakeNoSpaceAnyMore) {
    write(3, false);
    Shipment shipment = make();
    std::filesystem::remove_all(folder());
    shipment.set_written(3, true);
    EXPECT_FALSE(shipment.next());
    EXPECT_FALSE(shipment.next());
    EXPECT_FALSE(shipment.next());
    EXPECT_EQ(shipment.lost(), 6 * kRows);
    EXPECT_EQ(spool_->bytes(), 0u);
    EXPECT_TRUE(shipment.settle());
    ASSERT_EQ(said_.size(), 3u);
    EXPECT_NE(said_.front().find("200 events are missing in the fleet, and counted as dropped"), std::string::npos)
        << said_.front();
}

TEST_F(Shipping, PiecesGoInTheirOrderOnly) {
    write(2, false);
    Shipment shipment = make();
    shipment.set_written(2, true);
    std::vector<fleet::MessageId> of_first;
    while (const auto message = shipment.next()) {
        if (message->headers.id.piece == 1) {
            of_first.push_back(message->headers.id);
        } else {
            shipment.acknowledge(message->headers.id, 1);
        }
    }
    EXPECT_FALSE(shipment.settle());
    EXPECT_EQ(spool_->pieces_of("c").size(), 2u);
    for (const fleet::MessageId& id : of_first) shipment.acknowledge(id, 1);
    ship(shipment);
    EXPECT_TRUE(shipment.settle());
}

TEST_F(Shipping, AfterAnotherKillOnlyWhatIsLeftIsPublishedAgainAndTheSumIsRight) {
    write(3, false);
    {
        Shipment shipment = make();
        shipment.set_written(1, false);
        ship(shipment);
        EXPECT_FALSE(shipment.settle());
    }
    EXPECT_EQ(run().events_done, 2 * kRows);
    Shipment again = make();
    again.take_over();
    EXPECT_EQ(ship(again), 7u + 5);
    EXPECT_EQ(again.events(), 6 * kRows);
    EXPECT_TRUE(again.settle());
}

TEST_F(Shipping, APieceThatIsDoneWithBeforeAKillIsNotPublishedTwice) {
    write(2, false);
    publish::Run done = run();
    done.pieces_done = 1;
    done.events_done = 2 * kRows;
    ASSERT_TRUE(spool_->write_down(done));  // and killed before the file was gone
    Shipment shipment = make();
    shipment.take_over();
    EXPECT_EQ(ship(shipment), 5u);
    EXPECT_EQ(shipment.events(), 4 * kRows);
}

TEST_F(Shipping, APieceThatWasBegunAndNeverWrittenJustGoes) {
    write(1, false);
    std::ofstream(spool_->path_of("c", 2)).flush();
    Shipment shipment = make();
    shipment.take_over();
    ship(shipment);
    ship(shipment);
    EXPECT_TRUE(shipment.settle());
    EXPECT_TRUE(said_.empty());
}

TEST_F(Shipping, APieceThatCannotBeReadIsPutAsideAndSaid) {
    write(2, false);
    std::ofstream(spool_->path_of("c", 1), std::ios::trunc) << std::string(1000, 'x');
    Shipment shipment = make();
    shipment.take_over();
    std::uint64_t sent = 0;
    for (int i = 0; i < 3; ++i) sent += ship(shipment);
    EXPECT_EQ(sent, 5u);
    EXPECT_TRUE(shipment.settle());
    ASSERT_EQ(said_.size(), 1u);
    EXPECT_NE(said_.front().find("an unknown number of events, 0 at the least, is missing"), std::string::npos)
        << said_.front();
    EXPECT_TRUE(std::filesystem::exists(folder() + "/c-1.damaged"));
}

TEST_F(Shipping, WhatIsMissingOfAPieceThatCannotBeReadFurtherIsCountedOnceAllOfItIsAnswered) {
    write(1, false);
    Shipment shipment = make();
    shipment.set_written(1, true);
    const auto first = shipment.next();
    ASSERT_TRUE(first);
    std::filesystem::resize_file(spool_->path_of("c", 1), capture::kFileHeaderBytes + first->body.size());
    EXPECT_FALSE(shipment.next());
    EXPECT_FALSE(shipment.settle());
    EXPECT_TRUE(said_.empty()) << "the first half may be in the stream";
    shipment.acknowledge(first->headers.id, 1);
    EXPECT_TRUE(shipment.settle());
    EXPECT_EQ(shipment.events(), kRows);
    EXPECT_EQ(shipment.lost(), kRows);
    EXPECT_EQ(run().lost_done, kRows) << "for a later agent";
    ASSERT_EQ(said_.size(), 1u);
    EXPECT_NE(said_.front().find("c-1.damaged; 100 events are missing in the fleet, and 100 are counted as dropped"),
              std::string::npos)
        << said_.front();
    EXPECT_EQ(spool_->bytes(), 0u);
}

// While it is written nobody knows whether more comes.
TEST_F(Shipping, APieceThatIsCutOffOnceItIsCompleteIsPutAsideAndHoldsUpNobody) {
    write(4, false);
    std::filesystem::resize_file(spool_->path_of("c", 1), 300);
    Shipment shipment = make();
    shipment.set_written(1, false);
    EXPECT_EQ(ship(shipment), 0u);
    EXPECT_FALSE(shipment.settle());
    EXPECT_TRUE(said_.empty());
    std::filesystem::resize_file(spool_->path_of("c", 2), 0);
    shipment.set_written(4, true);
    while (ship(shipment) > 0) {
    }
    EXPECT_TRUE(shipment.settle());
    EXPECT_EQ(shipment.events(), 4 * kRows);
    EXPECT_EQ(shipment.lost(), 4 * kRows);
    ASSERT_EQ(said_.size(), 2u);
    for (const std::string& said : said_)
        EXPECT_NE(said.find("200 events are missing in the fleet, and 200 are counted as dropped"), std::string::npos)
            << said;
    EXPECT_TRUE(std::filesystem::exists(folder() + "/c-1.damaged"));
    EXPECT_TRUE(spool_->pieces_of("c").empty());
}

// Else its writer's last rows were neither published nor dropped.
TEST_F(Shipping, ABrokenPieceIsPutAsideOnceItIsWritten) {
    SpoolWriter writer(*spool_, "c");
    ASSERT_TRUE(writer.add(rows(), start_));
    ASSERT_TRUE(writer.flush(start_));
    const std::string path = spool_->path_of("c", 1);
    std::ofstream(path, std::ios::app) << std::string(100'000, '\xff');
    Shipment shipment = make();
    shipment.set_written(1, false);
    ship(shipment);
    EXPECT_FALSE(shipment.settle());
    EXPECT_TRUE(said_.empty());
    EXPECT_TRUE(spool_->has("c", 1));
    ASSERT_TRUE(writer.add(rows(), start_));
    ASSERT_TRUE(writer.finish());
    shipment.set_written(1, true);
    EXPECT_FALSE(shipment.next());
    EXPECT_TRUE(shipment.settle());
    EXPECT_EQ(shipment.events() + shipment.lost(), 2 * kRows);
    EXPECT_EQ(said_.size(), 1u);
    EXPECT_EQ(spool_->bytes(), 0u);
}

TEST_F(Shipping, APieceWhoseNameIsTakenIsPutAsideInItsOwnFolderAndNoLaterAgentTouchesIt) {
    write(2, false);
    std::ofstream(spool_->path_of("c", 1), std::ios::trunc) << std::string(1000, 'x');
    std::filesystem::create_directories(folder() + "/c-1.damaged");
    Shipment shipment = make();
    shipment.set_written(2, true);
    ship(shipment);
    EXPECT_TRUE(shipment.settle());
    const std::string aside = spool_->path_of("c", 1) + ".damaged";
    ASSERT_EQ(said_.size(), 1u);
    EXPECT_NE(said_.front().find("was put aside as " + aside), std::string::npos) << said_.front();
    Shipment later = make();
    later.take_over();
    EXPECT_FALSE(later.next());
    EXPECT_TRUE(later.settle());
    later.forget();
    EXPECT_TRUE(std::filesystem::exists(aside));
    EXPECT_EQ(spool_->bytes(), 0u);
}

TEST_F(Shipping, APieceThatCannotBePutAsideIsSaidToStay) {
    write(1, false);
    std::ofstream(spool_->path_of("c", 1), std::ios::trunc) << std::string(1000, 'x');
    std::filesystem::create_directories(folder() + "/c-1.damaged");
    std::filesystem::create_directories(spool_->path_of("c", 1) + ".damaged");
    Shipment shipment = make();
    shipment.take_over();
    EXPECT_FALSE(shipment.next());
    ASSERT_EQ(said_.size(), 1u);
    EXPECT_NE(said_.front().find("it stays, as it cannot be put aside as"), std::string::npos) << said_.front();
    EXPECT_TRUE(spool_->has("c", 1));
    EXPECT_GT(spool_->bytes(), 0u);
}

TEST_F(Shipping, APieceStaysUntilItIsWrittenDownThatItIsPublished) {
    write(2, false);
    Shipment shipment = make();
    shipment.set_written(2, true);
    ship(shipment);
    {
        const FullDisk full(0);
        EXPECT_FALSE(shipment.settle());
        EXPECT_EQ(spool_->pieces_of("c"), (std::vector<std::uint64_t>{1, 2}));
        EXPECT_EQ(shipment.events(), 4 * kRows) << "and is not counted twice";
    }
    EXPECT_TRUE(shipment.settle());
    EXPECT_TRUE(spool_->pieces_of("c").empty());
    EXPECT_EQ(run().events_done, 4 * kRows);
}

TEST_F(Shipping, APieceThatIsGoneHoldsUpNobody) {
    write(3, true);
    Shipment shipment = make();
    shipment.take_over();
    std::filesystem::remove(spool_->path_of("c", 2));
    while (ship(shipment) > 0) {
    }
    EXPECT_EQ(shipment.events(), 4 * kRows);
    EXPECT_TRUE(shipment.settle());
}

}  // namespace
}  // namespace sla::publish
