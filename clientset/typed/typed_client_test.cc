#include "clientset/typed/typed_client.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_protobuf.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/type_meta.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/unstructured/value.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/typed/options.h"
#include "clientset/typed/resource.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::typed {
namespace {

namespace appsv1 = api::apps::v1;
namespace autoscalingv1 = api::autoscaling::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using rest::JsonReply;
using rest::RecordedRequest;
using rest::ScriptedTransport;
using rest::StatusReply;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using unstructured::Unstructured;
using unstructured::UnstructuredList;

constexpr Resource kPods = {
    .group = "", .version = "v1", .plural = "pods", .kind = "Pod", .built_in = true};
constexpr Resource kNodes = {.group = "",
                             .version = "v1",
                             .plural = "nodes",
                             .kind = "Node",
                             .namespaced = false,
                             .built_in = true};
constexpr Resource kDeployments = {.group = "apps",
                                   .version = "v1",
                                   .plural = "deployments",
                                   .kind = "Deployment",
                                   .built_in = true};
constexpr Resource kWebs = {
    .group = "example.com", .version = "v1", .plural = "webs", .kind = "Web"};

using Pods = TypedClient<corev1::Pod, corev1::PodList>;
using Nodes = TypedClient<corev1::Node, corev1::NodeList>;
using Deployments = TypedClient<appsv1::Deployment, appsv1::DeploymentList>;
using Webs = TypedClient<Unstructured, UnstructuredList>;

// Returns the parts of a request that a typed client decides on, in one text.
std::string TextOf(const RecordedRequest& request) {
  std::string text =
      absl::StrCat(request.method, " ", request.url, "\naccept: ", request.Header("accept"), "\n");
  if (!request.Header("content-type").empty()) {
    absl::StrAppend(&text, "content-type: ", request.Header("content-type"), "\n");
  }
  return absl::StrCat(text, request.body);
}

std::string EnvelopeOf(const corev1::Pod& pod) {
  return *codec::EncodeKubernetesProtobuf(pod, {.api_version = "v1", .kind = "Pod"});
}

rest::ScriptedReply ProtobufReply(std::string body) {
  return {.headers = {{"content-type", "application/vnd.kubernetes.protobuf"}},
          .body = std::move(body)};
}

class TypedClientTest : public testing::Test {
 protected:
  rest::Client Json() {
    return rest::MakeScriptedClient(transport_, {.content_type = "application/json"});
  }
  rest::Client Protobuf() { return rest::MakeScriptedClient(transport_); }

  std::vector<std::string> Sent() const {
    std::vector<std::string> sent;
    for (const RecordedRequest& request : transport_->requests()) sent.push_back(TextOf(request));
    return sent;
  }

