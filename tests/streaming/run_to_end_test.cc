#include "tests/streaming/run_to_end.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/session.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::streaming {
namespace {

using base::IsOkAndHolds;
using remotecommand::Channel;
using remotecommand::Output;

// A command that reads all of its stdin, writes it, and writes its size to stderr.
class FakeSession final : public remotecommand::Session {
 public:
  absl::StatusOr<std::optional<Output>> Read(const Context& ctx) override {
    KUBE_RETURN_IF_ERROR(ended_.Wait(ctx));
    std::optional<Output> output;
    if (reads_ == 0) output = Output{.channel = Channel::kStdout, .data = input_};
    if (reads_ == 1) {
      output = Output{.channel = Channel::kStderr, .data = absl::StrCat(input_.size())};
    }
    ++reads_;
    return output;
  }
  absl::Status WriteStdin(const Context&, absl::string_view data) override {
    absl::StrAppend(&input_, data);
    return absl::OkStatus();
  }
  absl::Status CloseStdin(const Context&) override {
    ended_.Set();
    return absl::OkStatus();
  }
  absl::Status Resize(const Context&, remotecommand::TerminalSize) override {
    return absl::OkStatus();
  }
  absl::Status Wait(const Context&) override { return remotecommand::MakeExitError(3); }
  void Close() override {}
  absl::string_view protocol() const override { return ""; }

 private:
  base::Event ended_;
  std::string input_;
  int reads_ = 0;
};

TEST(RunToEndTest, KeepsAllThatACommandTells) {
  FakeSession session;
  const Ended ended = RunToEnd(Context(), session, TextSource("hello"));
  EXPECT_EQ(ended.out, "hello");
  EXPECT_EQ(ended.err, "5");
  EXPECT_EQ(remotecommand::ExitCodeOf(ended.outcome), 3);
}

TEST(TextSourceTest, Ends) {
  auto source = TextSource("hello");
  EXPECT_THAT(source(Context()), IsOkAndHolds("hello"));
  EXPECT_THAT(source(Context()), IsOkAndHolds(""));
}

}  // namespace
}  // namespace kube::streaming
