// Both ends of TLS in one thread, over a socket pair.
#include <utility>  // before Asio, which forgets it

#include "proto/common/tls/certificate.h"
#include "proto/common/tls/private_file.h"
#include "proto/common/tls/transport.h"
#include "tests/support/process.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <optional>

namespace sla::tls {
namespace {

using boost::system::error_code;

class TlsStream : public testing::Test {
protected:
    Files make_files(const std::string& name) {
        Files files{directory_.file(name + "-cert"), directory_.file(name + "-key")};
        const auto made = make_certificate({name}, 1);
        EXPECT_TRUE(write_private(files.certificate, made->certificate).ok());
        EXPECT_TRUE(write_private(files.key, made->key).ok());
        fingerprint_ = made->fingerprint;
        return files;
    }
    std::pair<Transport, Transport> pair() {
        boost::asio::local::stream_protocol::socket one(io_);
        boost::asio::local::stream_protocol::socket other(io_);
        boost::asio::local::connect_pair(one, other);
        return {Transport(std::move(one)), Transport(std::move(other))};
    }
    support::TempDir directory_;
    boost::asio::io_context io_;
    std::string fingerprint_;  // of the files that were made last
};

TEST_F(TlsStream, CarriesLargeWritesWholeAndShowsBothFingerprints) {
    const Files ours = make_files("client");
    const std::string of_client = fingerprint_;
    const Context agent = *Context::for_agent(make_files("agent"));
    EXPECT_EQ(agent.fingerprint(), fingerprint_);
    auto [here, there] = pair();
    const std::string sent(300'000, 'x');
    const std::string more = "and more";
    std::string got;
    std::array<char, 4096> buffer{};
    here.start_tls(agent).handshake(Stream::End::kAgent, [&, &transport = here](const error_code& error) {
        ASSERT_FALSE(error) << error.message();
        transport.write({boost::asio::buffer(sent), boost::asio::buffer(more)},
                        [](const error_code& failed, std::size_t) { EXPECT_FALSE(failed); });
    });
    Transport& client = there;
    std::function<void()> read = [&] {
        client.read_some(boost::asio::buffer(buffer), [&](const error_code& error, std::size_t n) {
            ASSERT_FALSE(error) << error.message();
            got.append(buffer.data(), n);
            if (got.size() < sent.size() + more.size()) read();
        });
    };
    there.start_tls(*Context::for_client(&ours)).handshake(Stream::End::kClient, [&](const error_code& error) {
        ASSERT_FALSE(error) << error.message();
        read();
    });
    io_.run();
    EXPECT_EQ(got, sent + more);
    EXPECT_EQ(there.tls()->peer_fingerprint(), fingerprint_);
    EXPECT_EQ(here.tls()->peer_fingerprint(), of_client);
}

TEST_F(TlsStream, WithoutAClientCertificateShowsNone) {
    const Context agent = *Context::for_agent(make_files("agent"));
    auto [here, there] = pair();
    int done = 0;
    const auto count = [&done](const error_code& error) { done += error ? 0 : 1; };
    here.start_tls(agent).handshake(Stream::End::kAgent, count);
    there.start_tls(*Context::for_client(nullptr)).handshake(Stream::End::kClient, count);
    io_.run();
    EXPECT_EQ(done, 2);
    EXPECT_EQ(here.tls()->peer_fingerprint(), "");
}

TEST_F(TlsStream, ReportsThatTheOtherEndSpeaksInPlain) {
    auto [here, there] = pair();
    std::optional<HandshakeFailure> failure;
    there.start_tls(*Context::for_client(nullptr)).handshake(Stream::End::kClient, [&](const error_code& error) {
        failure = failure_of(error);
    });
    const std::string plain = "a frame or a page, in any case no TLS";
    here.write({boost::asio::buffer(plain)}, [](const error_code&, std::size_t) {});
    io_.run();
    ASSERT_TRUE(failure.has_value());
    EXPECT_TRUE(failure->speaks_plain) << failure->text;
}

TEST_F(TlsStream, KeysAndCertificatesThatWillNotDoAreRefusedInWords) {
    const Files agent = make_files("agent");
    const Files other = make_files("other");
    const auto complaint = [](const Files& files) {
        const auto context = Context::for_agent(files);
        return context ? "accepted" : context.error().message;
    };
    EXPECT_EQ(complaint(agent), "accepted");
    EXPECT_NE(complaint({agent.certificate, other.key}).find("cannot use the key in " + other.key), std::string::npos)
        << complaint({agent.certificate, other.key});
    EXPECT_EQ(Context::for_agent({agent.certificate, directory_.file("none")}).error().code, ErrorCode::kNotFound);
    ASSERT_TRUE(write_private(other.key, "garbage").ok());
    EXPECT_NE(complaint(other).find("cannot use the key in " + other.key), std::string::npos) << complaint(other);
    ASSERT_TRUE(write_private(other.certificate, "garbage").ok());
    EXPECT_NE(complaint(other).find("holds no certificate"), std::string::npos);
    chmod(agent.key.c_str(), 0644);
    EXPECT_NE(complaint(agent).find("can be read by others"), std::string::npos);
}

}  // namespace
}  // namespace sla::tls