  const std::shared_ptr<ScriptedTransport> transport_ = std::make_shared<ScriptedTransport>();
  const Context ctx_ = {};
};

struct CallCase {
  const char* name;
  std::function<absl::Status(const Context&, const rest::Client&)> call;
  const char* want;
};

corev1::Pod MakePod(absl::string_view name) {
  return {.kind = "Wrong", .metadata = {.name = name}, .spec = {.node_name = "n1"}};
}

const CallCase kCalls[] = {
    {"Get",
     [](const Context& ctx, const rest::Client& client) {
       return Pods(client, kPods).Namespace("prod").Get(ctx, "web-0").status();
     },
     "GET http://localhost/api/v1/namespaces/prod/pods/web-0\n"
     "accept: application/json, */*\n"},
    {"GetAtResourceVersion",
     [](const Context& ctx, const rest::Client& client) {
       return Pods(client, kPods)
           .Namespace("prod")
           .Get(ctx, "web-0", {.resource_version = "12"})
           .status();
     },
     "GET http://localhost/api/v1/namespaces/prod/pods/web-0?resourceVersion=12\n"
     "accept: application/json, */*\n"},
    {"GetOfNoNamespace",
     [](const Context& ctx, const rest::Client& client) {
       return Nodes(client, kNodes).Get(ctx, "n1").status();
     },
     "GET http://localhost/api/v1/nodes/n1\n"
     "accept: application/json, */*\n"},
    {"ListOfAllNamespaces",
     [](const Context& ctx, const rest::Client& client) {
       return Deployments(client, kDeployments).List(ctx).status();
     },
     "GET http://localhost/apis/apps/v1/deployments\n"
     "accept: application/json, */*\n"},
    {"ListOptions",
     [](const Context& ctx, const rest::Client& client) {
       return Deployments(client, kDeployments)
           .Namespace("prod")
           .List(ctx, {.label_selector = "app in (a, b)",
                       .field_selector = "metadata.name=web",
                       .resource_version = "7",
                       .resource_version_match = "Exact",
                       .timeout_seconds = 30,
                       .limit = 500,
                       .continue_ = "next"})
           .status();
     },
     "GET http://localhost/apis/apps/v1/namespaces/prod/deployments?continue=next"
     "&fieldSelector=metadata.name%3Dweb&labelSelector=app+in+%28a%2C+b%29&limit=500"
     "&resourceVersion=7&resourceVersionMatch=Exact&timeout=30s&timeoutSeconds=30\n"
     "accept: application/json, */*\n"},
    {"ListPage",
     [](const Context& ctx, const rest::Client& client) {
       return Deployments(client, kDeployments)
           .Namespace("prod")
           .ListPage(ctx, {.limit = 5})
           .status();
     },
     "GET http://localhost/apis/apps/v1/namespaces/prod/deployments?limit=5\n"
     "accept: application/json, */*\n"},
    {"Watch",
     [](const Context& ctx, const rest::Client& client) {
       return Pods(client, kPods)
           .Namespace("prod")
           .Watch(ctx, {.allow_watch_bookmarks = true,
                        .resource_version = "7",
                        .timeout_seconds = 300,
                        .send_initial_events = false})
           .status();
     },
     "GET http://localhost/api/v1/namespaces/prod/pods?allowWatchBookmarks=true&resourceVersion=7"
     "&sendInitialEvents=false&timeout=5m0s&timeoutSeconds=300&watch=true\n"
     "accept: application/json, */*\n"},
    {"Create",
     [](const Context& ctx, const rest::Client& client) {
       return Pods(client, kPods)
           .Namespace("prod")
           .Create(ctx, MakePod("web-0"),
                   {.dry_run = {"All"}, .field_manager = "me", .field_validation = "Strict"})
           .status();
     },
     "POST http://localhost/api/v1/namespaces/prod/pods?dryRun=All&fieldManager=me"
     "&fieldValidation=Strict\n"
     "accept: application/json, */*\n"
     "content-type: application/json\n"
     R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0"},)"
     R"("spec":{"containers":null,"nodeName":"n1"},"status":{}})"
     "\n"},
    {"CreateWithGeneratedName",
     [](const Context& ctx, const rest::Client& client) {
       return Nodes(client, kNodes).Create(ctx, {.metadata = {.generate_name = "n-"}}).status();
     },
     "POST http://localhost/api/v1/nodes\n"
     "accept: application/json, */*\n"
     "content-type: application/json\n"
     R"({"kind":"Node","apiVersion":"v1","metadata":{"generateName":"n-"},"spec":{},)"
     R"("status":{"daemonEndpoints":{"kubeletEndpoint":{"Port":0}},"nodeInfo":{"machineID":"",)"
     R"("systemUUID":"","bootID":"","kernelVersion":"","osImage":"","containerRuntimeVersion":"",)"
     R"("kubeletVersion":"","kubeProxyVersion":"","operatingSystem":"","architecture":""}}})"
     "\n"},
    {"Update",
     [](const Context& ctx, const rest::Client& client) {
       return Pods(client, kPods).Namespace("prod").Update(ctx, MakePod("web-0")).status();
     },
     "PUT http://localhost/api/v1/namespaces/prod/pods/web-0\n"
     "accept: application/json, */*\n"
     "content-type: application/json\n"
     R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0"},)"
     R"("spec":{"containers":null,"nodeName":"n1"},"status":{}})"
     "\n"},
    {"UpdateStatus",
     [](const Context& ctx, const rest::Client& client) {
       return Webs(client, kWebs)
           .Namespace("prod")
           .UpdateStatus(
               ctx, {.object = {{"metadata",
                                 unstructured::Value(Map<unstructured::Value>{{"name", "w"}})}}})
           .status();
     },
     "PUT http://localhost/apis/example.com/v1/namespaces/prod/webs/w/status\n"
     "accept: application/json, */*\n"
     "content-type: application/json\n"
     R"({"apiVersion":"example.com/v1","kind":"Web","metadata":{"name":"w"}})"
     "\n"},
    {"Delete",
     [](const Context& ctx, const rest::Client& client) {
       return Deployments(client, kDeployments).Namespace("prod").Delete(ctx, "web");
     },
     "DELETE http://localhost/apis/apps/v1/namespaces/prod/deployments/web\n"
     "accept: application/json, */*\n"
     "content-type: application/json\n"
     R"({"kind":"DeleteOptions","apiVersion":"apps/v1"})"
     "\n"},
    {"DeleteOptions",
     [](const Context& ctx, const rest::Client& client) {
       return Pods(client, kPods)
           .Namespace("prod")
           .Delete(ctx, "web-0",
                   {.grace_period_seconds = 0,
                    .preconditions = metav1::Preconditions{.uid = "u"},
                    .propagation_policy = "Foreground"});
     },
     "DELETE http://localhost/api/v1/namespaces/prod/pods/web-0\n"
     "accept: application/json, */*\n"
     "content-type: application/json\n"
     R"({"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0,)"
     R"("preconditions":{"uid":"u"},"propagationPolicy":"Foreground"})"
     "\n"},
    {"DeleteCollection",
     [](const Context& ctx, const rest::Client& client) {
       return Pods(client, kPods)
           .Namespace("prod")
           .DeleteCollection(ctx, {.dry_run = {"All"}},
                             {.label_selector = "app=web", .timeout_seconds = 5});
     },
     "DELETE http://localhost/api/v1/namespaces/prod/pods?labelSelector=app%3Dweb&timeout=5s"
     "&timeoutSeconds=5\n"
     "accept: application/json, */*\n"
     "content-type: application/json\n"
     R"({"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"]})"
     "\n"},
    {"Patch",
     [](const Context& ctx, const rest::Client& client) {
       return Pods(client, kPods)
           .Namespace("prod")
           .Patch(ctx, "web-0", patch::PatchType::kMerge, R"({"spec":{}})",
                  {.force = true, .field_manager = "me"}, {"status"})
           .status();
     },
     "PATCH http://localhost/api/v1/namespaces/prod/pods/web-0/status?fieldManager=me&force=true\n"
     "accept: application/json, */*\n"
     "content-type: application/merge-patch+json\n"
     R"({"spec":{}})"},
    {"Apply",
     [](const Context& ctx, const rest::Client& client) {
       Unstructured web;
       web.set_name("w");
       At(web.object, {"spec", "image"}) = "web:2";
       return Webs(client, kWebs)
           .Namespace("prod")
           .Apply(ctx, web, {.force = true, .field_manager = "me"})
           .status();
     },
     "PATCH "
     "http://localhost/apis/example.com/v1/namespaces/prod/webs/w?fieldManager=me&force=true\n"
     "accept: application/json, */*\n"
     "content-type: application/apply-patch+yaml\n"
     R"({"apiVersion":"example.com/v1","kind":"Web","metadata":{"name":"w"},)"
     R"("spec":{"image":"web:2"}})"},
    {"ApplyStatus",
     [](const Context& ctx, const rest::Client& client) {
       Unstructured web;
       web.set_name("w");
       return Webs(client, kWebs)
           .Namespace("prod")
           .ApplyStatus(ctx, web, {.field_manager = "me"})
           .status();
     },
     "PATCH http://localhost/apis/example.com/v1/namespaces/prod/webs/w/status?fieldManager=me"
     "&force=false\n"
     "accept: application/json, */*\n"
     "content-type: application/apply-patch+yaml\n"
     R"({"apiVersion":"example.com/v1","kind":"Web","metadata":{"name":"w"}})"},
    {"GetScale",
     [](const Context& ctx, const rest::Client& client) {
       return Deployments(client, kDeployments)
           .Namespace("prod")
           .GetSubresource<autoscalingv1::Scale>(ctx, "web", "scale")
           .status();
     },
     "GET http://localhost/apis/apps/v1/namespaces/prod/deployments/web/scale\n"
     "accept: application/json, */*\n"},
    {"UpdateScale",
     [](const Context& ctx, const rest::Client& client) {
       return Deployments(client, kDeployments)
           .Namespace("prod")
           .UpdateSubresource(
               ctx, "web",
               {.name = "scale", .group = "autoscaling", .version = "v1", .kind = "Scale"},
               autoscalingv1::Scale{.spec = {.replicas = 3}})
           .status();
     },
     "PUT http://localhost/apis/apps/v1/namespaces/prod/deployments/web/scale\n"
     "accept: application/json, */*\n"
     "content-type: application/json\n"
     R"({"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{},"spec":{"replicas":3},)"
     R"("status":{"replicas":0}})"
     "\n"},
};

