#include "clientset/certificate/signing_request.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/certificates/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/handler.h"
#include "clientset/certificate/testing/test_signer.h"
#include "clientset/kubernetes/certificates/v1/client.h"
#include "clientset/rest/client.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_request.h"
#include "net/io/pem.h"

namespace kube::certificate {
namespace {

namespace certificatesv1 = api::certificates::v1;
using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr char kSigner[] = "example.com/test";

// A server and a client of it, and a request for "alice".
struct Cluster {
  apiserver::ApiHandler server;
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
  const certificatesv1::CertificateSigningRequestClient requests{client};
  const base::Secret key = *certificates::MakePrivateKey();
  const std::string request = *certificates::MakeRequest({.common_name = "alice"}, key);

  SigningRequestOptions Options(const std::string& name = "") const {
    return {.name = name, .signer_name = kSigner, .usages = ClientUsages(key)};
  }
  absl::StatusOr<SigningRequestId> Request(const SigningRequestOptions& options) const {
    return RequestCertificate(Context(), client, request, key, options);
  }
};

void Simulate(absl::FunctionRef<void(Cluster&)> body) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    base::SimRuntime sim({.seed = seed});
    ASSERT_THAT(sim.Run([&body] {
      Cluster cluster;
      body(cluster);
    }),
                IsOk());
  }
}

TEST(SigningRequest, Usages_OfAnEllipticKey_HaveNoEncipherment) {
  const base::Secret key = *certificates::MakePrivateKey();
  EXPECT_THAT(ClientUsages(key), ElementsAre("digital signature", "client auth"));
  EXPECT_THAT(ServingUsages(key), ElementsAre("digital signature", "server auth"));
}

// behaviour.md: CERT-3
TEST(SigningRequest, RequestCertificate_WithoutAName_LetsTheServerMakeOne) {
  Simulate([](Cluster& cluster) {
    SigningRequestOptions options = cluster.Options();
    options.lifetime = absl::Hours(2);
    const absl::StatusOr<SigningRequestId> id = cluster.Request(options);
    ASSERT_THAT(id.status(), IsOk());
    EXPECT_THAT(id->name, testing::StartsWith("csr-"));
    const absl::StatusOr<certificatesv1::CertificateSigningRequest> stored =
        cluster.requests.Get(Context(), id->name);
    ASSERT_THAT(stored.status(), IsOk());
    EXPECT_TRUE(stored->metadata.uid == id->uid);
    EXPECT_TRUE(stored->spec.request == cluster.request);
    EXPECT_TRUE(stored->spec.signer_name == kSigner);
    EXPECT_EQ(stored->spec.expiration_seconds.value_or(0), 7200);
    ASSERT_EQ(stored->spec.usages.size(), 2U);
    EXPECT_TRUE(stored->spec.usages[1] == "client auth");
  });
}

TEST(SigningRequest, RequestCertificate_WithoutSignerOrUsages_SendsNothing) {
  Simulate([](Cluster& cluster) {
    const std::vector<std::string> usages = {"client auth"};
    EXPECT_THAT(cluster.Request({.usages = usages}).status(),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         "request certificate: signer_name must not be empty"));
    EXPECT_THAT(cluster.Request({.signer_name = kSigner}).status(),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         "request certificate: usages must not be empty"));
    SigningRequestOptions negative = cluster.Options();
    negative.lifetime = absl::Seconds(-1);
    EXPECT_THAT(cluster.Request(negative).status(), StatusIs(absl::StatusCode::kInvalidArgument));
    EXPECT_EQ(cluster.requests.List(Context())->items.size(), 0U);
  });
}

// behaviour.md: CERT-3
TEST(SigningRequest, RequestCertificate_UsesTheSameRequestOfAnEarlierProcessAgain) {
  Simulate([](Cluster& cluster) {
    const absl::StatusOr<SigningRequestId> first = cluster.Request(cluster.Options("agent"));
    const absl::StatusOr<SigningRequestId> second = cluster.Request(cluster.Options("agent"));
    ASSERT_THAT(first.status(), IsOk());
    ASSERT_THAT(second.status(), IsOk());
    EXPECT_EQ(first->name, "agent");
    EXPECT_EQ(second->uid, first->uid);
    EXPECT_EQ(cluster.requests.List(Context())->items.size(), 1U);
  });
}

