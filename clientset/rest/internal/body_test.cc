#include "clientset/rest/internal/body.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/watch/byte_stream.h"
#include "clientset/rest/testing/scripted_stream.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"

namespace kube::rest::internal {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

// Returns "one", "two", and then `end`.
std::unique_ptr<watch::ByteStream> OneTwo(absl::Status end = absl::OkStatus()) {
  auto stream = std::make_shared<ScriptedStream>();
  stream->Write("one");
  stream->Write("two");
  stream->End(std::move(end));
  ScriptedTransport transport;
  transport.Expect({}, {.stream = stream});
  return transport.RoundTrip(Context(), {.url = "http://h/"}).value().body;
}

TEST(BodyTest, ReadAll) {
  EXPECT_THAT(ReadAll(Context(), *OneTwo(), ""), IsOkAndHolds("onetwo"));
  // A length is a hint.
  EXPECT_THAT(ReadAll(Context(), *OneTwo(), "99999999999999"), IsOkAndHolds("onetwo"));
  EXPECT_THAT(ReadAll(Context(), *OneTwo(absl::DataLossError("cut")), "x").status(),
              StatusIs(absl::StatusCode::kDataLoss, "cut"));
}

TEST(BodyTest, ReadSome) {
  EXPECT_EQ(ReadSome(Context(), *OneTwo(), 4), "onet");
  EXPECT_EQ(ReadSome(Context(), *OneTwo(absl::DataLossError("cut")), 100), "onetwo");
}

TEST(BodyTest, EmptyResponse) {
  const httpclient::HttpResponse response = EmptyResponse();
  EXPECT_EQ(response.status, 200);
  EXPECT_THAT(response.body->Read(Context()), IsOkAndHolds(""));
}

}  // namespace
}  // namespace kube::rest::internal
