// Clients that speak CBOR with the embedded API server, which does so if it is told to.
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/decode_unstructured.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/watch/event.h"
#include "apiserver/handler.h"
#include "clientset/dynamic/cbor_transport.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::dynamic {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using unstructured::Unstructured;
using ConfigMaps = typed::TypedClient<corev1::ConfigMap, corev1::ConfigMapList>;

constexpr typed::Resource kConfigMaps = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};

// Remembers the content types of the last request and its response. For one thread.
class Wiretap final : public httpclient::Transport {
 public:
  explicit Wiretap(std::shared_ptr<httpclient::Transport> next) : next_(std::move(next)) {}

  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                     httpclient::HttpRequest request) override {
    sent = std::string(request.headers.Get("content-type").value_or(""));
    absl::StatusOr<httpclient::HttpResponse> response = next_->RoundTrip(ctx, std::move(request));
    if (response.ok()) {
      received = std::string(response->headers.Get("content-type").value_or(""));
    }
    return response;
  }
  void CloseIdleConnections() override { next_->CloseIdleConnections(); }

  std::string sent;
  std::string received;

 private:
  const std::shared_ptr<httpclient::Transport> next_;
};

class CborServerTest : public testing::Test {
 protected:
  // Starts a server, and returns a client that would rather speak CBOR.
  rest::Client Start(bool server_speaks_cbor, const std::string& content_type = "") {
    server_ = std::make_unique<apiserver::ApiHandler>(
        apiserver::HandlerOptions{.cbor = server_speaks_cbor});
    rest::Config config = envtest::InProcessConfig(*server_);
    config.content_type = content_type;
    tap_ = std::make_shared<Wiretap>(config.transport);
    config.transport = MakeCborTransport(tap_, {.send = true, .typed = true});
    return rest::MakeClient(config).value();
  }

  static ResourceClient Maps(const rest::Client& client) {
    return DynamicClient(client)
        .Resource({.version = "v1", .resource = "configmaps"})
        .Namespace("default");
  }

  const Context ctx_{};
  const Unstructured map_ = *unstructured::DecodeUnstructured(
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"data":{"k":"v"}})");
  std::unique_ptr<apiserver::ApiHandler> server_;
  std::shared_ptr<Wiretap> tap_;
};

// behaviour.md: COD-16
TEST_F(CborServerTest, DynamicClient_WritesReadsAndWatchesInCbor) {
  const ResourceClient maps = Maps(Start(/*server_speaks_cbor=*/true));
  EXPECT_THAT(maps.Create(ctx_, map_), IsOk());
  EXPECT_EQ(tap_->sent, "application/cbor");
  EXPECT_EQ(tap_->received, "application/cbor");
  EXPECT_THAT(maps.Apply(ctx_, "m", map_, {.force = true, .field_manager = "me"}), IsOk());
  EXPECT_EQ(tap_->sent, "application/apply-patch+cbor");
  const absl::StatusOr<Unstructured> got = maps.Get(ctx_, "m");
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(got->object.find("data")->Find("k")->text(), "v");
  EXPECT_TRUE(errors::IsNotFound(maps.Get(ctx_, "other").status()));
  EXPECT_EQ(tap_->received, "application/cbor");

  const auto watcher = maps.Watch(ctx_, {.field_selector = "metadata.name=m"});
  ASSERT_THAT(watcher, IsOk());
  EXPECT_EQ(tap_->received, "application/cbor-seq");
  const auto event = (*watcher)->Next(ctx_);
  ASSERT_THAT(event, IsOk());
  ASSERT_TRUE(event->has_value());
  EXPECT_EQ((*event)->type, watch::EventType::kAdded);
  EXPECT_EQ((*event)->object->name(), "m");
}

TEST_F(CborServerTest, TypedClientOfJson_WritesAndReadsCbor) {
  const rest::Client client = Start(/*server_speaks_cbor=*/true, "application/json");
  const ConfigMaps maps = ConfigMaps(client, kConfigMaps).Namespace("default");
  const corev1::ConfigMap map = {
      .metadata = {.name = "m"}, .data = {{"k", "v"}}, .binary_data = {{"b", "\x01\x02"}}};
  EXPECT_THAT(maps.Create(ctx_, map), IsOk());
  EXPECT_EQ(tap_->sent, "application/cbor");
  const absl::StatusOr<corev1::ConfigMap> got = maps.Get(ctx_, "m");
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(tap_->received, "application/cbor");
  EXPECT_EQ(got->data, map.data);
  EXPECT_EQ(got->binary_data, map.binary_data);
}

// behaviour.md: REST-23
TEST_F(CborServerTest, AServerWithoutCbor_IsSpokenToInJsonAfterOneRefusal) {
  const ResourceClient maps = Maps(Start(/*server_speaks_cbor=*/false));
  EXPECT_TRUE(errors::IsUnsupportedMediaType(maps.Create(ctx_, map_).status()));
  EXPECT_EQ(tap_->sent, "application/cbor");
  EXPECT_THAT(maps.Create(ctx_, map_), IsOk());
  EXPECT_EQ(tap_->sent, "application/json");
  EXPECT_EQ(tap_->received, "application/json");
}

}  // namespace
}  // namespace kube::dynamic
