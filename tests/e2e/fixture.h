#ifndef TESTS_E2E_FIXTURE_H_
#define TESTS_E2E_FIXTURE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "examples/sample_controller/foo.client.kube.h"
#include "gtest/gtest.h"
#include "tests/e2e/cluster.h"
#include "tests/e2e/replica.h"

namespace kube::e2e {

// For one request of a test.
inline Context Soon() { return WithTimeout({}, absl::Seconds(30)); }

// A cluster of its own for each test, and the sample controller's program in it, which knows no
// other credential than the token of its service account, in a file. In the end nobody's log may
// have a token in it; those of a test that failed are printed.
class E2eTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  Cluster& cluster() { return *cluster_; }
  samplecontroller::v1alpha1::FooClient foos() const;
  api::apps::v1::DeploymentClient deployments() const;

  // One that is not started yet.
  Replica& AddReplica(std::vector<std::string> flags = {});
  const std::vector<std::unique_ptr<Replica>>& replicas() const { return replicas_; }

  // Puts another token into the controllers' file, as the kubelet does.
  void ReplaceToken(const std::string& token);
  std::string IssueToken();
  // OK, or why not: the holder of this token may read what the controller has to read.
  absl::Status MayRead(absl::string_view token) const;

  // Asks until the answer is OK; `state` says how things stand, if not. An error, with what was
  // waited for and the last state: nothing has changed for too long, or a replica ended by itself.
  absl::Status Await(absl::string_view what, absl::FunctionRef<absl::Status()> state) const;

  // Makes the Foos foo-FROM to foo-(TO-1), which want the Deployments web-FROM to web-(TO-1), of
  // one pod or of two. It is tried again until the server takes it.
  absl::Status MakeFoos(int from, int to) const;
  // OK if these are all the Foos, and each has what it wants: one Deployment of its own, and a
  // status that says that all of it is available. And there are no other Deployments.
  absl::Status HaveConverged(int foos) const;

 private:
  std::string File(absl::string_view name) const;

  std::string folder_;
  std::unique_ptr<Cluster> cluster_;
  std::vector<std::string> tokens_;
  std::vector<std::unique_ptr<Replica>> replicas_;
};

}  // namespace kube::e2e

#endif  // TESTS_E2E_FIXTURE_H_
