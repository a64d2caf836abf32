#include "webhook/self_signed.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_source.h"
#include "net/io/pem.h"

namespace kube::webhook {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;

absl::StatusOr<io::Validity> ValidityOf(const SelfSignedCertificates& certificates) {
  const auto current = certificates.Current();
  return io::CheckKeyPair(current->certificate_chain, current->private_key.Reveal());
}

absl::Status StartCertificates(const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(const auto certificates,
                        SelfSignedCertificates::Make({.dns_names = {"hooks.prod.svc"}}));
  KUBE_RETURN_IF_ERROR(certificates->Start(ctx));
  return certificates->Renew();
}

TEST(SelfSignedCertificates, StartsAndEndsWithItsOwner) {
  EXPECT_THAT(StartCertificates(Context()), IsOk());
}

TEST(SelfSignedCertificates, Make_HasAUsableCertificateAtOnce) {
  const auto made = SelfSignedCertificates::Make({.validity = absl::Hours(24)});
  ASSERT_THAT(made, IsOk());
  const absl::StatusOr<io::Validity> validity = ValidityOf(**made);
  ASSERT_THAT(validity, IsOk());
  EXPECT_LT(validity->not_before, base::WallNow() - absl::Minutes(59));
  EXPECT_GT(validity->not_after, base::WallNow() + absl::Hours(23));
  EXPECT_LT(validity->not_after, base::WallNow() + absl::Hours(25));
  EXPECT_THAT(io::CertificatesOf((*made)->ca_certificate()), IsOk());
}

TEST(SelfSignedCertificates, Make_InvalidOptions) {
  const struct {
    const char* name;
    SelfSignedOptions options;
    const char* message;
  } kRows[] = {
      {"no names", {.dns_names = {}, .ip_addresses = {}}, "needs a DNS name or an IP address"},
      {"a name with a comma", {.dns_names = {"a,b"}}, "a,b"},
      {"a short validity", {.validity = absl::Seconds(59)}, "validity must be between"},
      {"a long validity", {.validity = absl::Hours(24 * 181)}, "validity must be between"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_THAT(SelfSignedCertificates::Make(row.options),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.message)));
  }
}

TEST(SelfSignedCertificates, TwoProcesses_HaveDifferentAuthorities) {
  const auto one = SelfSignedCertificates::Make({});
  const auto two = SelfSignedCertificates::Make({});
  ASSERT_THAT(one, IsOk());
  ASSERT_THAT(two, IsOk());
  EXPECT_NE((*one)->ca_certificate(), (*two)->ca_certificate());
}

struct Free {
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(X509_STORE* store) const { X509_STORE_free(store); }
  void operator()(X509_STORE_CTX* context) const { X509_STORE_CTX_free(context); }
  void operator()(BIO* bio) const { BIO_free(bio); }
};

// Returns what OpenSSL thinks of the served certificate if it trusts the bundle: X509_V_OK or why
// not. The time of day is that of the Runtime.
int Verify(const std::string& bundle, const SelfSignedCertificates& served) {
  const auto open = [](const std::string& pem) {
    return std::unique_ptr<BIO, Free>(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  };
  const auto read = [](BIO* bio) {
    return std::unique_ptr<X509, Free>(PEM_read_bio_X509(bio, nullptr, nullptr, nullptr));
  };
  const std::unique_ptr<X509_STORE, Free> store(X509_STORE_new());
  const std::unique_ptr<BIO, Free> authorities = open(bundle);
  while (const std::unique_ptr<X509, Free> authority = read(authorities.get())) {
    X509_STORE_add_cert(store.get(), authority.get());
  }
  ERR_clear_error();
  const std::unique_ptr<BIO, Free> chain = open(served.Current()->certificate_chain);
  const std::unique_ptr<X509, Free> leaf = read(chain.get());
  const std::unique_ptr<X509_STORE_CTX, Free> context(X509_STORE_CTX_new());
  X509_STORE_CTX_init(context.get(), store.get(), leaf.get(), nullptr);
  X509_STORE_CTX_set_purpose(context.get(), X509_PURPOSE_SSL_SERVER);
  X509_STORE_CTX_set_time(context.get(), 0, absl::ToTimeT(base::WallNow()));
  X509_verify_cert(context.get());
  return X509_STORE_CTX_get_error(context.get());
}

// API servers have had a day to learn the authority.
TEST(SelfSignedCertificates, AProgramThatRunsForYears_IsTrustedWithTheBundleOfTheDayBefore) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  const auto body = [] {
    const auto made = SelfSignedCertificates::Make({});
    ASSERT_THAT(made, IsOk());
    SelfSignedCertificates& served = **made;
    CancelScope scope = WithCancel(Context());
    ASSERT_THAT(served.Start(scope.context()), IsOk());
    const std::string first = served.ca_certificate();
    std::string trusted = first;
    std::shared_ptr<const certificates::ServerCertificates> before = served.Current();
    int renewals = 0;
    for (int day = 0; day < 600; ++day) {
      ASSERT_THAT(base::SleepFor(Context(), absl::Hours(24)), IsOk());
      const absl::StatusOr<io::Validity> validity = ValidityOf(served);
      ASSERT_THAT(validity, IsOk());
      EXPECT_GT(validity->not_after, base::WallNow() + absl::Hours(24 * 29)) << day;
      if (served.Current() != before) ++renewals;
      before = served.Current();
      EXPECT_EQ(Verify(trusted, served), X509_V_OK) << day;
      trusted = served.ca_certificate();
    }
    EXPECT_GE(renewals, 9);
    EXPECT_FALSE(absl::StrContains(trusted, first)) << "the first authority has expired";
    scope.Cancel();
  };
  ASSERT_THAT(sim.Run(body), IsOk());
}

// A program may renew by itself, several times in a second.
TEST(SelfSignedCertificates, ManyRenewals_SignWithNoAuthorityThatWasAnnouncedJustNow) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  const auto made = SelfSignedCertificates::Make({});
  ASSERT_THAT(made, IsOk());
  // Four months before its end the next authority is announced.
  clock.Step(absl::Hours(24 * 245));
  const std::string known = (*made)->ca_certificate();
  for (int i = 0; i < 3; ++i) {
    ASSERT_THAT((*made)->Renew(), IsOk());
    EXPECT_EQ(Verify(known, **made), X509_V_OK) << i;
    EXPECT_NE((*made)->ca_certificate(), known) << i;
  }
  const std::string announced = (*made)->ca_certificate();
  clock.Step(absl::Hours(24 * 60));
  ASSERT_THAT((*made)->Renew(), IsOk());
  EXPECT_NE(Verify(known, **made), X509_V_OK);
  EXPECT_EQ(Verify(announced, **made), X509_V_OK);
}

// The monotonic clock stood still meanwhile.
TEST(SelfSignedCertificates, AMachineThatWasSuspended_RenewsWithinAMinute) {
  const log::LogCapture quiet;
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  const auto made = SelfSignedCertificates::Make({});
  ASSERT_THAT(made, IsOk());
  CancelScope running = WithCancel(Context());
  ASSERT_THAT((*made)->Start(running.context()), IsOk());
  ASSERT_THAT(clock.BlockUntil(1), IsOk());
  const auto before = (*made)->Current();
  clock.SetWallTime(clock.WallNow() + absl::Hours(24 * 61));
  clock.Step(absl::Minutes(1));
  ASSERT_THAT(clock.BlockUntil(1), IsOk());  // it has renewed and sleeps again
  EXPECT_NE((*made)->Current(), before);
  running.Cancel();
}

}  // namespace
}  // namespace kube::webhook
