#include "clientset/certificate/certificate_manager.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apiserver/handler.h"
#include "clientset/certificate/client_certificate.h"
#include "clientset/certificate/key_pair.h"
#include "clientset/certificate/memory_store.h"
#include "clientset/certificate/store.h"
#include "clientset/certificate/testing/test_signer.h"
#include "clientset/kubernetes/certificates/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/certificates/certificate_request.h"

namespace kube::certificate {
namespace {

namespace certificatesv1 = api::certificates::v1;
using base::IsOk;
using base::StatusIs;
using certificates::RequestTemplate;
using testing::AllOf;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::Le;
using testing::Not;

using Manager = std::shared_ptr<CertificateManager>;
using Pair = std::shared_ptr<const KeyPair>;

// A server, and a signer whose certificates are valid for an hour.
struct World {
  explicit World(Verdict verdict) : signer(client, {.verdict = verdict}) {
    EXPECT_THAT(signer.Start(Context()), IsOk());
  }

  CertificateManagerOptions Options() const {
    return {.client = [sender = client](const Pair&) { return sender; },
            .request = {.common_name = "agent", .organizations = {"agents"}},
            .signer_name = "example.com/test",
            .store = store,
            .metrics = metrics};
  }
  size_t CountRequests() const { return requests.List(Context())->items.size(); }

  const log::LogCapture logged;
  apiserver::ApiHandler server;
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
  const certificatesv1::CertificateSigningRequestClient requests{client};
  TestSigner signer;
  const std::shared_ptr<MemoryStore> store = std::make_shared<MemoryStore>();
  const std::shared_ptr<base::PrometheusRegistry> metrics =
      std::make_shared<base::PrometheusRegistry>();
};

void Simulate(absl::FunctionRef<void(World&)> body, Verdict verdict = Verdict::kSign) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    base::SimRuntime sim({.seed = seed});
    ASSERT_THAT(sim.Run([&body, verdict] {
      World world(verdict);
      body(world);
    }),
                IsOk());
  }
}

Manager StartOne(CertificateManagerOptions options) {
  absl::StatusOr<Manager> manager = CertificateManager::Make(std::move(options));
  EXPECT_THAT(manager.status(), IsOk());
  EXPECT_THAT((*manager)->Start(Context()), IsOk());
  return *std::move(manager);
}

Context Soon() { return WithTimeout(Context(), absl::Minutes(1)); }

// Waits until the manager has another certificate than `old`, for at most two hours.
Pair WaitForAnother(const CertificateManager& manager, const Pair& old) {
  Pair current;
  const absl::Status waited =
      base::PollUntilTimeout(Context(), absl::Seconds(1), absl::Hours(2), base::FirstPoll::kAtOnce,
                             [&](const Context&) -> absl::StatusOr<bool> {
                               current = manager.Current();
                               return current != old;
                             });
  EXPECT_THAT(waited, IsOk());
  return current;
}

// behaviour.md: CERT-1
TEST(CertificateManager, RenewsACertificateBetween70And90PercentOfItsLifetime) {
  Simulate([](World& world) {
    const Manager manager = StartOne(world.Options());
    ASSERT_THAT(manager->WaitForCurrent(Soon()), IsOk());
    Pair current = manager->Current();
    EXPECT_EQ(current->details.common_name, "agent");
    EXPECT_THAT(current->details.organizations, ElementsAre("agents"));
    for (int i = 0; i < 3; ++i) {
      const Pair next = WaitForAnother(*manager, current);
      const absl::Duration age = base::WallNow() - current->details.not_before;
      EXPECT_GE(age, absl::Minutes(42));
      EXPECT_LE(age, absl::Minutes(54) + absl::Seconds(20));
      EXPECT_TRUE(next->pem.key != current->pem.key);
      EXPECT_EQ(*world.store->Current(), next);
      current = next;
    }
    EXPECT_EQ(world.CountRequests(), 4U);
    EXPECT_TRUE(manager->ServerHealthy());
    for (const std::string& line : world.logged.Lines()) {
      EXPECT_THAT(line, Not(HasSubstr("PRIVATE KEY")));
    }
  });
}

