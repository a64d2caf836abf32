// TypedClient::Apply with apply configurations: how they are written, and what is sent.

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/apps/v1/types.applies.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/autoscaling/v1/types.applies.kube.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/core/v1/types.applies.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::typed {
namespace {

namespace appsv1 = api::apps::v1;
namespace autoscalingv1 = api::autoscaling::v1;
namespace corev1 = api::core::v1;
using rest::JsonReply;
using rest::RecordedRequest;
using rest::ScriptedTransport;
using testing::HasSubstr;

using Deployments = TypedClient<appsv1::Deployment, appsv1::DeploymentList>;

constexpr Resource kDeployments = {.group = "apps",
                                   .version = "v1",
                                   .plural = "deployments",
                                   .kind = "Deployment",
                                   .built_in = true};
constexpr Subresource kScale = {
    .name = "scale", .group = "autoscaling", .version = "v1", .kind = "Scale"};

std::string TextOf(const RecordedRequest& request) {
  return absl::StrCat(request.method, " ", request.url, "\n", request.Header("content-type"), "\n",
                      request.body);
}

struct ApplyCase {
  const char* name;
  std::function<absl::Status(const Context&, const Deployments&)> call;
  const char* want;
};

const ApplyCase kCalls[] = {
    {"a braced initializer",
     [](const Context& ctx, const Deployments& deployments) {
       return deployments
           .Apply(ctx,
                  {.metadata = {{.name = "web", .labels = {{"app", "web"}}}},
                   .spec = {{.replicas = 3,
                             .selector = {{.match_labels = {{"app", "web"}}}},
                             .template_ = {{.metadata = {{.labels = {{"app", "web"}}}},
                                            .spec = {{.containers = {{.name = "web",
                                                                      .image = "web:2",
                                                                      .ports = {{.container_port =
                                                                                     80}}}}}}}}}}},
                  {.force = true, .field_manager = "ctl"})
           .status();
     },
     "PATCH http://localhost/apis/apps/v1/namespaces/prod/deployments/web?fieldManager=ctl"
     "&force=true\n"
     "application/apply-patch+yaml\n"
     R"({"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web",)"
     R"("labels":{"app":"web"}},"spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},)"
     R"("template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web",)"
     R"("image":"web:2","ports":[{"containerPort":80}]}]}}}})"},
    {"a configuration that was made before",
     [](const Context& ctx, const Deployments& deployments) {
       ApplyOf<appsv1::Deployment> web;
       web.metadata.emplace().name = "web";
       web.spec.emplace().paused = true;
       return deployments.Apply(ctx, web, {.dry_run = {"All"}, .field_manager = "a & b"}).status();
     },
     "PATCH http://localhost/apis/apps/v1/namespaces/prod/deployments/web?dryRun=All"
     "&fieldManager=a+%26+b&force=false\n"
     "application/apply-patch+yaml\n"
     R"({"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web"},)"
     R"("spec":{"paused":true}})"},
    {"its own kind, zeros, empty lists, maps and structs",
     [](const Context& ctx, const Deployments& deployments) {
       return deployments
           .Apply(ctx,
                  {.kind = "Deployment",
                   .api_version = "apps/v1beta2",
                   .metadata = {{.name = "web",
                                 .labels = Map<String>::Empty(),
                                 .annotations = {{"<&>", ""}},
                                 .finalizers = List<String>::Empty()}},
                   .spec = {{.replicas = 0,
                             .template_ = {{.spec = {{.volumes = {{.name = "tmp",
                                                                   .empty_dir = {{}}}}}}}},
                             .strategy = {{}},
                             .paused = false}}},
                  {.field_manager = "ctl"})
           .status();
     },
     "PATCH http://localhost/apis/apps/v1/namespaces/prod/deployments/web?fieldManager=ctl"
     "&force=false\n"
     "application/apply-patch+yaml\n"
     R"({"kind":"Deployment","apiVersion":"apps/v1beta2","metadata":{"name":"web","labels":{},)"
     R"("annotations":{"\u003c\u0026\u003e":""},"finalizers":[]},"spec":{"replicas":0,)"
     R"("template":{"spec":{"volumes":[{"name":"tmp","emptyDir":{}}]}},"strategy":{},)"
     R"("paused":false}})"},
    {"the status",
     [](const Context& ctx, const Deployments& deployments) {
       return deployments
           .ApplyStatus(ctx,
                        {.metadata = {{.name = "web"}}, .status = {{.observed_generation = 7}}},
                        {.force = true, .field_manager = "ctl"})
           .status();
     },
     "PATCH http://localhost/apis/apps/v1/namespaces/prod/deployments/web/status?fieldManager=ctl"
     "&force=true\n"
     "application/apply-patch+yaml\n"
     R"({"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web"},)"
     R"("status":{"observedGeneration":7}})"},
    {"a subresource of another kind, which needs no name",
     [](const Context& ctx, const Deployments& deployments) {
       return deployments
           .ApplySubresource<autoscalingv1::Scale>(ctx, "web", kScale, {.spec = {{.replicas = 3}}},
                                                   {.force = true, .field_manager = "ctl"})
           .status();
     },
     "PATCH http://localhost/apis/apps/v1/namespaces/prod/deployments/web/scale?fieldManager=ctl"
     "&force=true\n"
     "application/apply-patch+yaml\n"
     R"({"kind":"Scale","apiVersion":"autoscaling/v1","spec":{"replicas":3}})"},
};

