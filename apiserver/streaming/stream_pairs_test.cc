#include "apiserver/streaming/stream_pairs.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/spdy/session.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using base::StatusIs;

// A stream without a session, which counts its resets.
class StreamAlone final : public spdy::SessionStream {
 public:
  explicit StreamAlone(int* resets = nullptr) : resets_(resets) {}

  const http::Headers& headers() const override { return headers_; }
  absl::Status Reply() override { return absl::OkStatus(); }
  void Reset() override {
    if (resets_ != nullptr) ++*resets_;
  }
  absl::StatusOr<std::string> Read(const Context&) override { return std::string(); }
  absl::Status Write(const Context&, absl::string_view) override { return absl::OkStatus(); }
  absl::Status Flush(const Context&) override { return absl::OkStatus(); }
  absl::Status CloseWrite() override { return absl::OkStatus(); }
  void Close() override {}

 private:
  const http::Headers headers_;
  int* const resets_;
};

std::unique_ptr<spdy::SessionStream> NewStream() { return std::make_unique<StreamAlone>(); }

const base::MonotonicTime kStart(absl::Seconds(100));

// behaviour.md: ST-45
TEST(ParsePortStream, ReadsHeaders) {
  const auto data = ParsePortStream({{"streamtype", "data"}, {"port", "8080"}, {"requestid", "7"}});
  ASSERT_THAT(data, IsOk());
  EXPECT_EQ(data->port, 8080);
  EXPECT_FALSE(data->is_error);
  EXPECT_EQ(data->request_id, "7");
  const auto error = ParsePortStream({{"port", "65535"}, {"streamtype", "error"}});
  ASSERT_THAT(error, IsOk());
  EXPECT_TRUE(error->is_error);
  EXPECT_EQ(error->request_id, "");
}

// behaviour.md: ST-45
TEST(ParsePortStream, RefusesInUpstreamsWords) {
  struct Case {
    const char* name;
    http::Headers headers;
    const char* message;
  };
  const Case cases[] = {
      {"no port", {{"streamtype", "data"}}, "\"port\" header is required"},
      {"no number",
       {{"port", "http"}, {"streamtype", "data"}},
       "unable to parse \"http\" as a port"},
      {"a sign", {{"port", "+1"}, {"streamtype", "data"}}, "unable to parse \"+1\" as a port"},
      {"too large",
       {{"port", "65536"}, {"streamtype", "data"}},
       "unable to parse \"65536\" as a port"},
      {"zero", {{"port", "0"}, {"streamtype", "data"}}, "port \"0\" must be > 0"},
      {"no type", {{"port", "1"}}, "\"streamType\" header is required"},
      {"another type", {{"port", "1"}, {"streamtype", "Data"}}, "invalid stream type \"Data\""},
  };
  for (const Case& each : cases) {
    EXPECT_THAT(ParsePortStream(each.headers),
                StatusIs(absl::StatusCode::kInvalidArgument, each.message))
        << each.name;
  }
}

// behaviour.md: ST-46
TEST(StreamPairs, FindsWhatBelongsTogether) {
  StreamPairs pairs;
  EXPECT_FALSE(
      pairs.Add({.port = 80, .is_error = true, .request_id = "0"}, NewStream(), kStart).complete);
  EXPECT_FALSE(
      pairs.Add({.port = 81, .is_error = true, .request_id = "1"}, NewStream(), kStart).complete);
  const StreamPairs::Added first =
      pairs.Add({.port = 80, .is_error = false, .request_id = "0"}, NewStream(), kStart);
  ASSERT_TRUE(first.complete.has_value());
  EXPECT_EQ(first.complete->port, 80);
  EXPECT_EQ(first.complete->request_id, "0");
  EXPECT_NE(first.complete->data, nullptr);
  EXPECT_NE(first.complete->error, nullptr);
  EXPECT_TRUE(
      pairs.Add({.port = 81, .is_error = false, .request_id = "1"}, NewStream(), kStart).complete);
  EXPECT_TRUE(pairs.NextTimeout().is_infinite());
}

// behaviour.md: ST-46
TEST(StreamPairs, UnderstandsOldClients) {
  StreamPairs pairs;
  for (int connection = 0; connection < 3; ++connection) {
    EXPECT_FALSE(pairs.Add({.port = 80, .is_error = true}, NewStream(), kStart).complete);
    EXPECT_TRUE(pairs.Add({.port = 80, .is_error = false}, NewStream(), kStart).complete);
  }
}

// behaviour.md: ST-46
TEST(StreamPairs, RefusesASecondStreamOfAType) {
  StreamPairs pairs;
  auto error = NewStream();
  spdy::SessionStream* const first = error.get();
  pairs.Add({.port = 80, .is_error = true, .request_id = "3"}, std::move(error), kStart);
  int resets = 0;
  const StreamPairs::Added again = pairs.Add({.port = 80, .is_error = true, .request_id = "3"},
                                             std::make_unique<StreamAlone>(&resets), kStart);
  EXPECT_THAT(again.problem,
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "error processing stream for request 3: error stream already assigned"));
  EXPECT_EQ(again.refused, first);
  EXPECT_EQ(resets, 1);

  pairs.Add({.port = 80, .is_error = false, .request_id = "4"}, NewStream(), kStart);
  const StreamPairs::Added data =
      pairs.Add({.port = 80, .is_error = false, .request_id = "4"}, NewStream(), kStart);
  EXPECT_FALSE(data.problem.ok());
  EXPECT_EQ(data.refused, nullptr) << "there is no stream for the text";
}

// behaviour.md: ST-46
TEST(StreamPairs, WaitsForTheSecondStream) {
  StreamPairs pairs;
  pairs.Add({.port = 80, .is_error = true, .request_id = "0"}, NewStream(), kStart);
  pairs.Add({.port = 80, .is_error = false, .request_id = "1"}, NewStream(),
            kStart + absl::Seconds(5));
  EXPECT_EQ(pairs.NextTimeout(), kStart + absl::Seconds(30));
  EXPECT_TRUE(pairs.TakeExpired(kStart + absl::Seconds(29)).empty());
  const std::vector<StreamPair> expired = pairs.TakeExpired(kStart + absl::Seconds(30));
  ASSERT_EQ(expired.size(), 1u);
  EXPECT_EQ(expired[0].request_id, "0");
  EXPECT_EQ(expired[0].data, nullptr);
  EXPECT_EQ(pairs.NextTimeout(), kStart + absl::Seconds(35));
}

}  // namespace
}  // namespace kube::apiserver::internal