// behaviour.md: CERT-7
TEST(CertificateManager, CountsAndMeasuresRenewals) {
  Simulate([](World& world) {
    const Manager manager = StartOne(world.Options());
    ASSERT_THAT(manager->WaitForCurrent(Soon()), IsOk());
    WaitForAnother(*manager, manager->Current());
    const std::string page = world.metrics->Render();
    EXPECT_THAT(page, HasSubstr("certificate_manager_rotation_seconds_bucket{"
                                "manager=\"example.com/test\",le=\"3600\"} 1"));
    EXPECT_THAT(page, HasSubstr("certificate_manager_rotation_seconds_bucket{"
                                "manager=\"example.com/test\",le=\"60\"} 0"));
    EXPECT_THAT(page, HasSubstr("certificate_manager_renew_errors_total{"
                                "manager=\"example.com/test\"} 0"));
    EXPECT_THAT(page, HasSubstr("certificate_manager_expiration_timestamp_seconds{"
                                "manager=\"example.com/test\"}"));
  });
}

TEST(CertificateManager, ACertificateOfTheStore_IsUsedAndRenewedInTime) {
  Simulate([](World& world) {
    const certificates::CertificateAuthority other =
        *certificates::CertificateAuthority::Make("other");
    const certificates::Certificate stored = *other.Issue({.common_name = "agent",
                                                           .organizations = {"agents"},
                                                           .valid_from = absl::ZeroDuration(),
                                                           .valid_until = absl::Hours(1)});
    ASSERT_THAT(world.store->Update(stored.certificate, stored.key).status(), IsOk());
    const Manager manager = StartOne(world.Options());
    EXPECT_THAT(manager->WaitForCurrent(Context()), IsOk());
    const Pair current = manager->Current();
    EXPECT_EQ(current->pem.certificate, stored.certificate);
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(41)), IsOk());
    EXPECT_EQ(manager->Current(), current);
    EXPECT_EQ(world.CountRequests(), 0U);
    EXPECT_NE(WaitForAnother(*manager, current), nullptr);
  });
}

// behaviour.md: CERT-5
TEST(CertificateManager, ABootstrapCertificate_IsStoredAndReplacedAtOnce) {
  Simulate([](World& world) {
    const certificates::CertificateAuthority other =
        *certificates::CertificateAuthority::Make("other");
    const certificates::Certificate expired = *other.Issue(
        {.common_name = "agent", .valid_from = -absl::Hours(2), .valid_until = -absl::Hours(1)});
    ASSERT_THAT(world.store->Update(expired.certificate, expired.key).status(), IsOk());
    const certificates::Certificate bootstrap = *other.Issue({.common_name = "bootstrap"});
    CertificateManagerOptions options = world.Options();
    options.bootstrap_certificate = bootstrap.certificate;
    options.bootstrap_key = bootstrap.key;
    const auto asked = std::make_shared<std::vector<std::string>>();
    options.client = [asked, client = world.client](const Pair& current) {
      asked->push_back(current == nullptr ? "" : current->details.common_name);
      return client;
    };
    const absl::StatusOr<Manager> manager = CertificateManager::Make(options);
    ASSERT_THAT(manager.status(), IsOk());
    const Pair current = (*manager)->Current();
    ASSERT_NE(current, nullptr);
    EXPECT_EQ(current->details.common_name, "bootstrap");
    EXPECT_EQ((*world.store->Current())->details.common_name, "bootstrap");
    ASSERT_THAT((*manager)->Start(Context()), IsOk());
    ASSERT_THAT((*manager)->WaitForCurrent(Soon()), IsOk());
    EXPECT_EQ((*manager)->Current()->details.common_name, "agent");
    EXPECT_THAT(*asked, ElementsAre("bootstrap"));
  });
}

// The moments at which a manager asks for its client, which fails.
class Attempts {
 public:
  absl::StatusOr<rest::Client> Fail() ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    moments_.push_back(base::Now());
    return absl::UnavailableError("no bootstrap credentials");
  }
  // The pauses between them, in seconds.
  std::vector<double> Pauses() const ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    std::vector<double> pauses;
    for (size_t i = 1; i < moments_.size(); ++i) {
      pauses.push_back(absl::ToDoubleSeconds(moments_[i] - moments_[i - 1]));
    }
    return pauses;
  }

 private:
  mutable base::Mutex mutex_;
  std::vector<base::MonotonicTime> moments_ ABSL_GUARDED_BY(mutex_);
};

