// The code in docs/clientset.md.
#include "clientset/kubernetes/clientset.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/apps/v1/types.kube.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/meta/dynamic_conditions.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/restmapper/default_rest_mapper.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/discovery/memory_cache.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/metadata/metadata_client.h"
#include "clientset/openapi/memory_cache.h"
#include "clientset/openapi/openapi_client.h"
#include "clientset/openapi/root.h"
#include "clientset/pager/pager.h"
#include "clientset/rest/config.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/restmapper/deferred_discovery_rest_mapper.h"
#include "clientset/restmapper/shortcut_expander.h"
#include "clientset/typed/resource_traits.h"
#include "clientset/typed/typed_client.h"
#include "docs/snippets/widget.client.kube.h"
#include "docs/snippets/widget.kube.h"
#include "gtest/gtest.h"

namespace {

namespace appsv1 = kube::api::apps::v1;
namespace autoscalingv1 = kube::api::autoscaling::v1;
namespace corev1 = kube::api::core::v1;
namespace pager = kube::pager;
namespace rest = kube::rest;
namespace typed = kube::typed;
namespace widgetsv1 = example::widgets::v1;
using kube::kubernetes::Clientset;

absl::Status ScaleAndEvict(const kube::Context& ctx, const rest::Config& config) {
  KUBE_ASSIGN_OR_RETURN(const Clientset client, Clientset::Make(config));
  const appsv1::DeploymentClient deployments = client.AppsV1().Deployments("prod");
  KUBE_ASSIGN_OR_RETURN(const appsv1::Deployment web, deployments.Get(ctx, "web"));
  KUBE_ASSIGN_OR_RETURN(autoscalingv1::Scale scale, deployments.GetScale(ctx, "web"));
  scale.spec.replicas = web.status.ready_replicas + 1;
  KUBE_RETURN_IF_ERROR(deployments.UpdateScale(ctx, "web", scale).status());
  return client.CoreV1().Pods("prod").EvictV1(ctx, {.metadata = {.name = "web-0"}});
}

absl::StatusOr<std::string> LastLines(const kube::Context& ctx, const Clientset& client) {
  const corev1::PodClient pods = client.CoreV1().Pods("prod");
  return pods.GetLogs(ctx, "web-0", {.container = "app", .tail_lines = 100});
}

absl::StatusOr<int> CountPods(const kube::Context& ctx, const Clientset& client) {
  int count = 0;
  KUBE_RETURN_IF_ERROR(pager::PagerOf(client.CoreV1().Pods("").typed_client())
                           .EachItem(ctx, {}, [&count](const corev1::Pod&) {
                             ++count;
                             return absl::OkStatus();
                           }));
  return count;
}

template <typed::ResourceKind T>
absl::StatusOr<size_t> CountObjects(const kube::Context& ctx, const Clientset& client) {
  using Traits = typed::ResourceTraits<T>;
  const typed::TypedClient<T, typename Traits::List> objects(client.client(), Traits::kResource);
  KUBE_ASSIGN_OR_RETURN(const typename Traits::List list, objects.List(ctx));
  return list.items.size();
}

absl::Status Label(const kube::Context& ctx, const Clientset& client) {
  const kube::schema::GroupVersionResource widgets = {
      .group = "example.com", .version = "v1", .resource = "widgets"};
  const auto all = kube::metadata::MetadataClient(client.client()).Resource(widgets);
  KUBE_ASSIGN_OR_RETURN(const auto list, all.List(ctx, {.label_selector = "!team"}));
  for (const auto& item : list.items) {
    KUBE_RETURN_IF_ERROR(all.Namespace(item.metadata.namespace_)
                             .Patch(ctx, item.metadata.name, kube::patch::PatchType::kMerge,
                                    R"({"metadata":{"labels":{"team":"web"}}})")
                             .status());
  }
  return absl::OkStatus();
}

absl::StatusOr<kube::unstructured::UnstructuredList> ListByName(const kube::Context& ctx,
                                                                const Clientset& client,
                                                                const std::string& name) {
  const auto cache = std::make_shared<kube::discovery::MemoryCache>(
      std::make_shared<kube::discovery::DiscoveryClient>(client.client()));
  const kube::restmapper::ShortcutExpander mapper(
      std::make_shared<kube::restmapper::DeferredDiscoveryRestMapper>(cache), cache);
  KUBE_ASSIGN_OR_RETURN(const auto resource, mapper.ResourceFor(ctx, {.resource = name}));
  return kube::dynamic::DynamicClient(client.client()).Resource(resource).List(ctx);
}

absl::StatusOr<std::string> DescribeField(const kube::Context& ctx, const Clientset& client,
                                          const std::string& field) {
  const auto cache = std::make_shared<kube::openapi::MemoryCache>(
      std::make_shared<kube::openapi::OpenApiClient>(client.client()));
  KUBE_ASSIGN_OR_RETURN(const auto document, kube::openapi::Root(cache).GroupVersionSpec(
                                                 ctx, {.group = "example.com", .version = "v1"}));
  const auto& spec =
      document["components"]["schemas"]["com.example.v1.Widget"]["properties"]["spec"];
  return std::string(spec["properties"][field]["description"].text().value_or(""));
}

absl::StatusOr<int> CountReady(const kube::Context& ctx, const Clientset& client,
                               const kube::restmapper::RestMapper& mapper, const std::string& ns) {
  KUBE_ASSIGN_OR_RETURN(
      const auto mapping,
      mapper.RestMappingFor(ctx, {.group = "example.com", .kind = "Widget"}, /*versions=*/{}));
  const bool is_namespaced = mapping.scope == kube::Scope::kNamespaced;
  const auto widgets = kube::dynamic::DynamicClient(client.client())
                           .Resource(mapping.resource)
                           .Namespace(is_namespaced ? ns : "");
  int ready = 0;
  KUBE_RETURN_IF_ERROR(pager::PagerOf(widgets).EachItem(
      ctx, {}, [&ready](const kube::unstructured::Unstructured& widget) {
        ready += kube::meta::IsStatusConditionTrue(widget, "Ready");
        return absl::OkStatus();
      }));
  return ready;
}

absl::StatusOr<widgetsv1::Widget> GetWidget(const kube::Context& ctx, const Clientset& client) {
  return widgetsv1::ExampleV1Client(client.client()).Widgets("prod").Get(ctx, "w");
}

TEST(AnyResource, Run) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Expect({.path = "/apis/example.com/v1/widgets"},
                    rest::JsonReply(R"({"items":[{"metadata":{"name":"w","namespace":"prod"}}]})"));
  transport->Expect({.method = "PATCH", .path = "/apis/example.com/v1/namespaces/prod/widgets/w"},
                    rest::JsonReply(R"({"metadata":{"name":"w"}})"));
  transport->Expect({.path = "/api"}, rest::JsonReply(R"({"versions":["v1"]})"));
  transport->Expect({.path = "/apis"}, rest::JsonReply(R"({"groups":[]})"));
  transport->Expect({.path = "/api/v1"}, rest::JsonReply(R"({"resources":[{"name":"pods",
      "singularName":"pod","namespaced":true,"kind":"Pod","shortNames":["po"]}]})"));
  transport->Expect({.path = "/api/v1/pods"},
                    rest::JsonReply(R"({"kind":"PodList","apiVersion":"v1","items":[{}]})"));
  const Clientset client(rest::MakeScriptedClient(transport));
  const kube::Context ctx;
  EXPECT_THAT(Label(ctx, client), kube::base::IsOk());
  const auto pods = ListByName(ctx, client, "po");
  ASSERT_THAT(pods, kube::base::IsOk());
  EXPECT_EQ(pods->items[0].kind(), "Pod");
  EXPECT_THAT(transport->Verify(), kube::base::IsOk());
}