// behaviour.md: COD-9, COD-10, COD-11, REST-20
TEST_F(TypedClientTest, EachCall_SendsItsRequest) {
  for (const CallCase& c : kCalls) {
    SCOPED_TRACE(c.name);
    const auto transport = std::make_shared<ScriptedTransport>();
    transport->Always({}, JsonReply("{}"));
    const rest::Client client =
        rest::MakeScriptedClient(transport, {.content_type = "application/json"});
    EXPECT_THAT(c.call(ctx_, client), base::IsOk());
    ASSERT_EQ(transport->requests().size(), 1);
    EXPECT_EQ(TextOf(transport->requests()[0]), c.want);
  }
}

// behaviour.md: COD-11, CR-11, REST-14
TEST_F(TypedClientTest, EachCall_BuiltInKind_IsSentAsProtobuf) {
  corev1::Pod stored = MakePod("web-0");
  stored.metadata.uid = "u1";
  transport_->Always({}, ProtobufReply(EnvelopeOf(stored)));
  const Pods pods = Pods(Protobuf(), kPods).Namespace("prod");
  const corev1::Pod pod = MakePod("web-0");
  const absl::StatusOr<corev1::Pod> created = pods.Create(ctx_, pod);
  ASSERT_THAT(created, base::IsOk());
  EXPECT_EQ(created->metadata.uid, "u1");
  // As in client-go, the type implies the kind.
  EXPECT_EQ(created->kind, "");
  EXPECT_EQ(created->api_version, "");
  const RecordedRequest sent = transport_->requests()[0];
  EXPECT_EQ(sent.Header("accept"), "application/vnd.kubernetes.protobuf,application/json");
  EXPECT_EQ(sent.Header("content-type"), "application/vnd.kubernetes.protobuf");
  EXPECT_EQ(sent.body, EnvelopeOf(pod));

  // DeleteOptions are sent as protobuf, too; patches keep their format.
  EXPECT_THAT(pods.Delete(ctx_, "web-0"), base::IsOk());
  const RecordedRequest deleted = transport_->requests()[1];
  EXPECT_EQ(deleted.Header("content-type"), "application/vnd.kubernetes.protobuf");
  EXPECT_EQ(codec::TypeMetaOfProtobuf(deleted.body)->kind, "DeleteOptions");
  EXPECT_THAT(pods.Patch(ctx_, "web-0", patch::PatchType::kStrategicMerge, "{}"), base::IsOk());
  const RecordedRequest patched = transport_->requests()[2];
  EXPECT_EQ(patched.Header("accept"), "application/vnd.kubernetes.protobuf,application/json");
  EXPECT_EQ(patched.Header("content-type"), "application/strategic-merge-patch+json");
}