// behaviour.md: CERT-2
TEST(CertificateManager, ARenewalThatFails_IsRepeatedWithGrowingPauses) {
  Simulate([](World& world) {
    CertificateManagerOptions options = world.Options();
    const auto attempts = std::make_shared<Attempts>();
    options.client = [attempts](const Pair&) { return attempts->Fail(); };
    const Manager manager = StartOne(options);
    EXPECT_THAT(manager->WaitForCurrent(WithTimeout(Context(), absl::Seconds(110))),
                StatusIs(absl::StatusCode::kDeadlineExceeded,
                         HasSubstr("unable to load a client to request certificates: no bootstrap "
                                   "credentials")));
    EXPECT_THAT(
        attempts->Pauses(),
        ElementsAre(AllOf(Ge(2), Le(2.2)), AllOf(Ge(4), Le(4.4)), AllOf(Ge(8), Le(8.8)),
                    AllOf(Ge(16), Le(17.6)), AllOf(Ge(32), Le(32.001)), AllOf(Ge(32), Le(32.001))));
    EXPECT_THAT(world.metrics->Render(), HasSubstr("certificate_manager_renew_errors_total{"
                                                   "manager=\"example.com/test\"} 7"));
  });
}

// behaviour.md: CERT-2
TEST(CertificateManager, ARequestThatNobodySigns_IsReplacedAfterAQuarterOfAnHour) {
  Simulate(
      [](World& world) {
        const Manager manager = StartOne(world.Options());
        ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(14)), IsOk());
        EXPECT_EQ(world.CountRequests(), 1U);
        ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(2)), IsOk());
        EXPECT_EQ(world.CountRequests(), 2U);
        EXPECT_EQ(manager->Current(), nullptr);
      },
      Verdict::kApproveOnly);
}

// behaviour.md: CERT-2
TEST(CertificateManager, AServerThatDoesNotAnswer_IsAskedAgainAfterAQuarterOfAnHour) {
  Simulate([](World& world) {
    const auto transport = std::make_shared<rest::ScriptedTransport>();
    transport->Always({.method = "POST"}, {.hang = true});
    CertificateManagerOptions options = world.Options();
    options.client = [client = rest::MakeScriptedClient(transport)](const Pair&) { return client; };
    const Manager manager = StartOne(options);
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(14)), IsOk());
    EXPECT_EQ(transport->requests().size(), 1U);
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(2)), IsOk());
    EXPECT_EQ(transport->requests().size(), 2U);
  });
}

TEST(CertificateManager, ADeniedRequest_IsTheReasonOfTheWaitersError) {
  Simulate(
      [](World& world) {
        const Manager manager = StartOne(world.Options());
        EXPECT_THAT(manager->WaitForCurrent(Soon()),
                    StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("is denied")));
      },
      Verdict::kDeny);
}

// What is requested, which changes while the manager runs.
class Wanted {
 public:
  explicit Wanted(std::optional<RequestTemplate> wanted) : wanted_(std::move(wanted)) {}
  std::optional<RequestTemplate> Get() const ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    return wanted_;
  }
  void Set(RequestTemplate wanted) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    wanted_ = std::move(wanted);
  }

 private:
  mutable base::Mutex mutex_;
  std::optional<RequestTemplate> wanted_ ABSL_GUARDED_BY(mutex_);
};

CertificateManagerOptions OptionsWith(const World& world, const std::shared_ptr<Wanted>& wanted) {
  CertificateManagerOptions options = world.Options();
  options.get_request = [wanted] { return wanted->Get(); };
  return options;
}

RequestTemplate AgentAt(std::vector<std::string> addresses) {
  return {.common_name = "agent", .ip_addresses = std::move(addresses)};
}

// behaviour.md: CERT-4
TEST(CertificateManager, ACertificateThatLacksAnAddress_IsReplacedAtOnce) {
  Simulate([](World& world) {
    const auto wanted = std::make_shared<Wanted>(AgentAt({"10.0.0.1"}));
    const Manager manager = StartOne(OptionsWith(world, wanted));
    ASSERT_THAT(manager->WaitForCurrent(Soon()), IsOk());
    const Pair first = manager->Current();
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(5)), IsOk());
    EXPECT_EQ(manager->Current(), first);
    const absl::Time begin = base::WallNow();
    wanted->Set(AgentAt({"10.0.0.1", "10.0.0.2"}));
    const Pair second = WaitForAnother(*manager, first);
    EXPECT_LE(base::WallNow(), begin + absl::Seconds(30));
    EXPECT_THAT(second->details.ip_addresses, ElementsAre("10.0.0.1", "10.0.0.2"));
    // A certificate that has more than is wanted is good enough.
    wanted->Set(AgentAt({"10.0.0.2"}));
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(5)), IsOk());
    EXPECT_EQ(manager->Current(), second);
    EXPECT_EQ(world.CountRequests(), 2U);
  });
}

