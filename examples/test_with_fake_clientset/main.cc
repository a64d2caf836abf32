// test_with_fake_clientset: a unit test of a function that calls the API server, without a cluster.
// The fake clientset is the real one, on an API server in this process; reactors put errors in
// between. bazel test //examples/test_with_fake_clientset runs it.
//
//   [       OK ] CordonTest.MarksTheNode
//   [       OK ] CordonTest.TriesAgainAfterAConflict
//   [       OK ] CordonTest.SaysThatItIsForbidden
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "envtest/fake/action.h"
#include "envtest/fake/clientset.h"
#include "envtest/fake/reaction.h"
#include "gtest/gtest.h"

namespace {

namespace corev1 = kube::api::core::v1;
namespace errors = kube::errors;
namespace fake = kube::fake;
using kube::base::IsOk;

// What is tested: keeps new pods away from a node. In a program of its own it would have a header.
absl::Status Cordon(const kube::Context& ctx, const kube::kubernetes::Clientset& client,
                    absl::string_view node) {
  const auto mark = [](corev1::Node& found) {
    found.spec.unschedulable = true;
    return absl::OkStatus();
  };
  return client.CoreV1().Nodes().Edit(ctx, node, mark).status();
}

class CordonTest : public testing::Test {
 protected:
  CordonTest() { EXPECT_THAT(fake_.Add(corev1::Node{.metadata = {.name = "node-1"}}), IsOk()); }

  fake::Clientset fake_;
};

TEST_F(CordonTest, MarksTheNode) {
  ASSERT_THAT(Cordon(kube::Context(), fake_.client(), "node-1"), IsOk());
  // The server has it.
  const absl::StatusOr<corev1::Node> node =
      fake_.client().CoreV1().Nodes().Get(kube::Context(), "node-1");
  ASSERT_THAT(node, IsOk());
  EXPECT_TRUE(node->spec.unschedulable);
}

TEST_F(CordonTest, TriesAgainAfterAConflict) {
  int patches = 0;
  fake_.PrependReactor("patch", "nodes", [&patches](fake::Action&) {
    if (++patches > 1) return fake::Reaction::PassOn();
    return fake::Reaction::Fail(errors::Conflict({.resource = "nodes"}, "node-1", "has changed"));
  });
  EXPECT_THAT(Cordon(kube::Context(), fake_.client(), "node-1"), IsOk());
  EXPECT_EQ(patches, 2);
}

TEST_F(CordonTest, SaysThatItIsForbidden) {
  fake_.PrependReactor("patch", "nodes", [](fake::Action&) {
    return fake::Reaction::Fail(errors::Forbidden({.resource = "nodes"}, "node-1", "not yours"));
  });
  EXPECT_TRUE(errors::IsForbidden(Cordon(kube::Context(), fake_.client(), "node-1")));
  // Each request of the client is logged, those that reactors answer as well.
  const fake::Action last = fake_.Actions().back();
  EXPECT_TRUE(last.Matches("patch", "nodes"));
  EXPECT_EQ(last.name, "node-1");
}

}  // namespace
