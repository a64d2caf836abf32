#include "clientset/dynamic/cbor_transport.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/cbor.h"
#include "apimachinery/unstructured/decode_unstructured.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/watch/event.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::dynamic {
namespace {

using base::IsOk;
using rest::JsonReply;
using rest::ScriptedReply;
using unstructured::Unstructured;
using unstructured::Value;

constexpr char kWidget[] =
    R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"n":[1,1.0,1.5]})";
// As JSON says it, in which 1.0 is 1.
constexpr char kSentWidget[] =
    R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"n":[1,1,1.5]})";
constexpr char kCbor[] = "application/cbor";

std::string CborOf(absl::string_view json) {
  return unstructured::EncodeCbor(unstructured::ParseJson(json).value()).value();
}

ScriptedReply CborReply(std::string body, int status = 200,
                        const std::string& type = "application/cbor") {
  return {.status = status, .headers = {{"content-type", type}}, .body = std::move(body)};
}

class CborTransportTest : public testing::Test {
 protected:
  // Returns a client whose requests go through a CBOR transport.
  ResourceClient Widgets(const CborTransportOptions& options = {}) {
    const DynamicClient client(rest::MakeScriptedClient(MakeCborTransport(transport_, options)));
    return client.Resource({.group = "example.com", .version = "v1", .resource = "widgets"})
        .Namespace("prod");
  }
  void Expect(const char* method, ScriptedReply reply) {
    transport_->Expect({.method = method}, std::move(reply));
  }
  rest::RecordedRequest Last() { return transport_->requests().back(); }
  void TearDown() override { EXPECT_THAT(transport_->Verify(), IsOk()); }

  const std::shared_ptr<rest::ScriptedTransport> transport_ =
      std::make_shared<rest::ScriptedTransport>();
  const Unstructured widget_ = *unstructured::DecodeUnstructured(kWidget);
  const Context ctx_{};
};

// behaviour.md: COD-16
TEST_F(CborTransportTest, AsksForCborAndReadsIt) {
  const ResourceClient widgets = Widgets();
  Expect("GET", CborReply(CborOf(kWidget)));
  const absl::StatusOr<Unstructured> got = widgets.Get(ctx_, "w");
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(*got, widget_);
  EXPECT_EQ(Last().Header("accept"), "application/json;q=0.9,application/cbor;q=1");
  Expect("POST", JsonReply(kWidget));
  const absl::StatusOr<Unstructured> created = widgets.Create(ctx_, widget_);
  ASSERT_THAT(created, IsOk());
  EXPECT_EQ(*created, widget_);
  EXPECT_EQ(Last().Header("content-type"), "application/json");
}

// behaviour.md: REST-23
TEST_F(CborTransportTest, SendsCborUntilTheServerRefusesIt) {
  const ResourceClient widgets = Widgets({.send = true});
  Expect("POST", CborReply(CborOf(kWidget), 201));
  EXPECT_THAT(widgets.Create(ctx_, widget_), IsOk());
  EXPECT_EQ(Last().Header("content-type"), kCbor);
  EXPECT_EQ(Last().body, CborOf(kSentWidget));
  Expect("PATCH", CborReply(CborOf(kWidget)));
  EXPECT_THAT(widgets.Apply(ctx_, "w", widget_, {.field_manager = "me"}), IsOk());
  EXPECT_EQ(Last().Header("content-type"), "application/apply-patch+cbor");
  EXPECT_EQ(Last().body, CborOf(kSentWidget));
  Expect("PATCH", CborReply(CborOf(kWidget)));
  EXPECT_THAT(widgets.Patch(ctx_, "w", patch::PatchType::kMerge, "{}"), IsOk());
  EXPECT_EQ(Last().body, "{}");
  Expect("PUT", rest::StatusReply(415, "UnsupportedMediaType", "no"));
  EXPECT_FALSE(widgets.Update(ctx_, widget_).ok());
  EXPECT_EQ(Last().Header("content-type"), kCbor);
  Expect("PUT", JsonReply(kWidget));
  EXPECT_THAT(widgets.Update(ctx_, widget_), IsOk());
  EXPECT_EQ(Last().Header("content-type"), "application/json");
}

TEST_F(CborTransportTest, ReadsErrors) {
  Expect("GET", CborReply(CborOf(R"({"kind":"Status","apiVersion":"v1","status":"Failure",)"
                                 R"("reason":"NotFound","code":404})"),
                          404));
  EXPECT_TRUE(errors::IsNotFound(Widgets().Get(ctx_, "w").status()));
}

// behaviour.md: COD-16
TEST_F(CborTransportTest, ReadsWatches) {
  const Value object = Map<Value>(widget_.object);
  const std::string added =
      *unstructured::EncodeCbor(Map<Value>{{"type", "ADDED"}, {"object", object}});
  const std::string deleted =
      *unstructured::EncodeCbor(Map<Value>{{"type", "DELETED"}, {"object", object}});
  Expect("GET", CborReply(added + deleted, 200, "application/cbor-seq"));
  const ResourceClient widgets = Widgets();
  const auto watcher = widgets.Watch(ctx_, {.timeout_seconds = 60});
  ASSERT_THAT(watcher, IsOk());
  for (const watch::EventType type : {watch::EventType::kAdded, watch::EventType::kDeleted}) {
    const auto event = (*watcher)->Next(ctx_);
    ASSERT_THAT(event, IsOk());
    ASSERT_TRUE(event->has_value());
    EXPECT_EQ((*event)->type, type);
    EXPECT_EQ(*(*event)->object, widget_);
  }
}

TEST_F(CborTransportTest, LeavesOtherRequestsAlone) {
  Expect("GET", JsonReply("{}"));
  const auto response = MakeCborTransport(transport_, {.send = true})
                            ->RoundTrip(ctx_, {.url = "http://localhost/api",
                                               .headers = {{"accept", "application/json, */*"}}});
  ASSERT_THAT(response, IsOk());
  EXPECT_EQ(Last().Header("accept"), "application/json, */*");
}

rest::Config WithCbor(rest::Config config) {
  rest::Wrap(config, [](std::shared_ptr<httpclient::Transport> next) {
    return dynamic::MakeCborTransport(std::move(next), {.send = true});
  });
  return config;
}

TEST_F(CborTransportTest, WrapsTheTransportOfAConfiguration_AsInTheHeader) {
  const absl::StatusOr<rest::Client> client =
      rest::MakeClient(WithCbor({.host = "http://localhost", .transport = transport_}));
  ASSERT_THAT(client, IsOk());
  Expect("GET", CborReply(CborOf(kWidget)));
  EXPECT_THAT(DynamicClient(*client)
                  .Resource({.group = "example.com", .version = "v1", .resource = "widgets"})
                  .Namespace("prod")
                  .Get(ctx_, "w"),
              IsOk());
}

}  // namespace
}  // namespace kube::dynamic
