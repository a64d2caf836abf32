#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/watch/byte_stream.h"
#include "clientset/expansions/event.h"
#include "clientset/expansions/namespace.h"
#include "clientset/expansions/node.h"
#include "clientset/expansions/pod.h"
#include "clientset/expansions/service.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::expansions {
namespace {

namespace corev1 = api::core::v1;

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using rest::JsonReply;
using rest::ScriptedTransport;

constexpr char kSuccess[] = R"({"kind":"Status","apiVersion":"v1","status":"Success","code":201})";
constexpr char kRefused[] = "not this one";

struct Case {
  const char* name;
  std::function<absl::Status(const Context&, const rest::Client&)> call;
  // "GET URL", and a body that is not empty after it.
  const char* request;
  const char* reply;
};

corev1::Event EventOf(const char* namespace_name) {
  return {.metadata = {.name = "e", .namespace_ = namespace_name}};
}

const Case kCases[] = {
    {"Bind",
     [](const Context& ctx, const rest::Client& client) {
       return PodExpansion(client, "prod")
           .Bind(ctx, {.metadata = {.name = "web"}, .target = {.name = "node-1"}},
                 {.field_manager = "m"});
     },
     "POST http://localhost/api/v1/namespaces/prod/pods/web/binding?fieldManager=m "
     R"({"kind":"Binding","apiVersion":"v1","metadata":{"name":"web"},"target":{"name":"node-1"}})",
     kSuccess},
    {"EvictV1",
     [](const Context& ctx, const rest::Client& client) {
       return PodExpansion(client, "prod").EvictV1(ctx, {.metadata = {.name = "web"}});
     },
     "POST http://localhost/api/v1/namespaces/prod/pods/web/eviction "
     R"({"kind":"Eviction","apiVersion":"policy/v1","metadata":{"name":"web"}})",
     kSuccess},
    {"GetLogs",
     [](const Context& ctx, const rest::Client& client) {
       const absl::StatusOr<std::string> log =
           PodExpansion(client, "prod").GetLogs(ctx, "web", {.container = "app", .tail_lines = 3});
       EXPECT_THAT(log, IsOkAndHolds("a\nb\n"));
       return log.status();
     },
     "GET http://localhost/api/v1/namespaces/prod/pods/web/log?container=app&tailLines=3",
     "a\nb\n"},
    {"pod's ProxyGet",
     [](const Context& ctx, const rest::Client& client) {
       const absl::StatusOr<rest::Result> result =
           PodExpansion(client, "prod")
               .ProxyGet(ctx, {.name = "web", .port = "8080"}, "/a/b",
                         queryparams::Values{{"x", std::vector<std::string>{"1"}}});
       EXPECT_EQ(result->body, "fine");
       return result.status();
     },
     "GET http://localhost/api/v1/namespaces/prod/pods/web:8080/proxy/a/b?x=1", "fine"},
    {"service's ProxyGet",
     [](const Context& ctx, const rest::Client& client) {
       return ServiceExpansion(client, "prod")
           .ProxyGet(ctx, {.name = "web", .port = "https", .scheme = "https"}, "")
           .status();
     },
     "GET http://localhost/api/v1/namespaces/prod/services/https:web:https/proxy", "fine"},
    {"ProxyGet without a port",
     [](const Context& ctx, const rest::Client& client) {
       return ServiceExpansion(client, "prod").ProxyGet(ctx, {.name = "web"}, "healthz").status();
     },
     "GET http://localhost/api/v1/namespaces/prod/services/web/proxy/healthz", "fine"},
    {"PatchStatus",
     [](const Context& ctx, const rest::Client& client) {
       return NodeExpansion(client).PatchStatus(ctx, "n", "{}").status();
     },
     "PATCH http://localhost/api/v1/nodes/n/status {}", R"({"kind":"Node","apiVersion":"v1"})"},
    {"Finalize",
     [](const Context& ctx, const rest::Client& client) {
       return NamespaceExpansion(client)
           .Finalize(ctx, {.metadata = {.name = "prod"}}, {.field_manager = "m"})
           .status();
     },
     "PUT http://localhost/api/v1/namespaces/prod/finalize?fieldManager=m "
     R"({"kind":"Namespace","apiVersion":"v1","metadata":{"name":"prod"},"spec":{},"status":{}})",
     R"({"kind":"Namespace","apiVersion":"v1"})"},
    {"Search",
     [](const Context& ctx, const rest::Client& client) {
       return EventExpansion(client, "prod")
           .Search(ctx, {.kind = "Pod", .namespace_ = "prod", .name = "web"})
           .status();
     },
     "GET http://localhost/api/v1/namespaces/prod/events?fieldSelector=involvedObject.kind%3DPod%2C"
     "involvedObject.name%3Dweb%2CinvolvedObject.namespace%3Dprod",
     R"({"kind":"EventList","apiVersion":"v1","items":[]})"},
    {"PatchWithEventNamespace",
     [](const Context& ctx, const rest::Client& client) {
       return EventExpansion(client, "")
           .PatchWithEventNamespace(ctx, EventOf("prod"), "{}")
           .status();
     },
     "PATCH http://localhost/api/v1/namespaces/prod/events/e {}",
     R"({"kind":"Event","apiVersion":"v1"})"},
    {"no name",
     [](const Context& ctx, const rest::Client& client) {
       return PodExpansion(client, "prod").EvictV1(ctx, {});
     },
     kRefused, ""},
    {"no namespace",
     [](const Context& ctx, const rest::Client& client) {
       return PodExpansion(client, "").GetLogs(ctx, "web").status();
     },
     kRefused, ""},
    {"a path that leads elsewhere",
     [](const Context& ctx, const rest::Client& client) {
       return PodExpansion(client, "prod")
           .ProxyGet(ctx, {.name = "web"}, "/../../secrets")
           .status();
     },
     kRefused, ""},
    {"another namespace's event",
     [](const Context& ctx, const rest::Client& client) {
       return EventExpansion(client, "prod")
           .CreateWithEventNamespace(ctx, EventOf("test"))
           .status();
     },
     kRefused, ""},
    {"another namespace's object",
     [](const Context& ctx, const rest::Client& client) {
       return EventExpansion(client, "prod").Search(ctx, {.namespace_ = "test"}).status();
     },
     kRefused, ""},
};

// behaviour.md: ST-54
TEST(Expansions, RequestsAreThose) {
  const Context ctx;
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    const auto transport = std::make_shared<ScriptedTransport>();
    transport->Always({}, JsonReply(each.reply));
    const rest::Client client =
        rest::MakeScriptedClient(transport, {.content_type = "application/json"});
    const absl::Status status = each.call(ctx, client);
    if (each.request == kRefused) {
      EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument));
      EXPECT_THAT(transport->requests(), testing::IsEmpty());
      continue;
    }
    EXPECT_THAT(status, IsOk());
    ASSERT_EQ(transport->requests().size(), 1u);
    const rest::RecordedRequest request = transport->requests()[0];
    const std::string sent = absl::StrCat(request.method, " ", request.url, " ", request.body);
    EXPECT_EQ(absl::StripTrailingAsciiWhitespace(sent), each.request);
  }
}

