// TypedClient::Edit: the requests that it sends, and how often.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "clientset/rest/config.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/typed/options.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::typed {
namespace {

namespace appsv1 = api::apps::v1;
using rest::JsonReply;
using rest::RecordedRequest;
using rest::ScriptedTransport;
using rest::StatusReply;
using unstructured::Unstructured;
using unstructured::UnstructuredList;

using Deployments = TypedClient<appsv1::Deployment, appsv1::DeploymentList>;
using Webs = TypedClient<Unstructured, UnstructuredList>;

constexpr base::Backoff kThreeTries = {.steps = 3};

// A Deployment of a newer release, with fields that this program does not know.
std::string StoredDeployment(absl::string_view version) {
  return absl::StrCat(R"({"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web",)",
                      R"("uid":"u1","resourceVersion":")", version, R"(","future":{"a":1}},)",
                      R"("spec":{"replicas":1,"selector":{},"future":["x"],"template":)",
                      R"({"metadata":{},"spec":{"future":true,"containers":[)",
                      R"({"name":"log","image":"log:1"},)",
                      R"({"name":"web","image":"web:1","future":7}]}}},"status":{"future":1}})");
}

constexpr char kStoredWeb[] =
    R"({"kind":"Web","apiVersion":"example.com/v1","metadata":{"name":"w","uid":"u1",)"
    R"("resourceVersion":"7"},"spec":{"image":"web:1","ports":[{"port":1},{"port":2}]}})";

class EditTest : public testing::Test {
 protected:
  Deployments MakeDeployments(bool built_in = true) {
    const Resource resource = {.group = "apps",
                               .version = "v1",
                               .plural = "deployments",
                               .kind = "Deployment",
                               .built_in = built_in};
    return Deployments(rest::MakeScriptedClient(transport_), resource).Namespace("prod");
  }
  Webs MakeWebs() {
    const Resource resource = {
        .group = "example.com", .version = "v1", .plural = "webs", .kind = "Web"};
    return Webs(rest::MakeScriptedClient(transport_), resource).Namespace("prod");
  }
  RecordedRequest Last() const { return transport_->requests().back(); }

  const std::shared_ptr<ScriptedTransport> transport_ = std::make_shared<ScriptedTransport>();
  const Context ctx_ = {};
};

absl::Status SetReplicas(appsv1::Deployment& web) {
  web.spec.replicas = 5;
  return absl::OkStatus();
}

TEST_F(EditTest, Edit_ChangedField_SendsOnlyTheDifference) {
  transport_->Expect({.method = "GET"}, JsonReply(StoredDeployment("7")));
  transport_->Expect({.method = "PATCH"}, JsonReply(StoredDeployment("8")));
  const absl::StatusOr<appsv1::Deployment> web = MakeDeployments().Edit(ctx_, "web", &SetReplicas);
  ASSERT_THAT(web, base::IsOk());
  EXPECT_EQ(web->metadata.resource_version, "8");
  EXPECT_EQ(Last().url, "http://localhost/apis/apps/v1/namespaces/prod/deployments/web");
  EXPECT_EQ(Last().Header("content-type"), "application/strategic-merge-patch+json");
  // The patch does not mention the unknown fields, so they are preserved.
  EXPECT_EQ(Last().body,
            R"({"metadata":{"resourceVersion":"7","uid":"u1"},"spec":{"replicas":5}})");
}

TEST_F(EditTest, Edit_ElementOfAKeyedList_SendsOnlyThatElement) {
  transport_->Expect({.method = "GET"}, JsonReply(StoredDeployment("7")));
  transport_->Expect({.method = "PATCH"}, JsonReply(StoredDeployment("8")));
  ASSERT_THAT(MakeDeployments().Edit(ctx_, "web",
                                     [](appsv1::Deployment& web) {
                                       web.spec.template_.spec.containers[1].image = "web:2";
                                       return absl::OkStatus();
                                     }),
              base::IsOk());
  EXPECT_EQ(Last().body,
            R"({"metadata":{"resourceVersion":"7","uid":"u1"},"spec":{"template":{"spec":{)"
            R"("$setElementOrder/containers":[{"name":"log"},{"name":"web"}],)"
            R"("containers":[{"image":"web:2","name":"web"}]}}}})");
}

TEST_F(EditTest, Edit_CustomResource_SendsAMergePatch) {
  transport_->Expect({.method = "GET"}, JsonReply(kStoredWeb));
  transport_->Expect({.method = "PATCH"}, JsonReply(kStoredWeb));
  ASSERT_THAT(MakeWebs().Edit(ctx_, "w",
                              [](Unstructured& web) {
                                At(web.object, {"spec", "image"}) = "web:2";
                                web.set_labels({{"a", "b"}});
                                return absl::OkStatus();
                              }),
              base::IsOk());
  EXPECT_EQ(Last().Header("content-type"), "application/merge-patch+json");
  EXPECT_EQ(Last().body, R"({"metadata":{"labels":{"a":"b"},"resourceVersion":"7","uid":"u1"},)"
                         R"("spec":{"image":"web:2"}})");

  transport_->Expect({.method = "GET"}, JsonReply(StoredDeployment("7")));
  transport_->Expect({.method = "PATCH"}, JsonReply(StoredDeployment("8")));
  ASSERT_THAT(MakeDeployments(/*built_in=*/false).Edit(ctx_, "web", &SetReplicas), base::IsOk());
  EXPECT_EQ(Last().Header("content-type"), "application/merge-patch+json");
  EXPECT_EQ(Last().body,
            R"({"metadata":{"resourceVersion":"7","uid":"u1"},"spec":{"replicas":5}})");
}

TEST_F(EditTest, Edit_NoChange_SendsNoPatch) {
  transport_->Expect({.method = "GET"}, JsonReply(StoredDeployment("7")));
  const absl::StatusOr<appsv1::Deployment> web =
      MakeDeployments().Edit(ctx_, "web", [](appsv1::Deployment& deployment) {
        deployment.spec.replicas = 1;
        return absl::OkStatus();
      });
  ASSERT_THAT(web, base::IsOk());
  EXPECT_EQ(web->metadata.resource_version, "7");
  EXPECT_EQ(transport_->requests().size(), 1);
}

TEST_F(EditTest, Edit_Conflict_ReadsAndTriesAgain) {
  transport_->Expect({.method = "GET"}, JsonReply(StoredDeployment("7")));
  transport_->Expect({.method = "PATCH"}, StatusReply(409, "Conflict", "changed"));
  transport_->Expect({.method = "GET"}, JsonReply(StoredDeployment("9")));
  transport_->Expect({.method = "PATCH"}, JsonReply(StoredDeployment("10")));
  int changes = 0;
  const absl::StatusOr<appsv1::Deployment> web = MakeDeployments().Edit(
      ctx_, "web",
      [&changes](appsv1::Deployment& deployment) {
        ++changes;
        EXPECT_EQ(deployment.spec.replicas, 1);  // not the value of the previous try
        return SetReplicas(deployment);
      },
      {.backoff = kThreeTries});
  ASSERT_THAT(web, base::IsOk());
  EXPECT_EQ(web->metadata.resource_version, "10");
  EXPECT_EQ(changes, 2);
  EXPECT_EQ(Last().body,
            R"({"metadata":{"resourceVersion":"9","uid":"u1"},"spec":{"replicas":5}})");
}

// Five tries, 10 to 11 ms between them.
TEST_F(EditTest, Edit_FiveConflicts_ReturnsTheConflict) {
  transport_->Always({.method = "GET"}, JsonReply(StoredDeployment("7")));
  transport_->Always({.method = "PATCH"}, StatusReply(409, "Conflict", "changed"));
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&] {
    const base::MonotonicTime start = base::Now();
    EXPECT_TRUE(
        errors::IsConflict(MakeDeployments().Edit(Context(), "web", &SetReplicas).status()));
    const absl::Duration took = base::Now() - start;
    EXPECT_GE(took, absl::Milliseconds(40));
    EXPECT_LE(took, absl::Milliseconds(44));
  }),
              base::IsOk());
  EXPECT_EQ(transport_->requests().size(), 10);
}

