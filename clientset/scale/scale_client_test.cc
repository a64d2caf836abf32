#include "clientset/scale/scale_client.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/autoscaling/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/restmapper/default_rest_mapper.h"
#include "apimachinery/restmapper/errors.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "clientset/discovery/discovery.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/scale/scale_kind_resolver.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::scale {
namespace {

namespace autoscalingv1 = api::autoscaling::v1;
using base::IsOk;
using base::StatusIs;
using rest::JsonReply;

constexpr char kScale[] = R"({"kind":"Scale","apiVersion":"autoscaling/v1",
    "metadata":{"name":"web"},"spec":{"replicas":3},"status":{"replicas":3}})";
const schema::GroupResource kDeployments = {.group = "apps", .resource = "deployments"};
const schema::GroupResource kOld = {.group = "extensions", .resource = "deployments"};

std::shared_ptr<const restmapper::RestMapper> Mapper() {
  auto mapper = std::make_shared<restmapper::DefaultRestMapper>(std::vector<schema::GroupVersion>{
      {.group = "apps", .version = "v1"}, {.group = "extensions", .version = "v1beta1"}});
  mapper->Add({.group = "apps", .version = "v1", .kind = "Deployment"}, Scope::kNamespaced);
  mapper->Add({.group = "apps", .version = "v1", .kind = "ControllerRevision"}, Scope::kNamespaced);
  mapper->Add({.group = "extensions", .version = "v1beta1", .kind = "Deployment"},
              Scope::kNamespaced);
  return mapper;
}

class Scales : public testing::Test {
 protected:
  Scales() {
    transport_->Always({.path = "/apis/apps/v1"}, JsonReply(R"({"resources":[
        {"name":"deployments","kind":"Deployment"},{"name":"deployments/scale","group":
        "autoscaling","version":"v1","kind":"Scale"}]})"));
    transport_->Always({.path = "/apis/extensions/v1beta1"}, JsonReply(R"({"resources":[
        {"name":"deployments/scale","kind":"Scale"}]})"));
  }

  const std::shared_ptr<rest::ScriptedTransport> transport_ =
      std::make_shared<rest::ScriptedTransport>();
  const rest::Client rest_ = rest::MakeScriptedClient(transport_);
  const ScaleClient scales_ = ScaleClient(rest_, Mapper(),
                                          std::make_shared<DiscoveryScaleKindResolver>(
                                              std::make_shared<discovery::DiscoveryClient>(rest_)))
                                  .Namespace("prod");
  const Context ctx_{};

  rest::RecordedRequest Last() const { return transport_->requests().back(); }
};

TEST_F(Scales, GetsWhateverItIs) {
  transport_->Expect({.path = "/apis/apps/v1/namespaces/prod/deployments/web/scale"},
                     JsonReply(kScale));
  const absl::StatusOr<autoscalingv1::Scale> scale = scales_.Get(ctx_, kDeployments, "web");
  ASSERT_THAT(scale, IsOk());
  EXPECT_EQ(scale->spec.replicas, 3);
  EXPECT_EQ(scale->kind, "");
  EXPECT_EQ(Last().Header("accept"), "application/json, */*");
  transport_->Expect({.path = "/apis/extensions/v1beta1/namespaces/prod/deployments/web/scale"},
                     JsonReply(R"({"kind":"Scale","apiVersion":"extensions/v1beta1",
                     "status":{"selector":{"a":"b"}}})"));
  const absl::StatusOr<autoscalingv1::Scale> old = scales_.Get(ctx_, kOld, "web");
  ASSERT_THAT(old, IsOk());
  EXPECT_EQ(old->status.selector, "a=b");
}

TEST_F(Scales, UpdatesInTheResourcesOwnKind) {
  autoscalingv1::Scale scale = {.metadata = {.name = "web"}, .spec = {.replicas = 5}};
  scale.status.selector = "a=b";
  transport_->Always({.method = "PUT"}, JsonReply(kScale));
  ASSERT_THAT(scales_.Update(ctx_, kDeployments, scale), IsOk());
  EXPECT_EQ(Last().path, "/apis/apps/v1/namespaces/prod/deployments/web/scale");
  EXPECT_EQ(Last().body,
            R"({"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"web"},)"
            R"("spec":{"replicas":5},"status":{"replicas":0,"selector":"a=b"}})"
            "\n");
  ASSERT_THAT(scales_.Update(ctx_, kOld, scale), IsOk());
  EXPECT_EQ(Last().body,
            R"({"kind":"Scale","apiVersion":"extensions/v1beta1","metadata":{"name":"web"},)"
            R"("spec":{"replicas":5},"status":{"replicas":0,"selector":{"a":"b"},)"
            R"("targetSelector":"a=b"}})"
            "\n");
  // Discovery is asked once for each resource.
  ASSERT_THAT(scales_.Update(ctx_, kOld, scale), IsOk());
  EXPECT_EQ(transport_->requests().size(), 5);
}

TEST_F(Scales, Patches) {
  transport_->Expect({.method = "PATCH"}, JsonReply(kScale));
  EXPECT_THAT(scales_.Patch(ctx_, {.group = "apps", .version = "v1", .resource = "deployments"},
                            "web", patch::PatchType::kMerge, R"({"spec":{"replicas":3}})"),
              IsOk());
  EXPECT_EQ(Last().path, "/apis/apps/v1/namespaces/prod/deployments/web/scale");
  EXPECT_EQ(transport_->requests().size(), 1);
}

TEST_F(Scales, SaysWhatCannotBeScaled) {
  EXPECT_TRUE(restmapper::IsNoMatch(
      scales_.Get(ctx_, {.group = "x", .resource = "widgets"}, "web").status()));
  const autoscalingv1::Scale scale = {.metadata = {.name = "web"}};
  EXPECT_THAT(
      scales_.Update(ctx_, {.group = "apps", .resource = "controllerrevisions"}, scale),
      StatusIs(absl::StatusCode::kNotFound,
               "could not find scale subresource for apps/v1, Resource=controllerrevisions in "
               "discovery information"));
  EXPECT_THAT(scales_.Update(ctx_, kDeployments, {}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(scales_.Get(ctx_, kDeployments, ""), StatusIs(absl::StatusCode::kInvalidArgument));
}

// The example of ScaleClient.
absl::Status ScaleWeb(const Context& ctx, const rest::Client& client,
                      const std::shared_ptr<const restmapper::RestMapper>& mapper,
                      const std::shared_ptr<const discovery::Discovery>& cache) {
  const scale::ScaleClient scales(client, mapper,
                                  std::make_shared<scale::DiscoveryScaleKindResolver>(cache));
  const schema::GroupResource deployments = {.group = "apps", .resource = "deployments"};
  KUBE_ASSIGN_OR_RETURN(autoscalingv1::Scale web,
                        scales.Namespace("prod").Get(ctx, deployments, "web"));
  web.spec.replicas = 5;
  return scales.Namespace("prod").Update(ctx, deployments, web).status();
}

TEST_F(Scales, ChangesTheReplicas_AsInTheHeader) {
  const char* const kPath = "/apis/apps/v1/namespaces/prod/deployments/web/scale";
  transport_->Expect({.method = "GET", .path = kPath}, JsonReply(kScale));
  transport_->Expect({.method = "PUT", .path = kPath}, JsonReply(kScale));
  EXPECT_THAT(ScaleWeb(ctx_, rest_, Mapper(), std::make_shared<discovery::DiscoveryClient>(rest_)),
              IsOk());
  EXPECT_THAT(Last().body, testing::HasSubstr(R"("spec":{"replicas":5})"));
}

}  // namespace
}  // namespace kube::scale