// behaviour.md: CERT-3
TEST(SigningRequest, RequestCertificate_RefusesAnExistingRequestThatIsAnotherOne) {
  Simulate([](Cluster& cluster) {
    ASSERT_THAT(cluster.Request(cluster.Options("agent")).status(), IsOk());
    SigningRequestOptions other = cluster.Options("agent");
    other.signer_name = "example.com/other";
    EXPECT_THAT(cluster.Request(other).status(),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr("use certificate signing request \"agent\": retrieved csr "
                                         "is not compatible"),
                               HasSubstr("csr signerNames differ"))));
    const std::string bob = *certificates::MakeRequest({.common_name = "bob"}, cluster.key);
    EXPECT_THAT(
        RequestCertificate(Context(), cluster.client, bob, cluster.key, cluster.Options("agent"))
            .status(),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("csr subjects differ")));
    const base::Secret key = *certificates::MakePrivateKey();
    const std::string request = *certificates::MakeRequest({.common_name = "alice"}, key);
    EXPECT_THAT(
        RequestCertificate(Context(), cluster.client, request, key, cluster.Options("agent"))
            .status(),
        StatusIs(absl::StatusCode::kInvalidArgument,
                 AllOf(HasSubstr("not signed with the key"), Not(HasSubstr("PRIVATE KEY")))));
  });
}

// behaviour.md: CERT-3
TEST(SigningRequest, RequestCertificate_RefusesAnExistingRequestWhoseCertificateHasExpired) {
  Simulate([](Cluster& cluster) {
    const TestSigner signer(cluster.client, {.lifetime = absl::Hours(1)});
    ASSERT_THAT(cluster.Request(cluster.Options("agent")).status(), IsOk());
    ASSERT_THAT(signer.AnswerAll(Context()), IsOk());
    EXPECT_THAT(cluster.Request(cluster.Options("agent")).status(), IsOk());
    ASSERT_THAT(base::SleepFor(Context(), absl::Hours(2)), IsOk());
    EXPECT_THAT(cluster.Request(cluster.Options("agent")).status(),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("one of the certificates for the CSR has expired: ")));
  });
}

TEST(SigningRequest, RequestCertificate_ThatTheServerRefuses_IsItsError) {
  Simulate([](Cluster& cluster) {
    cluster.server.SetDenyRules({{.user = "admin", .verb = "create"}});
    const absl::Status refused = cluster.Request(cluster.Options()).status();
    EXPECT_TRUE(errors::IsForbidden(refused)) << refused;
    EXPECT_THAT(refused, StatusIs(absl::StatusCode::kPermissionDenied,
                                  HasSubstr("cannot create certificate signing request: create")));
  });
}

// Requests and waits for a certificate, which a signer answers.
absl::StatusOr<std::string> WaitWith(Cluster& cluster, const TestSignerOptions& options) {
  TestSigner signer(cluster.client, options);
  KUBE_RETURN_IF_ERROR(signer.Start(Context()));
  KUBE_ASSIGN_OR_RETURN(const SigningRequestId id, cluster.Request(cluster.Options("agent")));
  return WaitForCertificate(WithTimeout(Context(), absl::Minutes(15)), cluster.client, id);
}

TEST(SigningRequest, WaitForCertificate_ReturnsTheCertificateOfTheKey) {
  Simulate([](Cluster& cluster) {
    const absl::Time begin = base::WallNow();
    const absl::StatusOr<std::string> certificate = WaitWith(cluster, {});
    ASSERT_THAT(certificate.status(), IsOk());
    EXPECT_THAT(io::CheckKeyPair(*certificate, cluster.key.Reveal()).status(), IsOk());
    EXPECT_LT(base::WallNow(), begin + absl::Seconds(20));
  });
}

TEST(SigningRequest, WaitForCertificate_OfADeniedRequest_SaysWhy) {
  Simulate([](Cluster& cluster) {
    EXPECT_THAT(WaitWith(cluster, {.verdict = Verdict::kDeny}).status(),
                StatusIs(absl::StatusCode::kPermissionDenied,
                         "wait for certificate signing request \"agent\": certificate signing "
                         "request is denied, reason: Test, message: as the test says"));
  });
}