// behaviour.md: CR-11, REST-14
TEST_F(TypedClientTest, Get_CustomResource_AsksForJson) {
  transport_->Always({}, JsonReply(R"({"kind":"Web","metadata":{"name":"w"}})"));
  const absl::StatusOr<Unstructured> web = Webs(Protobuf(), kWebs).Namespace("prod").Get(ctx_, "w");
  ASSERT_THAT(web, base::IsOk());
  EXPECT_EQ(transport_->requests()[0].Header("accept"), "application/json, */*");
  // Kind and apiVersion that the server omitted are filled in.
  EXPECT_EQ(web->api_version(), "example.com/v1");
  EXPECT_EQ(web->kind(), "Web");
}

TEST_F(TypedClientTest, Create_ServerWithoutProtobuf_UsesJsonFromThenOn) {
  for (const int code : {415, 406}) {
    SCOPED_TRACE(code);
    const auto transport = std::make_shared<ScriptedTransport>();
    transport->Handle({}, [code](const RecordedRequest& request) {
      if (absl::StrContains(request.Header("accept"), "protobuf")) {
        return StatusReply(code, code == 415 ? "UnsupportedMediaType" : "NotAcceptable", "no");
      }
      return JsonReply(R"({"kind":"Pod","apiVersion":"v1","metadata":{"uid":"u1"}})");
    });
    const rest::Client client = rest::MakeScriptedClient(transport);
    const Pods pods = Pods(client, kPods).Namespace("prod");
    const absl::StatusOr<corev1::Pod> created = pods.Create(ctx_, MakePod("web-0"));
    ASSERT_THAT(created, base::IsOk());
    EXPECT_EQ(created->metadata.uid, "u1");
    ASSERT_EQ(transport->requests().size(), 2);
    EXPECT_EQ(transport->requests()[1].Header("content-type"), "application/json");
    EXPECT_THAT(transport->requests()[1].body, HasSubstr(R"("kind":"Pod")"));
    // Other clients of the same rest::Client know it, such as those that a clientset makes for each
    // call; a client of another rest::Client does not.
    EXPECT_THAT(Pods(client, kPods).Namespace("test").Create(ctx_, MakePod("a")), base::IsOk());
    EXPECT_EQ(transport->requests().size(), 3);
    EXPECT_THAT(Pods(rest::MakeScriptedClient(transport), kPods)
                    .Namespace("test")
                    .Create(ctx_, MakePod("a")),
                base::IsOk());
    EXPECT_EQ(transport->requests().size(), 5);
  }
}

