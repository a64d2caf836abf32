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

// Returns a context for one request of a test.
inline Context Soon() { return WithTimeout({}, absl::Seconds(30)); }

// Each test has a cluster of its own, in which the sample controller's program runs. Its only
// credential is the token of its service account, in a file. At the end the logs are checked for
// tokens, and those of a failed test are printed.
class E2eTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  Cluster& cluster() { return *cluster_; }
  samplecontroller::v1alpha1::FooClient foos() const;
  api::apps::v1::DeploymentClient deployments() const;

  // Adds a replica, which is not started.
  Replica& AddReplica(std::vector<std::string> flags = {});
  const std::vector<std::unique_ptr<Replica>>& replicas() const { return replicas_; }

  // Replaces the token in the controllers' file, as the kubelet does.
  void ReplaceToken(const std::string& token);
  std::string IssueToken();
  // Returns OK if the holder of the token may read what the controller has to read, or the error.
  absl::Status MayRead(absl::string_view token) const;

  // Calls `state` until it returns OK; otherwise it must describe the present state. Returns an
  // error with `what` and the last state if the state has not changed for too long, or if a replica
  // has ended by itself.
  absl::Status Await(absl::string_view what, absl::FunctionRef<absl::Status()> state) const;

  // Creates the Foos foo-FROM to foo-(TO-1), which want the Deployments web-FROM to web-(TO-1) with
  // one or two pods. Retries until the server accepts them.
  absl::Status MakeFoos(int from, int to) const;
  // Returns OK if there are exactly `foos` Foos and as many Deployments, and each Foo has what it
  // wants: a Deployment of its own, and a status that says that it is completely available.
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