// behaviour.md: CERT-4
TEST(CertificateManager, ARequestThatIsNotWantedAnyMore_IsNotWaitedFor) {
  Simulate(
      [](World& world) {
        const auto wanted = std::make_shared<Wanted>(AgentAt({"10.0.0.1"}));
        const Manager manager = StartOne(OptionsWith(world, wanted));
        ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(1)), IsOk());
        EXPECT_EQ(world.CountRequests(), 1U);
        wanted->Set(AgentAt({"10.0.0.2"}));
        ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(1)), IsOk());
        EXPECT_EQ(world.CountRequests(), 2U);
      },
      Verdict::kApproveOnly);
}

// behaviour.md: CERT-4
TEST(CertificateManager, WithoutATemplate_NothingIsRequested) {
  Simulate([](World& world) {
    const auto wanted = std::make_shared<Wanted>(std::nullopt);
    const Manager manager = StartOne(OptionsWith(world, wanted));
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(10)), IsOk());
    EXPECT_EQ(world.CountRequests(), 0U);
    wanted->Set(AgentAt({}));
    EXPECT_THAT(manager->WaitForCurrent(Soon()), IsOk());
  });
}

// behaviour.md: CERT-8
TEST(CertificateManager, ServerHealthy_IsFalseAtFirst_AndTrueIfTheServerForbids) {
  Simulate([](World& world) {
    world.server.SetDenyRules({{.user = "admin", .verb = "create"}});
    const absl::StatusOr<Manager> manager = CertificateManager::Make(world.Options());
    ASSERT_THAT(manager.status(), IsOk());
    EXPECT_FALSE((*manager)->ServerHealthy());
    ASSERT_THAT((*manager)->Start(Context()), IsOk());
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    EXPECT_TRUE((*manager)->ServerHealthy());
    EXPECT_EQ((*manager)->Current(), nullptr);
  });
}

// behaviour.md: CERT-8
TEST(CertificateManager, ServerHealthy_IsFalseAgainIfTheServerFails) {
  Simulate([](World& world) {
    const auto transport = std::make_shared<rest::ScriptedTransport>();
    transport->Expect({.method = "POST"}, rest::StatusReply(403, "Forbidden", "no"));
    transport->Always({.method = "POST"}, rest::StatusReply(500, "InternalError", "broken"));
    CertificateManagerOptions options = world.Options();
    options.client = [client = rest::MakeScriptedClient(transport)](const Pair&) { return client; };
    const Manager manager = StartOne(options);
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    EXPECT_TRUE(manager->ServerHealthy());
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(3)), IsOk());
    EXPECT_FALSE(manager->ServerHealthy());
  });
}

TEST(CertificateManager, Stop_EndsTheRenewals) {
  Simulate([](World& world) {
    const Manager manager = StartOne(world.Options());
    ASSERT_THAT(manager->WaitForCurrent(Soon()), IsOk());
    manager->Stop();
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(59)), IsOk());
    EXPECT_NE(manager->Current(), nullptr);
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(2)), IsOk());
    EXPECT_EQ(manager->Current(), nullptr);
    EXPECT_EQ(world.CountRequests(), 1U);
  });
}

TEST(CertificateManager, AWeakKey_IsNotUsed) {
  Simulate([](World& world) {
    CertificateManagerOptions options = world.Options();
    options.generate_key = []() -> absl::StatusOr<base::Secret> { return base::Secret("weak"); };
    const Manager manager = StartOne(options);
    EXPECT_THAT(manager->WaitForCurrent(Soon()),
                StatusIs(absl::StatusCode::kDeadlineExceeded,
                         AllOf(HasSubstr("the new key is insecure"), Not(HasSubstr("weak")))));
    EXPECT_EQ(world.CountRequests(), 0U);
  });
}

