// The code in docs/typed-clients.md.
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.applies.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.applies.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/managedfields/typed_extract.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "apiserver/handler.h"
#include "clientset/pager/pager.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/typed/create_or_edit.h"
#include "clientset/typed/patch_from.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "clientset/typed/watch_list.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"

namespace {

namespace appsv1 = kube::api::apps::v1;
namespace corev1 = kube::api::core::v1;
namespace errors = kube::errors;
namespace managedfields = kube::managedfields;
namespace pager = kube::pager;
namespace rest = kube::rest;
namespace typed = kube::typed;
namespace unstructured = kube::unstructured;
namespace watch = kube::watch;

constexpr typed::Resource kDeployments = {.group = "apps",
                                          .version = "v1",
                                          .plural = "deployments",
                                          .kind = "Deployment",
                                          .built_in = true};
using Deployments = typed::TypedClient<appsv1::Deployment, appsv1::DeploymentList>;

absl::Status ReadAndWrite(const kube::Context& ctx, const rest::Client& client) {
  const Deployments deployments = Deployments(client, kDeployments).Namespace("prod");
  absl::StatusOr<appsv1::Deployment> web = deployments.Get(ctx, "web");
  if (errors::IsNotFound(web.status())) {
    web = deployments.Create(ctx, {.metadata = {.name = "web"}}, {.field_manager = "demo"});
  }
  if (!web.ok()) return web.status();
  web->spec.replicas = 5;
  web = deployments.Update(ctx, *web, {.field_manager = "demo"});
  if (errors::IsConflict(web.status())) return web.status();  // somebody was faster: Get again
  return deployments.Delete(ctx, "web", {.propagation_policy = "Foreground"});
}

absl::Status Scale(const kube::Context& ctx, const Deployments& deployments) {
  return deployments
      .Edit(ctx, "web",
            [](appsv1::Deployment& web) {
              web.spec.replicas = 5;
              return absl::OkStatus();
            })
      .status();
}

absl::Status MarkObserved(const kube::Context& ctx, const Deployments& deployments) {
  const auto observe = [](appsv1::Deployment& web) {
    web.status.observed_generation = web.metadata.generation;
    return absl::OkStatus();
  };
  return deployments.Edit(ctx, "web", observe, {.subresource = "status"}).status();
}

absl::Status Scale(const kube::Context& ctx, const Deployments& deployments,
                   const appsv1::Deployment& cached) {
  appsv1::Deployment after = cached;
  after.spec.replicas = 5;
  return typed::PatchFrom(ctx, deployments, cached, after).status();
}

absl::Status KeepWeb(const kube::Context& ctx, const Deployments& deployments,
                     const appsv1::DeploymentSpec& spec) {
  const auto change = [&](appsv1::Deployment& web) {
    if (web.metadata.uid.empty()) web.spec = spec;  // it does not exist yet
    web.spec.replicas = 5;
    return absl::OkStatus();
  };
  return typed::CreateOrEdit(ctx, deployments, "web", change).status();
}

absl::Status ApplyWeb(const kube::Context& ctx, const Deployments& deployments,
                      absl::string_view image) {
  const kube::ApplyOf<corev1::PodTemplateSpec> pod = {
      .metadata = {{.labels = {{"app", "web"}}}},
      .spec = {{.containers = {{.name = "web", .image = image}}}},
  };
  return deployments
      .Apply(ctx,
             {.metadata = {{.name = "web"}},
              .spec = {{.selector = {{.match_labels = {{"app", "web"}}}}, .template_ = pod}}},
             {.force = true, .field_manager = "web-controller"})
      .status();
}

absl::Status ScaleToThree(const kube::Context& ctx, const Deployments& deployments) {
  return deployments
      .Apply(ctx, {.metadata = {{.name = "web"}}, .spec = {{.replicas = 3}}},
             {.force = true, .field_manager = "scaler"})
      .status();
}

absl::Status ApplyEmptyThings(const kube::Context& ctx, const Deployments& deployments) {
  const kube::ApplyOf<corev1::Volume> tmp = {.name = "tmp", .empty_dir = {{}}};  // "emptyDir":{}
  return deployments
      .Apply(ctx,
             {.metadata = {{.name = "web",
                            .annotations = kube::Map<kube::String>::Empty(),    // {}
                            .finalizers = kube::List<kube::String>::Empty()}},  // []
              .spec = {{.replicas = 0, .template_ = {{.spec = {{.volumes = {tmp}}}}}}}},
             {.force = true, .field_manager = "web-controller"})
      .status();
}

absl::Status ScaleMine(const kube::Context& ctx, const Deployments& deployments) {
  KUBE_ASSIGN_OR_RETURN(const auto web, deployments.Get(ctx, "web"));
  KUBE_ASSIGN_OR_RETURN(auto mine, managedfields::ExtractOwned(web, "scaler"));
  if (!mine.spec) mine.spec.emplace();
  mine.spec->replicas = 5;
  return deployments.Apply(ctx, mine, {.force = true, .field_manager = "scaler"}).status();
}

absl::Status Follow(const kube::Context& ctx, const Deployments& deployments) {
  KUBE_ASSIGN_OR_RETURN(
      const std::unique_ptr<watch::Watcher<appsv1::Deployment>> watcher,
      deployments.Watch(ctx, {.allow_watch_bookmarks = true}, {.idle_timeout = absl::Minutes(3)}));
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::optional<watch::Event<appsv1::Deployment>> event,
                          watcher->Next(ctx));
    if (!event.has_value()) return absl::OkStatus();  // it has ended: watch again
    if (event->type == watch::EventType::kError) return event->error;
  }
}

