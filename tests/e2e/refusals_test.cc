// What the controller may not have, and may not do.
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "examples/sample_controller/foo.client.kube.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/cluster.h"
#include "tests/e2e/fixture.h"
#include "tests/e2e/replica.h"

namespace kube::e2e {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;
using testing::ContainsRegex;
using testing::HasSubstr;

class RefusalsTest : public E2eTest {
 protected:
  // OK if the Foo has such an event, of the controller.
  absl::Status HasWarning(absl::string_view foo, absl::string_view reason,
                          absl::string_view message) {
    KUBE_ASSIGN_OR_RETURN(const auto events,
                          cluster().client().CoreV1().Events(kFoos).List(Soon()));
    std::string others;
    for (const corev1::Event& event : events.items) {
      if (event.involved_object.kind != "Foo" || event.involved_object.name != foo) continue;
      if (event.type == "Warning" && event.reason == reason && event.message == message &&
          event.source.component == kController) {
        return absl::OkStatus();
      }
      absl::StrAppend(&others, event.type.view(), " ", event.reason.view(), ": ",
                      event.message.view(), " (", event.source.component.view(), "); ");
    }
    return absl::NotFoundError(absl::StrCat("other events: ", others));
  }

  // OK if it has logged an error about this object, with this text.
  static absl::Status HasLoggedError(const Replica& replica, absl::string_view key,
                                     absl::string_view text) {
    for (const absl::string_view line : absl::StrSplit(replica.LogOfThisLife(), '\n')) {
      if (absl::StartsWith(line, "E") && absl::StrContains(line, key) &&
          absl::StrContains(line, text)) {
        return absl::OkStatus();
      }
    }
    return absl::NotFoundError("there is no such line");
  }

  // Somebody else's, when it is all there.
  absl::Status MakeForeignDeployment(const char* name) {
    const Map<String> labels = {{"app", name}};
    appsv1::Deployment foreign = {.metadata = {.name = name, .labels = labels}};
    foreign.spec.replicas = 1;
    foreign.spec.selector = {{.match_labels = labels}};
    foreign.spec.template_.metadata.labels = labels;
    foreign.spec.template_.spec.containers = {{.name = "web", .image = "web:1"}};
    KUBE_RETURN_IF_ERROR(deployments().Create(Soon(), foreign));
    return Await("the foreign Deployment", [&]() -> absl::Status {
      KUBE_ASSIGN_OR_RETURN(const appsv1::Deployment now, deployments().Get(Soon(), name));
      if (now.status.available_replicas == 1) return absl::OkStatus();
      return absl::UnavailableError("it is not available");
    });
  }
};

TEST_F(RefusalsTest, AForeignDeploymentStaysUntouched) {
  ASSERT_THAT(MakeForeignDeployment("taken"), IsOk());
  const auto before = deployments().Get(Soon(), "taken");
  ASSERT_THAT(before, IsOk());
  Replica& controller = AddReplica();
  ASSERT_THAT(controller.Start(), IsOk());
  ASSERT_THAT(foos().Create(Soon(), {.metadata = {.name = "greedy"},
                                     .spec = {.deployment_name = "taken", .replicas = 3}}),
              IsOk());

  const char* const message = R"(Resource "taken" already exists and is not managed by Foo)";
  EXPECT_THAT(
      Await("the event", [&] { return HasWarning("greedy", "ErrResourceExists", message); }),
      IsOk());
  ASSERT_THAT(Await("the line in the log",
                    [&] {
                      return HasLoggedError(controller, "key=\"foos/greedy\"",
                                            "already exists and is not managed by Foo");
                    }),
              IsOk());

  // It goes on with what it may do.
  ASSERT_THAT(foos().Create(Soon(), {.metadata = {.name = "modest"},
                                     .spec = {.deployment_name = "free", .replicas = 1}}),
              IsOk());
  ASSERT_THAT(Await("the other Foo",
                    [&]() -> absl::Status {
                      KUBE_ASSIGN_OR_RETURN(const auto modest, foos().Get(Soon(), "modest"));
                      if (modest.status.available_replicas == 1) return absl::OkStatus();
                      return absl::UnavailableError("nothing is available");
                    }),
              IsOk());
  const auto after = deployments().Get(Soon(), "taken");
  ASSERT_THAT(after, IsOk());
  EXPECT_EQ(after->metadata.uid, before->metadata.uid);
  EXPECT_EQ(after->metadata.generation, before->metadata.generation);
  EXPECT_EQ(after->metadata.labels, before->metadata.labels);
  EXPECT_TRUE(after->metadata.owner_references.empty());
  EXPECT_EQ(after->spec, before->spec);
  for (const auto& entry : after->metadata.managed_fields) EXPECT_NE(entry.manager, kController);
  EXPECT_EQ(foos().Get(Soon(), "greedy")->status.available_replicas, 0);
}

TEST_F(RefusalsTest, WhatItMayNotReadEndsItAndIsNamed) {
  ASSERT_THAT(cluster().ForbidReadingDeployments(), IsOk());
  const std::string token = IssueToken();
  ASSERT_THAT(Await("the end of the right",
                    [&] {
                      return errors::IsForbidden(MayRead(token))
                                 ? absl::OkStatus()
                                 : absl::UnavailableError("it is still there");
                    }),
              IsOk());

  Replica& controller = AddReplica();
  ASSERT_THAT(controller.Start(), IsOk());
  ASSERT_THAT(Await("the controller's end",
                    [&] {
                      return controller.ended().ok() ? absl::UnavailableError("it runs")
                                                     : absl::OkStatus();
                    }),
              IsOk());
  EXPECT_THAT(controller.ended(), StatusIs(absl::StatusCode::kAborted, HasSubstr(": code 1")));
  const std::string log = controller.Log();
  // In the server's words; which of the two it asks for first is its own affair.
  EXPECT_THAT(log,
              ContainsRegex(absl::StrCat(
                  R"("controller ended" err="wait for cache sync: deployments: )",
                  R"((list|watch) deployments\.apps: deployments\.apps is forbidden: User \\")",
                  kServiceAccount,
                  R"(\\" cannot (list|watch) resource \\"deployments\\" in API group \\"apps\\" )",
                  R"(at the cluster scope")")));
}

}  // namespace
}  // namespace kube::e2e