TEST(CertificateManager, WithoutAClient_UsesTheStoreAndDoesNotWait) {
  base::FakeClock clock;
  base::RuntimeScope scope(clock);
  const auto store = std::make_shared<MemoryStore>();
  const CertificateManagerOptions options = {.signer_name = "example.com/test", .store = store};
  const Manager empty = StartOne(options);
  EXPECT_EQ(empty->Current(), nullptr);
  EXPECT_THAT(empty->WaitForCurrent(Context()), StatusIs(absl::StatusCode::kFailedPrecondition));
  const certificates::CertificateAuthority authority =
      *certificates::CertificateAuthority::Make("ca");
  const certificates::Certificate stored =
      *authority.Issue({.common_name = "agent", .valid_until = absl::Hours(1)});
  ASSERT_THAT(store->Update(stored.certificate, stored.key).status(), IsOk());
  const Manager manager = StartOne(options);
  EXPECT_THAT(manager->WaitForCurrent(Context()), IsOk());
  EXPECT_NE(manager->Current(), nullptr);
  clock.Step(absl::Hours(1) + absl::Seconds(1));
  EXPECT_EQ(manager->Current(), nullptr);
  EXPECT_THAT(manager->WaitForCurrent(Context()), StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(CertificateManager, WaitForCurrent_AfterTheCertificateHasExpired_WaitsForAnother) {
  Simulate([](World& world) {
    const certificates::CertificateAuthority other =
        *certificates::CertificateAuthority::Make("other");
    const certificates::Certificate stored = *other.Issue({.common_name = "agent",
                                                           .organizations = {"agents"},
                                                           .valid_from = absl::ZeroDuration(),
                                                           .valid_until = absl::Hours(1)});
    ASSERT_THAT(world.store->Update(stored.certificate, stored.key).status(), IsOk());
    const absl::StatusOr<Manager> manager = CertificateManager::Make(world.Options());
    ASSERT_THAT(manager.status(), IsOk());
    EXPECT_THAT((*manager)->WaitForCurrent(Soon()), IsOk());
    ASSERT_THAT(base::SleepFor(Context(), absl::Hours(2)), IsOk());
    EXPECT_THAT((*manager)->WaitForCurrent(Soon()), StatusIs(absl::StatusCode::kDeadlineExceeded));
    ASSERT_THAT((*manager)->Start(Context()), IsOk());
    EXPECT_THAT((*manager)->WaitForCurrent(Soon()), IsOk());
    EXPECT_NE((*manager)->Current(), nullptr);
  });
}

TEST(CertificateManager, Make_WithIncompleteOptions_IsInvalid) {
  const auto store = std::make_shared<MemoryStore>();
  EXPECT_THAT(CertificateManager::Make({.signer_name = "example.com/test"}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "make certificate manager: store must not be null"));
  EXPECT_THAT(CertificateManager::Make({.store = store}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "make certificate manager: signer_name must not be empty"));
  EXPECT_THAT(CertificateManager::Make(
                  {.signer_name = "example.com/test", .store = store, .metrics = nullptr})
                  .status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "make certificate manager: metrics must not be null"));
  EXPECT_THAT(CertificateManager::Make({.signer_name = "example.com/test",
                                        .store = store,
                                        .bootstrap_certificate = "x",
                                        .bootstrap_key = base::Secret("hunter2")})
                  .status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("use bootstrap certificate"), Not(HasSubstr("hunter2")))));
}

// A store whose disk is broken.
class BrokenStore final : public Store {
 public:
  absl::StatusOr<Pair> Current() override { return absl::UnknownError("disk is broken"); }
  absl::StatusOr<Pair> Update(absl::string_view, const base::Secret&) override {
    return absl::UnknownError("disk is broken");
  }
};

TEST(CertificateManager, Make_WithAStoreThatCannotBeRead_IsItsError) {
  EXPECT_THAT(CertificateManager::Make(
                  {.signer_name = "example.com/test", .store = std::make_shared<BrokenStore>()})
                  .status(),
              StatusIs(absl::StatusCode::kUnknown, HasSubstr("disk is broken")));
}

// The example of the header.
absl::StatusOr<std::shared_ptr<CertificateManager>> UseManager(const Context& ctx,
                                                               const rest::Client& client,
                                                               rest::Config& config) {
  KUBE_ASSIGN_OR_RETURN(const auto manager,
                        certificate::CertificateManager::Make(
                            {.client = [client](const auto&) { return client; },
                             .request = {.common_name = "agent", .organizations = {"agents"}},
                             .signer_name = "kubernetes.io/kube-apiserver-client",
                             .store = std::make_shared<certificate::MemoryStore>()}));
  KUBE_RETURN_IF_ERROR(manager->Start(ctx));
  KUBE_RETURN_IF_ERROR(manager->WaitForCurrent(WithTimeout(ctx, absl::Minutes(15))));
  certificate::UseCertificateOf(manager, config);
  return manager;
}

TEST(CertificateManager, ProvidesAClientsCertificate_AsInTheHeader) {
  Simulate([](World& world) {
    rest::Config config;
    const absl::StatusOr<Manager> manager = UseManager(Context(), world.client, config);
    ASSERT_THAT(manager.status(), IsOk());
    EXPECT_EQ(config.tls.get_key_pair()->certificate, (*manager)->Current()->pem.certificate);
  });
}

}  // namespace
}  // namespace kube::certificate