TEST_F(TypedClientTest, Patch_UnsupportedMediaType_IsNotRetried) {
  transport_->Always({}, StatusReply(415, "UnsupportedMediaType", "no such patch"));
  EXPECT_TRUE(errors::IsUnsupportedMediaType(Pods(Protobuf(), kPods)
                                                 .Namespace("prod")
                                                 .Patch(ctx_, "a", patch::PatchType::kJson, "[]")
                                                 .status()));
  EXPECT_EQ(transport_->requests().size(), 1);
}

struct BadCase {
  const char* name;
  rest::ScriptedReply reply;
  const char* message;
};

TEST_F(TypedClientTest, Get_ResponseIsNotTheObject_IsInvalidArgument) {
  const BadCase cases[] = {
      {"Empty", JsonReply(""), "decode response: 0-length response"},
      {"NoJson", JsonReply("<html>"), "decode response"},
      {"AnotherType",
       {.headers = {{"content-type", "text/html"}}, .body = "<html>"},
       "decode response"},
      {"AnotherKind", JsonReply(R"({"kind":"Node","apiVersion":"v1"})"),
       R"(decode response: unexpected kind "Node", expected "Pod")"},
      {"Success", JsonReply(R"({"kind":"Status","apiVersion":"v1","status":"Success"})"),
       R"(decode response: unexpected kind "Status", expected "Pod")"},
      {"WrongMember", JsonReply(R"({"kind":"Pod","spec":7})"), "decode Pod: spec"},
      {"Yaml",
       {.headers = {{"content-type", "application/yaml"}}, .body = "kind: Pod"},
       R"(decode response: unexpected content type "application/yaml")"},
  };
  for (const BadCase& c : cases) {
    SCOPED_TRACE(c.name);
    const auto transport = std::make_shared<ScriptedTransport>();
    transport->Always({}, c.reply);
    const Pods pods = Pods(rest::MakeScriptedClient(transport), kPods).Namespace("prod");
    EXPECT_THAT(
        pods.Get(ctx_, "web-0").status(),
        base::StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr(c.message), HasSubstr(R"(get pods "web-0" in "prod": )"))));
  }
}