absl::StatusOr<int> CountReplicas(const kube::Context& ctx, const Deployments& deployments) {
  int replicas = 0;
  KUBE_RETURN_IF_ERROR(pager::PagerOf(deployments)
                           .EachItem(ctx, {.label_selector = "app=web"},
                                     [&replicas](const appsv1::Deployment& deployment) {
                                       replicas += deployment.spec.replicas.value_or(1);
                                       return absl::OkStatus();
                                     }));
  return replicas;
}

absl::Status FillCache(const kube::Context& ctx, const Deployments& deployments) {
  kube::codec::SharingStore store;
  KUBE_ASSIGN_OR_RETURN(const auto page,
                        typed::ListByWatch(ctx, deployments, {}, {.store = &store}));
  for (const std::shared_ptr<const appsv1::Deployment>& deployment : page.items) {
    if (deployment->metadata.name == "web") return absl::OkStatus();
  }
  return absl::NotFoundError("web");
}

absl::Status ChangeAnything(const kube::Context& ctx, const rest::Client& client) {
  typed::TypedClient<unstructured::Unstructured, unstructured::UnstructuredList> webs(
      client, {.group = "example.com", .version = "v1", .plural = "webs", .kind = "Web"});
  unstructured::Unstructured web;
  web.set_name("web");
  KUBE_RETURN_IF_ERROR(unstructured::SetNestedField(web.object, "web:2", {"spec", "image"}));
  return webs.Namespace("prod").Apply(ctx, web, {.force = true, .field_manager = "demo"}).status();
}

TEST(TypedClients, Run) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  const auto stream = transport->ExpectStream({.query = {{"sendInitialEvents", {"true"}}}},
                                              {{"content-type", "application/json"}});
  stream->Write(R"({"type":"ADDED","object":{"metadata":{"name":"web"}}})"
                R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7",)"
                R"("annotations":{"k8s.io/initial-events-end":"true"}}}})");
  transport->Always({.query = {{"watch", {"true"}}}}, rest::JsonReply(""));
  transport->Always({.query = {{"limit", {"500"}}}},
                    rest::JsonReply(R"({"items":[{"spec":{"replicas":2}},{}]})"));
  transport->Always({}, rest::JsonReply(R"({"metadata":{"name":"web"}})"));
  const rest::Client client = rest::MakeScriptedClient(transport);
  const Deployments deployments = Deployments(client, kDeployments).Namespace("prod");
  const kube::Context ctx;
  EXPECT_THAT(FillCache(ctx, deployments), kube::base::IsOk());
  EXPECT_THAT(ReadAndWrite(ctx, client), kube::base::IsOk());
  EXPECT_THAT(Scale(ctx, deployments), kube::base::IsOk());
  EXPECT_THAT(Follow(ctx, deployments), kube::base::IsOk());
  EXPECT_THAT(CountReplicas(ctx, deployments), kube::base::IsOkAndHolds(3));
  EXPECT_THAT(ChangeAnything(ctx, client), kube::base::IsOk());
}

