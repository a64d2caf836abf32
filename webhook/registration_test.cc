#include "webhook/registration.h"

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/typed/resource.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/admission_options.h"
#include "webhook/admission_types.h"

namespace kube::webhook {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;

// behaviour.md: WH-38
TEST(Registration, Paths_OfEachGroup) {
  const struct {
    const char* name;
    schema::GroupVersionKind kind;
    const char* mutate;
    const char* validate;
  } kRows[] = {
      {"core", {.version = "v1", .kind = "Pod"}, "/mutate--v1-pod", "/validate--v1-pod"},
      {"apps",
       {.group = "apps", .version = "v1", .kind = "Deployment"},
       "/mutate-apps-v1-deployment",
       "/validate-apps-v1-deployment"},
      {"a domain",
       {.group = "sites.example.com", .version = "v1alpha1", .kind = "WebSite"},
       "/mutate-sites-example-com-v1alpha1-website",
       "/validate-sites-example-com-v1alpha1-website"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(MutatePath(row.kind), row.mutate);
    EXPECT_EQ(ValidatePath(row.kind), row.validate);
    EXPECT_THAT(CheckPath(row.mutate), IsOk());
  }
}

// behaviour.md: WH-38
TEST(Registration, CheckPath) {
  for (const char* path : {"/", "/a", "/a-B_9/c"}) {
    EXPECT_THAT(CheckPath(path), IsOk()) << path;
  }
  for (const char* path : {"", "a", "/a/", "//", "//a", "/a b", "/a.b", "/ä", "/a?b"}) {
    EXPECT_THAT(CheckPath(path), StatusIs(absl::StatusCode::kInvalidArgument,
                                          HasSubstr("does not match this regex")))
        << path;
  }
}

TEST(Registration, MakeRegistration_OptionsWin) {
  const typed::Resource nodes = {
      .version = "v1", .plural = "nodes", .kind = "Node", .namespaced = false};
  const Registration plain = MakeRegistration(WebhookKind::kValidating, nodes, {});
  EXPECT_EQ(plain.path, "/validate--v1-node");
  EXPECT_EQ(plain.options.name, "vnode-v1.kb.io");
  EXPECT_FALSE(plain.namespaced);
  EXPECT_EQ(plain.gvr.resource, "nodes");
  EXPECT_THAT(plain.options.operations, ElementsAre(Operation::kCreate, Operation::kUpdate));
  EXPECT_EQ(plain.options.timeout, absl::Seconds(10));
  const Registration named =
      MakeRegistration(WebhookKind::kMutating, nodes, {.name = "n.example.com", .path = "/nodes"});
  EXPECT_EQ(named.path, "/nodes");
  EXPECT_EQ(named.options.name, "n.example.com");
}

}  // namespace
}  // namespace kube::webhook