// behaviour.md: REST-11
TEST_F(TypedClientTest, Get_ErrorResponse_ReturnsItsStatus) {
  transport_->Expect({}, StatusReply(404, "NotFound", "pods \"web-0\" not found"));
  transport_->Expect({}, JsonReply(R"({"kind":"Status","apiVersion":"v1","status":"Failure",)"
                                   R"("reason":"Conflict","code":409})"));
  const Pods pods = Pods(Json(), kPods).Namespace("prod");
  EXPECT_TRUE(errors::IsNotFound(pods.Get(ctx_, "web-0").status()));
  // A failure with a successful status code.
  EXPECT_TRUE(errors::IsConflict(pods.Get(ctx_, "web-0").status()));
}

// behaviour.md: REST-15
TEST_F(TypedClientTest, EachCall_InvalidNameOrNamespace_SendsNothing) {
  const Pods all(Json(), kPods);
  const Pods pods = all.Namespace("prod");
  const auto refused = [](absl::string_view cause) {
    return base::StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(std::string(cause)));
  };
  EXPECT_THAT(pods.Get(ctx_, "").status(), refused("resource name may not be empty"));
  EXPECT_THAT(pods.Get(ctx_, "a/b").status(), refused("invalid resource name"));
  EXPECT_THAT(pods.Update(ctx_, corev1::Pod()).status(), refused("name may not be empty"));
  EXPECT_THAT(pods.Delete(ctx_, ""), refused("resource name may not be empty"));
  EXPECT_THAT(all.Get(ctx_, "web-0").status(), refused("an empty namespace may not be set when"));
  EXPECT_THAT(all.Create(ctx_, MakePod("a")).status(), refused("during creation"));
  EXPECT_THAT(all.Namespace("..").List(ctx_).status(), refused("invalid namespace"));
  const Webs webs(Json(), kWebs);
  EXPECT_THAT(webs.Namespace("prod").Apply(ctx_, Unstructured(), {.field_manager = "me"}).status(),
              refused("apply webs: name must be provided to Apply"));
  EXPECT_TRUE(transport_->requests().empty());
}

TEST_F(TypedClientTest, List_DropsKindAndKeepsMetadataAndItems) {
  const char kList[] = R"({"kind":"PodList","apiVersion":"v1",
      "metadata":{"resourceVersion":"7","continue":"next"},
      "items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]})";
  transport_->Always({}, JsonReply(kList));
  const Pods pods(Json(), kPods);
  const absl::StatusOr<corev1::PodList> list = pods.List(ctx_);
  ASSERT_THAT(list, base::IsOk());
  EXPECT_EQ(list->kind, "");
  EXPECT_EQ(list->metadata.resource_version, "7");
  ASSERT_EQ(list->items.size(), 2);
  EXPECT_EQ(list->items[1].metadata.name, "b");

  const auto page = pods.ListPage(ctx_);
  ASSERT_THAT(page, base::IsOk());
  EXPECT_EQ(page->list.metadata.continue_, "next");
  EXPECT_EQ(page->list.kind, "");
  EXPECT_TRUE(page->list.items.empty());
  ASSERT_EQ(page->items.size(), 2);
  EXPECT_EQ(page->items[1]->metadata.name, "b");
}

