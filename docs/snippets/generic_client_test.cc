// The snippets about one client for all kinds of docs/typed-clients.md.
#include <memory>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/finalizers.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/restmapper/default_rest_mapper.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apiserver/handler.h"
#include "clientset/generic/call.h"
#include "clientset/generic/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/owner.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"

namespace {

namespace corev1 = kube::api::core::v1;
namespace errors = kube::errors;
namespace generic = kube::generic;
namespace rest = kube::rest;
namespace typed = kube::typed;
namespace unstructured = kube::unstructured;

// An object of a kind with a type, an Unstructured, or metadata alone.
template <generic::AnyKind K>
absl::Status Mark(const kube::Context& ctx, const generic::Client& client, const K& object) {
  K after = object;
  kube::meta::AddFinalizer(after, "example.com/mark");
  return client.PatchFrom(ctx, object, after).status();
}

absl::Status UseAnyKind(const kube::Context& ctx, const rest::Client& rest_client,
                        std::shared_ptr<const kube::restmapper::RestMapper> mapper) {
  const generic::Client client =
      generic::Client(rest_client, std::move(mapper)).Namespaced("default").WithFieldOwner("demo");
  const corev1::ConfigMap map = {.metadata = {.name = "settings"}};
  KUBE_ASSIGN_OR_RETURN(const corev1::ConfigMap created, client.Create(ctx, map));
  KUBE_RETURN_IF_ERROR(Mark(ctx, client, created));

  const kube::schema::GroupVersionKind kind = {.group = "", .version = "v1", .kind = "ConfigMap"};
  KUBE_ASSIGN_OR_RETURN(const auto same,
                        client.Get<unstructured::Unstructured>(
                            ctx, kind, {.namespace_name = "", .name = "settings"}));
  return client.DryRun().Delete(ctx, *same);  // checked, and not done
}

// A client whose deletions fail.
generic::Client Careful(const generic::Client& client) {
  return client.WithInterceptor(
      [](const kube::Context&, const generic::Call& call, absl::FunctionRef<absl::Status()> next) {
        if (call.verb == generic::Verb::kDelete) return absl::UnavailableError("not today");
        return next();
      });
}

// Adds to the list, and keeps what others have added meanwhile.
absl::Status AddFinalizer(const kube::Context& ctx, const generic::Client& client,
                          const corev1::Pod& cached) {
  corev1::Pod after = cached;
  kube::meta::AddFinalizer(after, "example.com/mark");
  return client
      .PatchFrom(ctx, cached, after,
                 {.optimistic_lock = false, .type = kube::patch::PatchType::kStrategicMerge})
      .status();
}

absl::Status KeepSettings(const kube::Context& ctx, const generic::Client& client,
                          const corev1::Secret& account) {
  corev1::ConfigMap settings = {
      .metadata = {.name = account.metadata.name, .namespace_ = account.metadata.namespace_}};
  KUBE_RETURN_IF_ERROR(typed::SetControllerReference(account, settings));
  return errors::IgnoreAlreadyExists(client.Create(ctx, settings).status());
}

TEST(GenericClientGuide, IsAsTheGuideSays) {
  const kube::Context ctx;
  kube::apiserver::ApiHandler server;
  const rest::Client rest_client = *rest::MakeClient(kube::envtest::InProcessConfig(server));
  auto mapper = std::make_shared<kube::restmapper::DefaultRestMapper>(
      std::vector<kube::schema::GroupVersion>{{.group = "", .version = "v1"}});
  mapper->Add({.group = "", .version = "v1", .kind = "ConfigMap"}, kube::Scope::kNamespaced);
  EXPECT_THAT(UseAnyKind(ctx, rest_client, mapper), kube::base::IsOk());

  const generic::Client client = generic::Client(rest_client).Namespaced("default");
  const auto settings =
      client.Get<corev1::ConfigMap>(ctx, {.namespace_name = "", .name = "settings"});
  ASSERT_THAT(settings, kube::base::IsOk());
  EXPECT_TRUE(kube::meta::ContainsFinalizer(**settings, "example.com/mark"));
  EXPECT_EQ(Careful(client).Delete(ctx, **settings).message(), "not today");

  const corev1::Secret secret = {.metadata = {.name = "web"}};
  const absl::StatusOr<corev1::Secret> account = client.Create(ctx, secret);
  ASSERT_THAT(account, kube::base::IsOk());
  EXPECT_THAT(KeepSettings(ctx, client, *account), kube::base::IsOk());
  EXPECT_THAT(KeepSettings(ctx, client, *account), kube::base::IsOk());

  const corev1::Pod pod = {.metadata = {.name = "web"},
                           .spec = {.containers = {{.name = "web", .image = "web:1"}}}};
  const absl::StatusOr<corev1::Pod> created = client.Create(ctx, pod);
  ASSERT_THAT(created, kube::base::IsOk());
  ASSERT_THAT(client.Patch(ctx, *created, kube::patch::PatchType::kMerge,
                           R"({"metadata":{"finalizers":["example.com/other"]}})"),
              kube::base::IsOk());
  ASSERT_THAT(AddFinalizer(ctx, client, *created), kube::base::IsOk());
  const auto now = client.Get<corev1::Pod>(ctx, {.namespace_name = "", .name = "web"});
  ASSERT_THAT(now, kube::base::IsOk());
  EXPECT_EQ((*now)->metadata.finalizers.size(), 2u);
}

}  // namespace