TEST(Expansions, EventsOfAllNamespacesGoToTheirOwn) {
  const Context ctx;
  const auto transport = std::make_shared<ScriptedTransport>();
  transport->Always({}, JsonReply(R"({"kind":"Event","apiVersion":"v1"})"));
  const EventExpansion events(rest::MakeScriptedClient(transport), "");
  EXPECT_THAT(events.CreateWithEventNamespace(ctx, EventOf("prod")), IsOk());
  EXPECT_THAT(events.UpdateWithEventNamespace(ctx, EventOf("test")), IsOk());
  ASSERT_EQ(transport->requests().size(), 2u);
  EXPECT_EQ(transport->requests()[0].method, "POST");
  EXPECT_EQ(transport->requests()[0].path, "/api/v1/namespaces/prod/events");
  EXPECT_EQ(transport->requests()[1].method, "PUT");
  EXPECT_EQ(transport->requests()[1].path, "/api/v1/namespaces/test/events/e");
}

TEST(Expansions, SelectorOfAnObject) {
  EXPECT_EQ(EventExpansion::GetFieldSelector({.name = "web"}).ToString(),
            "involvedObject.name=web,involvedObject.namespace=");
  EXPECT_EQ(EventExpansion::GetFieldSelector(
                {.kind = "Pod", .namespace_ = "prod", .name = "web", .uid = "u"})
                .ToString(),
            "involvedObject.kind=Pod,involvedObject.name=web,involvedObject.namespace=prod,"
            "involvedObject.uid=u");
}

TEST(Expansions, ARefusedEvictionIsAnError) {
  const auto transport = std::make_shared<ScriptedTransport>();
  // Without Retry-After, because the client would retry.
  transport->Expect({}, rest::StatusReply(429, "TooManyRequests", "the budget is used up"));
  const absl::Status status = PodExpansion(rest::MakeScriptedClient(transport), "prod")
                                  .EvictV1(Context(), {.metadata = {.name = "web"}});
  EXPECT_TRUE(absl::StrContains(status.message(), "the budget is used up")) << status;
}

// behaviour.md: ST-55
TEST(Expansions, LogsThatAreFollowedArriveInPieces) {
  const Context ctx;
  const auto transport = std::make_shared<ScriptedTransport>();
  const std::shared_ptr<rest::ScriptedStream> sent = transport->ExpectStream({});
  sent->Write("one\n");
  sent->Write("two");
  sent->End();
  const absl::StatusOr<std::unique_ptr<watch::ByteStream>> log =
      PodExpansion(rest::MakeScriptedClient(transport), "prod")
          .StreamLogs(ctx, "web", {.follow = true});
  ASSERT_THAT(log, IsOk());
  EXPECT_THAT((*log)->Read(ctx), IsOkAndHolds("one\n"));
  EXPECT_THAT((*log)->Read(ctx), IsOkAndHolds("two"));
  EXPECT_THAT((*log)->Read(ctx), IsOkAndHolds(""));
  EXPECT_EQ(transport->requests()[0].Param("follow"), "true");
}

}  // namespace
}  // namespace kube::expansions