// Returns the body of the last request that a function sends.
std::string Body(absl::Status (*call)(const kube::Context&, const Deployments&)) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({.method = "GET"},
                    rest::JsonReply(R"({"metadata":{"name":"web","namespace":"prod",)"
                                    R"("managedFields":[{"manager":"scaler","operation":"Apply",)"
                                    R"("apiVersion":"apps/v1","fieldsType":"FieldsV1",)"
                                    R"("fieldsV1":{"f:spec":{"f:replicas":{}}}}]},)"
                                    R"("spec":{"replicas":3,"paused":true}})"));
  transport->Always({.method = "PATCH"}, rest::JsonReply("{}"));
  const Deployments all(rest::MakeScriptedClient(transport), kDeployments);
  EXPECT_THAT(call(kube::Context(), all.Namespace("prod")), kube::base::IsOk());
  return transport->requests().back().body;
}

TEST(TypedClients, Apply) {
  const std::string head =
      R"({"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web")";
  EXPECT_EQ(Body([](const kube::Context& ctx, const Deployments& deployments) {
              return ApplyWeb(ctx, deployments, "web:1");
            }),
            head + R"(},"spec":{"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":)"
                   R"({"labels":{"app":"web"}},"spec":{"containers":[{"name":"web",)"
                   R"("image":"web:1"}]}}}})");
  EXPECT_EQ(Body(ScaleToThree), head + R"(},"spec":{"replicas":3}})");
  EXPECT_EQ(Body(ApplyEmptyThings),
            head + R"(,"annotations":{},"finalizers":[]},"spec":{"replicas":0,"template":{"spec":)"
                   R"({"volumes":[{"name":"tmp","emptyDir":{}}]}}}})");
  EXPECT_EQ(Body(ScaleMine), head + R"(,"namespace":"prod"},"spec":{"replicas":5}})");
}

TEST(TypedClients, WriteWhatAControllerWrites) {
  const kube::Context ctx;
  kube::apiserver::ApiHandler server;
  const rest::Client client = *rest::MakeClient(kube::envtest::InProcessConfig(server));
  const Deployments deployments = Deployments(client, kDeployments).Namespace("default");
  const auto spec = kube::codec::DecodeYaml<appsv1::DeploymentSpec>(R"(
selector: {matchLabels: {app: web}}
template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:1"}]}}
)");
  ASSERT_THAT(spec, kube::base::IsOk());
  ASSERT_THAT(KeepWeb(ctx, deployments, *spec), kube::base::IsOk());
  ASSERT_THAT(MarkObserved(ctx, deployments), kube::base::IsOk());
  appsv1::Deployment web = *deployments.Get(ctx, "web");
  EXPECT_EQ(web.spec.replicas, 5);
  EXPECT_EQ(web.status.observed_generation, 1);

  web.spec.replicas = 6;
  web = *deployments.Update(ctx, web);
  EXPECT_THAT(Scale(ctx, deployments, web), kube::base::IsOk());
  web = *deployments.Get(ctx, "web");
  EXPECT_EQ(web.spec.replicas, 5);

  web.spec.replicas = 6;
  ASSERT_THAT(deployments.Update(ctx, web), kube::base::IsOk());
  EXPECT_THAT(KeepWeb(ctx, deployments, *spec), kube::base::IsOk());
  EXPECT_EQ(deployments.Get(ctx, "web")->spec.replicas, 5);
}

}  // namespace
