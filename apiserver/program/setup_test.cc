#include "apiserver/program/setup.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apiserver/api_server.h"
#include "apiserver/program_flags.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/test_folder.h"
#include "envtest/environment.h"
#include "envtest/workloads/workloads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::HasSubstr;

constexpr char kDefinition[] = R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: dogs.example.com}
spec:
  group: example.com
  names: {kind: Dog, listKind: DogList, plural: dogs, singular: dog}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
)";

constexpr char kObjects[] = R"(apiVersion: v1
kind: Namespace
metadata: {name: prod}
---
apiVersion: example.com/v1
kind: Dog
metadata: {name: rex, namespace: prod}
)";

// A server that was set up as the program does it.
class SetupTest : public testing::Test {
 protected:
  absl::Status Start(const std::vector<std::string>& arguments) {
    absl::StatusOr<ProgramFlags> flags = ParseProgramFlags(arguments);
    if (!flags.ok()) return flags.status();
    if (absl::Status prepared = PrepareServer(*flags); !prepared.ok()) return prepared;
    ApiServerOptions options = flags->server;
    options.handler.faults.clear();
    absl::StatusOr<std::unique_ptr<ApiServer>> server = ApiServer::Start(std::move(options));
    if (!server.ok()) return server.status();
    server_ = *std::move(server);
    absl::StatusOr<std::unique_ptr<envtest::Workloads>> workloads =
        SetUpCluster(Context(), *server_, *flags);
    if (!workloads.ok()) return workloads.status();
    workloads_ = *std::move(workloads);
    return absl::OkStatus();
  }

  absl::Status Get(absl::string_view group, absl::string_view plural, absl::string_view space,
                   absl::string_view name) {
    const absl::StatusOr<rest::Client> client = rest::MakeClient(envtest::ConfigOf(*server_));
    if (!client.ok()) return client.status();
    return dynamic::DynamicClient(*client)
        .Resource({.group = std::string(group), .version = "v1", .resource = std::string(plural)})
        .Namespace(space)
        .Get(Context(), name)
        .status();
  }

  const rest::TestFolder files_;
  std::unique_ptr<ApiServer> server_;
  // Destroyed before the server.
  std::unique_ptr<envtest::Workloads> workloads_;
};

TEST_F(SetupTest, DefinitionsAndObjects_AreThereWhenItReturns) {
  const std::string crds = files_.Write("crd.yaml", kDefinition);
  const std::string objects = files_.Write("objects.yaml", kObjects);
  ASSERT_THAT(Start({"--no-tls", "--crds", crds, "--manifests", objects}), IsOk());
  EXPECT_THAT(Get("example.com", "dogs", "prod", "rex"), IsOk());
  EXPECT_EQ(workloads_, nullptr);
}

TEST_F(SetupTest, Workloads_CreateTheNodes) {
  ASSERT_THAT(Start({"--no-tls", "--workloads", "--nodes=left,right"}), IsOk());
  ASSERT_NE(workloads_, nullptr);
  for (const char* node : {"left", "right"}) {
    EXPECT_THAT(base::PollUntilTimeout(Context(), absl::Milliseconds(10), absl::Minutes(1),
                                       base::FirstPoll::kAtOnce,
                                       [&](const Context&) -> absl::StatusOr<bool> {
                                         return Get("", "nodes", "", node).ok();
                                       }),
                IsOk())
        << node;
  }
}

TEST_F(SetupTest, Faults_SpareTheSetup) {
  const std::string objects =
      files_.Write("objects.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: prod}\n");
  ASSERT_THAT(Start({"--no-tls", "--manifests", objects, "--fault=error=500,resource=namespaces"}),
              IsOk());
  EXPECT_THAT(Get("", "namespaces", "", "prod"), StatusIs(absl::StatusCode::kInternal));
}

TEST_F(SetupTest, ItsOwnCertificate_IsTrustedByTheAuthority) {
  const absl::StatusOr<certificates::CertificateAuthority> authority =
      certificates::CertificateAuthority::Make("own-ca");
  ASSERT_THAT(authority, IsOk());
  const absl::StatusOr<certificates::Certificate> issued =
      authority->Issue({.common_name = "own", .ip_addresses = {"127.0.0.1"}});
  ASSERT_THAT(issued, IsOk());
  ASSERT_THAT(Start({"--tls-cert-file", files_.Write("crt", issued->certificate),
                     "--tls-private-key-file", files_.Write("key", issued->key.Reveal()),
                     "--tls-ca-file", files_.Write("ca", authority->certificate())}),
              IsOk());
  EXPECT_EQ(server_->ca_certificate(), authority->certificate());
  EXPECT_THAT(Get("", "namespaces", "", "default"), IsOk());
}

TEST_F(SetupTest, TheRequestLog_HasTheRequestsOfClients) {
  const std::string log = files_.Path("log");
  ASSERT_THAT(Start({"--no-tls", "--request-log", log, "--request-log-filter=verb=get"}), IsOk());
  EXPECT_THAT(Get("", "namespaces", "", "default"), IsOk());
  EXPECT_THAT(files_.Read("log"),
              AllOf(HasSubstr(R"("resource":"namespaces")"), HasSubstr(R"("code":200)")));
}

TEST_F(SetupTest, AFileThatIsWrong_IsNamedWithItsFlag) {
  EXPECT_THAT(
      Start({"--tls-cert-file=/none/crt", "--tls-private-key-file=/none/key"}),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("read --tls-cert-file: \"/none/crt\"")));
  const std::string folder = files_.Path("");
  EXPECT_FALSE(Start({"--tls-cert-file", folder, "--tls-private-key-file", folder}).ok());
  EXPECT_THAT(Start({"--no-tls", "--crds=/none/crds"}),
              StatusIs(absl::StatusCode::kNotFound,
                       AllOf(HasSubstr("read --crds"), HasSubstr("/none/crds"))));
  EXPECT_THAT(Start({"--no-tls", "--crds", folder}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no definition in")));
  EXPECT_THAT(Start({"--no-tls", "--manifests=/none/objects"}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("read --manifests")));
}

}  // namespace
}  // namespace kube::apiserver::internal