TEST_F(TypedClientTest, ListPage_ResponseInPieces_ReturnsItsItemsOrFailsIfItBreaksOff) {
  auto stream = transport_->ExpectStream({}, {{"content-type", "application/json"}});
  stream->Write(R"({"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"na)");
  stream->Write(R"(me":"a"}},{"metadata":{"name":"b"}}]})");
  stream->End();
  const auto page = Pods(Json(), kPods).ListPage(ctx_);
  ASSERT_THAT(page, base::IsOk());
  EXPECT_EQ(page->items.size(), 2);

  stream = transport_->ExpectStream({}, {{"content-type", "application/json"}});
  stream->Write(R"({"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"na)");
  stream->End();
  EXPECT_THAT(Pods(Json(), kPods).ListPage(ctx_).status(),
              base::StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("list pods: ")));
}

TEST_F(TypedClientTest, List_Unstructured_ItemsHaveTheirKind) {
  transport_->Always({}, JsonReply(R"({"kind":"WebList","apiVersion":"example.com/v1",
      "metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a"}},
      {"kind":"Web","apiVersion":"example.com/v1","metadata":{"name":"b"}}]})"));
  const Webs webs(Json(), kWebs);
  const absl::StatusOr<UnstructuredList> list = webs.List(ctx_);
  ASSERT_THAT(list, base::IsOk());
  EXPECT_EQ(list->kind, "WebList");
  ASSERT_EQ(list->items.size(), 2);
  const auto page = webs.ListPage(ctx_);
  ASSERT_THAT(page, base::IsOk());
  ASSERT_EQ(page->items.size(), 2);
  for (size_t i = 0; i < 2; ++i) {
    for (const Unstructured* web : {&list->items[i], page->items[i].get()}) {
      EXPECT_EQ(web->kind(), "Web");
      EXPECT_EQ(web->api_version(), "example.com/v1");
    }
  }
}

TEST_F(TypedClientTest, List_UnstructuredOfABuiltInKind_AsksForJson) {
  transport_->Always({}, JsonReply(R"({"kind":"PodList","apiVersion":"v1","metadata":{},
      "items":[{"metadata":{"name":"a"}}]})"));
  const TypedClient<Unstructured, UnstructuredList> pods(Protobuf(), kPods);
  const absl::StatusOr<UnstructuredList> list = pods.List(ctx_);
  ASSERT_THAT(list, base::IsOk());
  EXPECT_EQ(list->items.size(), 1);
  EXPECT_EQ(transport_->requests()[0].Header("accept"), "application/json, */*");
}

// The example of TypedClient.
absl::Status ScaleWeb(const Context& ctx, const rest::Client& client) {
  const typed::TypedClient<appsv1::Deployment, appsv1::DeploymentList> all(client, kDeployments);
  const auto deployments = all.Namespace("prod");
  KUBE_ASSIGN_OR_RETURN(appsv1::Deployment web, deployments.Get(ctx, "web"));
  web.spec.replicas = 5;
  return deployments.Update(ctx, web).status();  // a conflict if somebody was faster: see Edit
}

TEST_F(TypedClientTest, Update_IfSomebodyWasFaster_IsAConflict_AsInTheHeader) {
  transport_->Expect({.method = "GET"}, JsonReply(R"({"metadata":{"name":"web"}})"));
  transport_->Expect({.method = "PUT"}, StatusReply(409, "Conflict", "changed"));
  EXPECT_TRUE(errors::IsConflict(ScaleWeb(Context(), Json())));
}

}  // namespace
}  // namespace kube::typed
