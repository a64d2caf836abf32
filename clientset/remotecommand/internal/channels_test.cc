#include "clientset/remotecommand/internal/channels.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/remotecommand/protocol.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::remotecommand::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr absl::StatusCode kFailedPrecondition = absl::StatusCode::kFailedPrecondition;
constexpr absl::StatusCode kUnavailable = absl::StatusCode::kUnavailable;

constexpr absl::string_view kSuccess = R"({"metadata":{},"status":"Success"})";

class Recorder final : public Channels::Events {
 public:
  void OnOutput(Channel channel, absl::string_view data) override {
    events_.push_back(absl::StrCat(StreamTypeOf(channel), " ", data));
  }
  void OnEnd(const absl::Status& outcome) override {
    events_.push_back(absl::StrCat("end ", outcome.ToString()));
  }
  void OnPong(uint64_t number) override { events_.push_back(absl::StrCat("pong ", number)); }

  const std::vector<std::string>& events() const { return events_; }

 private:
  std::vector<std::string> events_;
};

// A carrier of which the test calls what others call when bytes arrive: each byte that it receives
// is an order.
class OrderedChannels final : public Channels {
 public:
  using Channels::Channels;

  absl::Status Open(std::string&) override { return absl::OkStatus(); }
  bool opened() const override { return true; }
  uint64_t SendPing(std::string&) override { return 1; }
  void Close(std::string&) override {}
  void Produce(std::string&) override {}

 private:
  absl::Status ReceiveBytes(absl::string_view bytes) override {
    for (const char order : bytes) {
      if (order == 'o') Take(Channel::kStdout, "out");
      if (order == 'e') Take(Channel::kStderr, "err");
      if (order == 'i') Take(Channel::kStdin, "in");
      if (order == 'x') Take(static_cast<Channel>(9), "x");
      if (order == 's') Take(Channel::kError, kSuccess);
      if (order == 'h') Take(Channel::kError, kSuccess.substr(0, 10));
      if (order == 't') Take(Channel::kError, "text");
      if (order == 'm') Take(Channel::kError, std::string(kMaxErrorBytes, ' '));
      if (order == '.') End();
      if (order == '!') EndEarly(absl::UnavailableError("broken"));
      if (order == 'c') SetStdinClosed();
      if (order == '?') return absl::DataLossError("wrong");
    }
    return absl::OkStatus();
  }
  absl::Status SendData(Channel channel, absl::string_view data, std::string& out) override {
    absl::StrAppend(&out, StreamTypeOf(channel), " ", data);
    return absl::OkStatus();
  }
  bool CanEndStdin() const override { return version() >= 5; }
  absl::Status EndStdin(std::string& out) override {
    absl::StrAppend(&out, "end");
    return absl::OkStatus();
  }
};

ChannelsOptions All(absl::string_view protocol = kProtocolV5) {
  return {.protocol = std::string(protocol),
          .with_stdin = true,
          .with_stdout = true,
          .with_stderr = true};
}

// behaviour.md: ST-16
TEST(ChannelsTest, OutputAndEnd) {
  const struct {
    const char* name;
    ChannelsOptions options;
    const char* orders;
    std::vector<std::string> events;
  } rows[] = {
      {"both outputs", All(), "oeo", {"stdout out", "stderr err", "stdout out"}},
      {"outputs that were not asked for", {.with_stdin = true}, "oe", {}},
      {"channels of the client, and unknown ones", All(), "ix", {}},
      {"success", All(), "os.", {"stdout out", "end OK"}},
      {"no outcome and a regular end", All(), ".", {"end OK"}},
      {"nothing after the end", All(), "s.oe.", {"end OK"}},
      {"version 3", All(kProtocolV3), "t.", {"end UNKNOWN: error executing remote command: text"}},
      {"version 1", All(kProtocolV1), ".", {"end OK"}},
      {"an early end after the outcome", All(), "os!", {"stdout out", "end OK"}},
      {"an early end after a text",
       All(kProtocolV2),
       "t!",
       {"end UNKNOWN: error executing remote command: text"}},
  };
  for (const auto& row : rows) {
    Recorder recorder;
    OrderedChannels channels(row.options, recorder);
    EXPECT_THAT(channels.Receive(row.orders), IsOk()) << row.name;
    EXPECT_EQ(recorder.events(), row.events) << row.name;
  }
}

TEST(ChannelsTest, Failures) {
  const struct {
    const char* name;
    const char* orders;
    absl::StatusCode code;
    const char* message;
    std::vector<std::string> events;
  } rows[] = {
      {"an early end", "o!", kUnavailable, "broken", {"stdout out"}},
      {"an early end after half an outcome", "h!", kUnavailable, "broken", {}},
      {"the peer is wrong", "o?", absl::StatusCode::kDataLoss, "wrong", {"stdout out"}},
      {"the peer is wrong after the outcome", "s?", absl::StatusCode::kDataLoss, "wrong", {}},
      {"too much on the error stream",
       "smo.",
       absl::StatusCode::kResourceExhausted,
       "the error stream has more than 1048576 bytes",
       {}},
      {"the first failure counts", "!?", kUnavailable, "broken", {}},
  };
  for (const auto& row : rows) {
    Recorder recorder;
    OrderedChannels channels(All(), recorder);
    EXPECT_THAT(channels.Receive(row.orders), StatusIs(row.code, row.message)) << row.name;
    EXPECT_EQ(recorder.events(), row.events) << row.name;
    EXPECT_THAT(channels.Receive("o"), StatusIs(row.code, row.message)) << row.name;
    std::string out;
    EXPECT_THAT(channels.Send(Channel::kStdin, "a", out), StatusIs(row.code)) << row.name;
    EXPECT_FALSE(channels.ended()) << row.name;
  }
}