TEST(AnyResource, OfAKindIsCounted) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({.path = "/apis/example.com/v1/namespaces/prod/widgets"},
                    rest::JsonReply(R"({"kind":"WidgetList","apiVersion":"example.com/v1","items":[
      {"metadata":{"name":"a"},"status":{"conditions":[{"type":"Ready","status":"True"}]}},
      {"metadata":{"name":"b"},"status":{"conditions":[{"type":"Ready","status":"False"}]}}]})"));
  const Clientset client(rest::MakeScriptedClient(transport));
  kube::restmapper::DefaultRestMapper mapper(
      std::vector<kube::schema::GroupVersion>{{.group = "example.com", .version = "v1"}});
  mapper.Add({.group = "example.com", .version = "v1", .kind = "Widget"}, kube::Scope::kNamespaced);
  EXPECT_THAT(CountReady(kube::Context(), client, mapper, "prod"), kube::base::IsOkAndHolds(1));
}

TEST(AnyResource, HasASchema) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Expect({.path = "/openapi/v3"}, rest::JsonReply(R"({"paths":{
      "apis/example.com/v1":{"serverRelativeURL":"/openapi/v3/apis/example.com/v1?hash=1F"}}})"));
  transport->Expect({.path = "/openapi/v3/apis/example.com/v1"},
                    rest::JsonReply(R"({"components":{"schemas":{"com.example.v1.Widget":{
      "properties":{"spec":{"properties":{"size":{"description":"How big it is."}}}}}}}})"));
  const Clientset client(rest::MakeScriptedClient(transport));
  EXPECT_THAT(DescribeField(kube::Context(), client, "size"),
              kube::base::IsOkAndHolds("How big it is."));
  EXPECT_THAT(transport->Verify(), kube::base::IsOk());
}

TEST(AnyKind, IsTheArgumentOfATemplate) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Expect({.path = "/api/v1/pods"}, rest::JsonReply(R"({"items":[{},{}]})"));
  transport->Expect({.path = "/apis/example.com/v1/widgets"}, rest::JsonReply(R"({"items":[{}]})"));
  const Clientset client(rest::MakeScriptedClient(transport));
  EXPECT_THAT(CountObjects<corev1::Pod>(kube::Context(), client), kube::base::IsOkAndHolds(2u));
  EXPECT_THAT(CountObjects<widgetsv1::Widget>(kube::Context(), client),
              kube::base::IsOkAndHolds(1u));
  EXPECT_THAT(transport->Verify(), kube::base::IsOk());
}

TEST(Clientset, Run) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Expect({.path = "/api/v1/namespaces/prod/pods/web-0/log"}, rest::JsonReply("one\n"));
  transport->Expect({.path = "/api/v1/pods"}, rest::JsonReply(R"({"items":[{},{}]})"));
  transport->Expect({.path = "/api/v1/namespaces/prod/pods/web-0/eviction"},
                    rest::JsonReply(R"({"kind":"Status","apiVersion":"v1"})"));
  transport->Always({}, rest::JsonReply("{}"));
  const Clientset client(rest::MakeScriptedClient(transport));
  const kube::Context ctx;
  EXPECT_THAT(ScaleAndEvict(ctx, {.host = "http://localhost", .transport = transport}),
              kube::base::IsOk());
  EXPECT_THAT(LastLines(ctx, client), kube::base::IsOkAndHolds("one\n"));
  EXPECT_THAT(CountPods(ctx, client), kube::base::IsOkAndHolds(2));
  EXPECT_THAT(GetWidget(ctx, client), kube::base::IsOk());
  EXPECT_THAT(transport->Verify(), kube::base::IsOk());
}

}  // namespace