TEST(SigningRequest, WaitForCertificate_OfARequestWhoseSignerFails_SaysWhy) {
  Simulate([](Cluster& cluster) {
    EXPECT_THAT(WaitWith(cluster, {.verdict = Verdict::kFail}).status(),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         "wait for certificate signing request \"agent\": certificate signing "
                         "request failed, reason: Test, message: as the test says"));
  });
}

TEST(SigningRequest, WaitForCertificate_OfARequestThatIsOnlyApproved_EndsWithItsContext) {
  Simulate([](Cluster& cluster) {
    const absl::Time begin = base::WallNow();
    EXPECT_THAT(WaitWith(cluster, {.verdict = Verdict::kApproveOnly}).status(),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_GE(base::WallNow(), begin + absl::Minutes(15));
  });
}

TEST(SigningRequest, WaitForCertificate_OfARequestThatIsDeleted_IsNotFound) {
  Simulate([](Cluster& cluster) {
    const absl::StatusOr<SigningRequestId> id = cluster.Request(cluster.Options("agent"));
    ASSERT_THAT(id.status(), IsOk());
    base::Thread deleter;
    const absl::Status started =
        deleter.Start(Context(), "deleter", [&cluster](const Context& ctx) {
          if (!base::SleepFor(ctx, absl::Minutes(1)).ok()) return;
          EXPECT_THAT(cluster.requests.Delete(ctx, "agent"), IsOk());
        });
    ASSERT_THAT(started, IsOk());
    EXPECT_THAT(WaitForCertificate(Context(), cluster.client, *id).status(),
                StatusIs(absl::StatusCode::kNotFound, HasSubstr("it was deleted")));
  });
}

TEST(SigningRequest, WaitForCertificate_WhenAnotherRequestHasTheName_IsAborted) {
  Simulate([](Cluster& cluster) {
    ASSERT_THAT(cluster.Request(cluster.Options("agent")).status(), IsOk());
    const SigningRequestId old = {.name = "agent", .uid = "another"};
    EXPECT_THAT(WaitForCertificate(Context(), cluster.client, old).status(),
                StatusIs(absl::StatusCode::kAborted, HasSubstr("UID")));
  });
}

TEST(SigningRequest, WaitForCertificate_WhileNothingCanBeListed_TriesAgainAndSaysWhy) {
  Simulate([](Cluster& cluster) {
    const absl::StatusOr<SigningRequestId> id = cluster.Request(cluster.Options("agent"));
    ASSERT_THAT(id.status(), IsOk());
    cluster.server.SetDenyRules({{.user = "admin", .verb = "list"}});
    EXPECT_THAT(
        WaitForCertificate(WithTimeout(Context(), absl::Minutes(1)), cluster.client, *id).status(),
        StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("forbidden")));
    cluster.server.SetDenyRules({});
    const TestSigner signer(cluster.client);
    ASSERT_THAT(signer.AnswerAll(Context()), IsOk());
    EXPECT_THAT(WaitForCertificate(Context(), cluster.client, *id).status(), IsOk());
  });
}

// The example of the header.
absl::StatusOr<std::string> GetCertificate(const Context& ctx, const rest::Client& client) {
  KUBE_ASSIGN_OR_RETURN(const base::Secret key, certificates::MakePrivateKey());
  KUBE_ASSIGN_OR_RETURN(const std::string request,
                        certificates::MakeRequest({.common_name = "alice"}, key));
  KUBE_ASSIGN_OR_RETURN(
      const certificate::SigningRequestId id,
      certificate::RequestCertificate(ctx, client, request, key,
                                      {.signer_name = "kubernetes.io/kube-apiserver-client",
                                       .usages = certificate::ClientUsages(key)}));
  return certificate::WaitForCertificate(WithTimeout(ctx, absl::Minutes(15)), client, id);
}

TEST(SigningRequest, GetsACertificate_AsInTheHeader) {
  Simulate([](Cluster& cluster) {
    TestSigner signer(cluster.client);
    ASSERT_THAT(signer.Start(Context()), IsOk());
    EXPECT_THAT(GetCertificate(Context(), cluster.client).status(), IsOk());
  });
}

}  // namespace
}  // namespace kube::certificate
