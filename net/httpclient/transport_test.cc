#include "net/httpclient/transport.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"

namespace kube::httpclient {
namespace {

using ::kube::base::IsOk;

// Keeps the requests and answers them with 204. Its responses have no body, not even an empty one.
class RecordingTransport final : public Transport {
 public:
  absl::StatusOr<HttpResponse> RoundTrip(const Context& ctx, HttpRequest request) override {
    if (ctx.done()) return ctx.status();
    requests.push_back(std::move(request));
    return HttpResponse{.status = 204};
  }
  void CloseIdleConnections() override { ++closed; }

  std::vector<HttpRequest> requests;
  int closed = 0;
};

// The example of the header.
class Stamp final : public Transport {
 public:
  explicit Stamp(std::shared_ptr<Transport> next) : next_(std::move(next)) {}
  absl::StatusOr<HttpResponse> RoundTrip(const Context& ctx, HttpRequest request) override {
    request.headers.Set("x-request-id", base::RandomString(16));
    return next_->RoundTrip(ctx, std::move(request));
  }
  void CloseIdleConnections() override { next_->CloseIdleConnections(); }

 private:
  const std::shared_ptr<Transport> next_;
};

TEST(TransportTest, AWrapperAddsAHeader_AsInTheHeader) {
  const auto network = std::make_shared<RecordingTransport>();
  const TransportWrapper wrapper = [](std::shared_ptr<Transport> next) {
    return std::make_shared<Stamp>(std::move(next));
  };
  const std::shared_ptr<Transport> transport = wrapper(network);
  const absl::StatusOr<HttpResponse> response =
      transport->RoundTrip(Context(), {.url = "http://localhost/healthz"});
  ASSERT_THAT(response.status(), IsOk());
  EXPECT_EQ(response->status, 204);
  ASSERT_EQ(network->requests.size(), 1u);
  EXPECT_EQ(network->requests[0].url, "http://localhost/healthz");
  const std::optional<absl::string_view> id = network->requests[0].headers.Get("x-request-id");
  ASSERT_TRUE(id.has_value());
  EXPECT_EQ(id->size(), 16u);
  transport->CloseIdleConnections();
  EXPECT_EQ(network->closed, 1);
}

}  // namespace
}  // namespace kube::httpclient