TEST_F(EditTest, Edit_OtherError_ReturnsIt) {
  transport_->Expect({.method = "GET"}, StatusReply(404, "NotFound", "none"));
  EXPECT_TRUE(errors::IsNotFound(MakeDeployments().Edit(ctx_, "web", &SetReplicas).status()));

  transport_->Expect({.method = "GET"}, JsonReply(StoredDeployment("7")));
  EXPECT_THAT(
      MakeDeployments()
          .Edit(ctx_, "web", [](appsv1::Deployment&) { return absl::AbortedError("not today"); })
          .status(),
      base::StatusIs(absl::StatusCode::kAborted, "not today"));
  EXPECT_EQ(transport_->requests().size(), 2);

  transport_->Expect({.method = "GET"}, JsonReply(StoredDeployment("7")));
  transport_->Expect({.method = "PATCH"}, StatusReply(422, "Invalid", "no"));
  EXPECT_TRUE(errors::IsInvalid(MakeDeployments().Edit(ctx_, "web", &SetReplicas).status()));
  EXPECT_EQ(transport_->requests().size(), 4);
}

// For example because it writes another object and gets a conflict for that one.
TEST_F(EditTest, Edit_ConflictFromTheFunction_IsNotRetried) {
  transport_->Always({.method = "GET"}, JsonReply(StoredDeployment("7")));
  transport_->Expect({.method = "PATCH"}, StatusReply(409, "Conflict", "changed"));
  int changes = 0;
  const absl::StatusOr<appsv1::Deployment> web =
      MakeDeployments().Edit(ctx_, "web",
                             [&changes](appsv1::Deployment& deployment) {
                               if (++changes == 1) return SetReplicas(deployment);
                               return errors::Conflict({.resource = "quotas"}, "q", "changed");
                             },
                             {.backoff = kThreeTries});
  EXPECT_TRUE(errors::IsConflict(web.status()));
  EXPECT_THAT(web.status().message(), testing::HasSubstr("quotas"));
  EXPECT_EQ(changes, 2);  // repeated after the server's conflict, but not after its own
}

TEST_F(EditTest, Edit_OptionsAndSubresource_AreSentWithThePatch) {
  transport_->Expect({.method = "GET"}, JsonReply(StoredDeployment("7")));
  transport_->Expect({.method = "PATCH"}, JsonReply(StoredDeployment("8")));
  ASSERT_THAT(
      MakeDeployments().Edit(
          ctx_, "web",
          [](appsv1::Deployment& web) {
            web.status.observed_generation = 3;
            return absl::OkStatus();
          },
          {.patch = {.dry_run = {"All"}, .field_manager = "me", .field_validation = "Strict"},
           .subresource = "status"}),
      base::IsOk());
  EXPECT_EQ(transport_->requests()[0].url,
            "http://localhost/apis/apps/v1/namespaces/prod/deployments/web");
  EXPECT_EQ(Last().url,
            "http://localhost/apis/apps/v1/namespaces/prod/deployments/web/status?dryRun=All"
            "&fieldManager=me&fieldValidation=Strict");
  EXPECT_EQ(Last().body, R"({"metadata":{"resourceVersion":"7","uid":"u1"},)"
                         R"("status":{"observedGeneration":3}})");
}

}  // namespace
}  // namespace kube::typed