// behaviour.md: ST-24
TEST(ChannelsTest, EndOfInput) {
  const struct {
    const char* name;
    const char* orders;
    absl::Status cause;
    absl::Status status;
  } rows[] = {
      {"a closed connection", "o", absl::OkStatus(),
       absl::UnavailableError("the connection was closed before the server told the outcome")},
      {"a lost connection", "o", absl::UnavailableError("reset"), absl::UnavailableError("reset")},
      {"after the outcome", "os", absl::UnavailableError("reset"), absl::OkStatus()},
      {"after half an outcome", "h", absl::UnavailableError("reset"),
       absl::UnavailableError("reset")},
      {"after the end", "s.", absl::UnavailableError("reset"), absl::OkStatus()},
  };
  for (const auto& row : rows) {
    Recorder recorder;
    OrderedChannels channels(All(), recorder);
    ASSERT_THAT(channels.Receive(row.orders), IsOk()) << row.name;
    EXPECT_EQ(channels.EndOfInput(row.cause), row.status) << row.name;
    EXPECT_EQ(channels.ended(), row.status.ok()) << row.name;
  }
}

// behaviour.md: ST-8, ST-22
TEST(ChannelsTest, WhatMayBeSent) {
  const ChannelsOptions terminal = {.with_stdin = true, .with_stdout = true, .tty = true};
  ChannelsOptions old_terminal = terminal;
  old_terminal.protocol = std::string(kProtocolV2);
  const struct {
    const char* name;
    ChannelsOptions options;
    const char* orders;
    Channel channel;
    const char* error;  // "" if it may be sent
  } rows[] = {
      {"stdin", All(), "", Channel::kStdin, ""},
      {"stdin that was not asked for",
       {.with_stdout = true},
       "",
       Channel::kStdin,
       "stdin was not asked for"},
      {"stdin that the server has closed", All(), "c", Channel::kStdin, "stdin was closed"},
      {"stdin after the end", All(), "s.", Channel::kStdin, "the command has ended"},
      {"a size", terminal, "", Channel::kResize, ""},
      {"a size without a terminal", All(), "", Channel::kResize, "the command has no terminal"},
      {"a size in version 2", old_terminal, "", Channel::kResize,
       "v2.channel.k8s.io has no sizes of terminals"},
      {"a size after the end", terminal, "s.", Channel::kResize, "the command has ended"},
  };
  for (const auto& row : rows) {
    Recorder recorder;
    OrderedChannels channels(row.options, recorder);
    ASSERT_THAT(channels.Receive(row.orders), IsOk()) << row.name;
    std::string out;
    const absl::Status status = channels.Send(row.channel, "abc", out);
    EXPECT_EQ(status.message(), row.error) << row.name;
    EXPECT_EQ(status.ok(), row.error[0] == '\0') << row.name;
    EXPECT_EQ(out, status.ok() ? absl::StrCat(StreamTypeOf(row.channel), " abc") : "") << row.name;
  }
}

// behaviour.md: ST-17
TEST(ChannelsTest, StdinEndsOnce) {
  Recorder recorder;
  OrderedChannels channels(All(), recorder);
  std::string out;
  EXPECT_THAT(channels.CloseStdin(out), IsOk());
  EXPECT_THAT(channels.CloseStdin(out), IsOk());
  EXPECT_EQ(out, "end");
  EXPECT_THAT(channels.Send(Channel::kStdin, "a", out),
              StatusIs(kFailedPrecondition, "stdin was closed"));
  ASSERT_THAT(channels.Receive("s."), IsOk());
  EXPECT_THAT(channels.CloseStdin(out), StatusIs(kFailedPrecondition, "the command has ended"));
  EXPECT_THAT(recorder.events(), ElementsAre("end OK"));
}

TEST(ChannelsTest, ACarrierMayNotBeAbleToEndStdin) {
  Recorder recorder;
  OrderedChannels channels(All(kProtocolV4), recorder);
  std::string out;
  EXPECT_THAT(channels.CloseStdin(out),
              StatusIs(kFailedPrecondition, HasSubstr("v4.channel.k8s.io cannot end stdin")));
  EXPECT_THAT(channels.Send(Channel::kStdin, "a", out), IsOk());
  EXPECT_EQ(out, "stdin a");
  EXPECT_THAT(recorder.events(), IsEmpty());
}

}  // namespace
}  // namespace kube::remotecommand::internal
