#include "tests/e2e/fixture.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/owner_reference.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "examples/sample_controller/foo.client.kube.h"
#include "examples/sample_controller/foo.kube.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/cluster.h"
#include "tests/e2e/replica.h"

namespace kube::e2e {
namespace {

namespace appsv1 = api::apps::v1;
using base::IsOk;
using samplecontroller::v1alpha1::Foo;
using samplecontroller::v1alpha1::FooClient;

constexpr size_t kLogTailBytes = 6000;
constexpr absl::Duration kPollInterval = absl::Milliseconds(100);

// Returns OK, or what the Foo lacks.
absl::Status CheckFoo(const Foo& foo, const std::map<std::string, appsv1::Deployment>& found) {
  const auto at = found.find(std::string(foo.spec.deployment_name));
  if (at == found.end()) return absl::NotFoundError("it has no Deployment");
  const appsv1::Deployment& deployment = at->second;
  const auto& owners = deployment.metadata.owner_references;
  if (owners.size() != 1 || !meta::IsControlledBy(deployment.metadata, foo.metadata) ||
      owners[0].kind != "Foo" || owners[0].name != foo.metadata.name) {
    return absl::FailedPreconditionError("it does not own its Deployment");
  }
  if (deployment.spec.replicas != foo.spec.replicas) {
    return absl::FailedPreconditionError(absl::StrCat("it wants ", *foo.spec.replicas,
                                                      " replicas, its Deployment has ",
                                                      deployment.spec.replicas.value_or(0)));
  }
  if (foo.status.available_replicas == *foo.spec.replicas) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "status.availableReplicas is ", foo.status.available_replicas, ", its Deployment's is ",
      deployment.status.available_replicas, ", want ", *foo.spec.replicas));
}

}  // namespace

std::string E2eTest::File(absl::string_view name) const { return absl::StrCat(folder_, "/", name); }

FooClient E2eTest::foos() const { return {cluster_->client().client(), kFoos}; }

appsv1::DeploymentClient E2eTest::deployments() const {
  return cluster_->client().AppsV1().Deployments(kFoos);
}

void E2eTest::SetUp() {
  folder_ = absl::StrCat(testing::TempDir(), "/", base::RandomString(8));
  ASSERT_TRUE(std::filesystem::create_directories(folder_));
  auto cluster = Cluster::Start();
  ASSERT_THAT(cluster, IsOk());
  cluster_ = *std::move(cluster);
  std::ofstream(File("kubeconfig")) << cluster_->KubeconfigOf(File("token"));
  const std::string token = IssueToken();
  ReplaceToken(token);
  // RBAC notices bindings shortly after they are created.
  ASSERT_THAT(Await("the service account's rights", [&] { return MayRead(token); }), IsOk());
}

void E2eTest::TearDown() {
  for (const auto& replica : replicas_) replica->Kill();
  for (const auto& replica : replicas_) {
    const std::string log = replica->Log();
    bool has_token = false;
    for (const std::string& token : tokens_) {
      // Neither the token nor its signature may be logged.
      const std::string signature = token.substr(token.rfind('.') + 1);
      has_token = has_token || log.find(signature) != std::string::npos;
    }
    EXPECT_FALSE(has_token) << "the log of " << replica->name() << " has a token";
    if (!HasFailure() || has_token) continue;
    std::cout << "---- the end of the log of " << replica->name() << "\n"
              << replica->LogTail(kLogTailBytes) << "----\n";
  }
}

Replica& E2eTest::AddReplica(std::vector<std::string> flags) {
  const std::string name = absl::StrCat("replica-", replicas_.size());
  flags.insert(flags.begin(), {absl::StrCat("--kubeconfig=", File("kubeconfig")), "--v=2"});
  replicas_.push_back(std::make_unique<Replica>(name, std::move(flags), File(name)));
  return *replicas_.back();
}

std::string E2eTest::IssueToken() {
  const absl::StatusOr<std::string> token = cluster_->IssueToken();
  EXPECT_THAT(token.status(), IsOk());
  if (!token.ok()) return "";
  tokens_.push_back(*token);
  return *token;
}

void E2eTest::ReplaceToken(const std::string& token) {
  std::ofstream(File("next-token")) << token;
  std::filesystem::rename(File("next-token"), File("token"));
}

absl::Status E2eTest::MayRead(absl::string_view token) const {
  KUBE_ASSIGN_OR_RETURN(const kubernetes::Clientset client, cluster_->ClientOf(token));
  KUBE_RETURN_IF_ERROR(FooClient(client.client(), "").List(Soon()).status());
  return client.AppsV1().Deployments("").List(Soon()).status();
}

absl::Status E2eTest::Await(absl::string_view what, absl::FunctionRef<absl::Status()> state) const {
  // A busy machine may be slow, but not forever.
  const Context end = WithTimeout({}, 4 * cluster_->patience());
  Context until = WithTimeout(end, cluster_->patience());
  std::string before;
  while (true) {
    const absl::Status now = state();
    if (now.ok()) return now;
    for (const auto& replica : replicas_) {
      KUBE_RETURN_IF_ERROR(replica->ended(), "waited for ", what, ", now: ", now.message(), "; ",
                           replica->name());
    }
    if (now.message() != before) until = WithTimeout(end, cluster_->patience());
    before = std::string(now.message());
    if (base::SleepFor(until, kPollInterval).ok()) continue;
    return absl::DeadlineExceededError(
        absl::StrCat("waited in vain for ", what, ", now: ", now.message()));
  }
}

absl::Status E2eTest::MakeFoos(int from, int to) const {
  for (int i = from; i < to; ++i) {
    Foo foo = {.metadata = {.name = absl::StrCat("foo-", i)},
               .spec = {.deployment_name = absl::StrCat("web-", i), .replicas = 1 + i % 2}};
    KUBE_RETURN_IF_ERROR(Await(absl::StrCat("the creation of foo-", i), [&] {
      const absl::Status created = foos().Create(Soon(), foo).status();
      // An earlier try may have created it and lost its answer.
      return errors::IsAlreadyExists(created) ? absl::OkStatus() : created;
    }));
  }
  return absl::OkStatus();
}

absl::Status E2eTest::HaveConverged(int foos_wanted) const {
  KUBE_ASSIGN_OR_RETURN(const auto all_foos, foos().List(Soon()), "list Foos");
  KUBE_ASSIGN_OR_RETURN(const auto all_deployments, deployments().List(Soon()), "list Deployments");
  std::map<std::string, appsv1::Deployment> by_name;
  for (const appsv1::Deployment& each : all_deployments.items) {
    by_name[std::string(each.metadata.name)] = each;
  }
  int settled = 0;
  std::string lacking;
  for (const Foo& foo : all_foos.items) {
    const absl::Status status = CheckFoo(foo, by_name);
    if (status.ok()) ++settled;
    if (!status.ok()) lacking = absl::StrCat(foo.metadata.name.view(), ": ", status.message());
  }
  const auto wanted = static_cast<size_t>(foos_wanted);
  if (settled == foos_wanted && all_foos.items.size() == wanted && by_name.size() == wanted) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat(settled, " of ", all_foos.items.size(), " Foos have what they want, want ",
                   foos_wanted, "; there are ", by_name.size(), " Deployments; ", lacking));
}

}  // namespace kube::e2e