TEST(TypedClientApply, EachCall_SendsItsRequest) {
  for (const ApplyCase& c : kCalls) {
    SCOPED_TRACE(c.name);
    const auto transport = std::make_shared<ScriptedTransport>();
    transport->Always({}, JsonReply("{}"));
    const Deployments all(rest::MakeScriptedClient(transport), kDeployments);
    EXPECT_THAT(c.call(Context(), all.Namespace("prod")), base::IsOk());
    ASSERT_EQ(transport->requests().size(), 1);
    EXPECT_EQ(TextOf(transport->requests()[0]), c.want);
  }
}

TEST(TypedClientApply, ConfigurationWithoutName_IsInvalidArgumentAndSendsNothing) {
  const auto transport = std::make_shared<ScriptedTransport>();
  const Deployments deployments =
      Deployments(rest::MakeScriptedClient(transport), kDeployments).Namespace("prod");
  const Context ctx;
  const auto refused =
      base::StatusIs(absl::StatusCode::kInvalidArgument,
                     HasSubstr("apply deployments: name must be provided to Apply"));
  EXPECT_THAT(deployments.Apply(ctx, {.spec = {{.replicas = 3}}}, {.field_manager = "me"}).status(),
              refused);
  EXPECT_THAT(
      deployments.Apply(ctx, {.metadata = {{.name = ""}}}, {.field_manager = "me"}).status(),
      refused);
  EXPECT_THAT(
      deployments
          .ApplyStatus(ctx, {.metadata = {{.generate_name = "web-"}}}, {.field_manager = "me"})
          .status(),
      refused);
  EXPECT_TRUE(transport->requests().empty());
}

TEST(TypedClientApply, ConfigurationThatCannotBeEncoded_IsInvalidArgumentAndSendsNothing) {
  const auto transport = std::make_shared<ScriptedTransport>();
  const Deployments deployments =
      Deployments(rest::MakeScriptedClient(transport), kDeployments).Namespace("prod");
  ApplyOf<corev1::PodSpec> pod;
  pod.overhead = {{"cpu", "not a quantity"}};
  const absl::Status status =
      deployments
          .Apply(Context(),
                 {.metadata = {{.name = "web"}}, .spec = {{.template_ = {{.spec = pod}}}}},
                 {.field_manager = "me"})
          .status();
  EXPECT_THAT(status, base::StatusIs(absl::StatusCode::kInvalidArgument,
                                     HasSubstr("apply deployments: encode spec.template.spec")));
  EXPECT_TRUE(transport->requests().empty());
}

}  // namespace
}  // namespace kube::typed
