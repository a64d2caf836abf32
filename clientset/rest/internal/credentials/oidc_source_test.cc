#include "clientset/rest/internal/credentials/oidc_source.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/internal/credentials/file_credentials.h"
#include "clientset/rest/oidc_config.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::rest::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::HasSubstr;

// Returns an ID token with this end, which is made different by `name`.
base::Secret IdToken(absl::Time expiry, const std::string& name = "a") {
  const std::string payload =
      absl::StrCat("{\"sub\":\"", name, "\",\"exp\":", absl::ToUnixSeconds(expiry), "}");
  return base::Secret(absl::StrCat("e30.", absl::WebSafeBase64Escape(payload), ".c2ln"));
}

std::string HeaderOf(const base::Secret& token) { return absl::StrCat("Bearer ", token.Reveal()); }

std::unique_ptr<OidcSource> Make(OidcTokens tokens, OidcSource::Refresher refresher,
                                 OidcSource::Persister persister = nullptr) {
  return std::make_unique<OidcSource>(*FileCredentials::Make(Config()), std::move(tokens),
                                      std::move(refresher), std::move(persister));
}

absl::StatusOr<OidcTokens> NotExpected(const Context&, const OidcTokens&) {
  return absl::InternalError("a refresh is not expected");
}

std::string TextOf(const absl::StatusOr<std::shared_ptr<const Credentials>>& got) {
  return got.ok() ? std::string((*got)->authorization.Reveal()) : got.status().ToString();
}

// Runs `body` in virtual time, which starts at a fixed moment.
void InSimulation(const std::function<void()>& body) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run(body), IsOk());
}

// behaviour.md: OIDC-3
TEST(OidcSource, ATokenIsRenewedTenSecondsBeforeItsEnd) {
  InSimulation([] {
    const absl::Time end = base::WallNow() + absl::Minutes(1);
    const base::Secret first = IdToken(end);
    const base::Secret second = IdToken(end + absl::Hours(1), "b");
    int refreshes = 0;
    auto source = Make({.id_token = first, .refresh_token = base::Secret("r1")},
                       [&](const Context&, const OidcTokens& old) -> absl::StatusOr<OidcTokens> {
                         ++refreshes;
                         EXPECT_EQ(old.refresh_token, base::Secret("r1"));
                         return OidcTokens{.id_token = second, .refresh_token = base::Secret("r2")};
                       });
    const auto before = *source->Get({});
    EXPECT_EQ(TextOf(before), HeaderOf(first));
    ASSERT_THAT(base::SleepFor({}, absl::Seconds(49)), IsOk());
    EXPECT_EQ(*source->Get({}), before);
    EXPECT_EQ(refreshes, 0);
    ASSERT_THAT(base::SleepFor({}, absl::Seconds(2)), IsOk());
    const auto after = *source->Get({});
    EXPECT_EQ(TextOf(after), HeaderOf(second));
    EXPECT_GT(after->generation, before->generation);
    EXPECT_EQ(*source->Get({}), after);
    EXPECT_EQ(refreshes, 1);
  });
}

// behaviour.md: OIDC-6
TEST(OidcSource, NewTokensAreStored_AndUsedEvenIfThatFails) {
  InSimulation([] {
    const base::Secret fresh = IdToken(base::WallNow() + absl::Hours(1));
    for (const absl::Status& stored : {absl::OkStatus(), absl::UnavailableError("disk full")}) {
      log::LogCapture logs;
      std::vector<std::string> seen;
      auto source = Make(
          {.refresh_token = base::Secret("r1")},
          [&](const Context&, const OidcTokens&) -> absl::StatusOr<OidcTokens> {
            return OidcTokens{.id_token = fresh, .refresh_token = base::Secret("r2")};
          },
          [&](const Context&, const OidcTokens& tokens) {
            seen.push_back(std::string(tokens.refresh_token.Reveal()));
            return stored;
          });
      EXPECT_EQ(TextOf(source->Get({})), HeaderOf(fresh));
      EXPECT_THAT(seen, ::testing::ElementsAre("r2"));
      EXPECT_EQ(
          absl::StrContains(absl::StrJoin(logs.Lines(), "\n"), "could not persist new tokens"),
          !stored.ok());
    }
  });
}

// behaviour.md: OIDC-7
TEST(OidcSource, ManyRequests_WaitForOneRefresh) {
  InSimulation([] {
    const base::Secret fresh = IdToken(base::WallNow() + absl::Hours(1));
    std::atomic<int> refreshes{0};
    auto source = Make({.refresh_token = base::Secret("r")},
                       [&](const Context& ctx, const OidcTokens&) -> absl::StatusOr<OidcTokens> {
                         ++refreshes;
                         if (auto slept = base::SleepFor(ctx, absl::Seconds(1)); !slept.ok()) {
                           return slept;
                         }
                         return OidcTokens{.id_token = fresh};
                       });
    base::ThreadGroup threads((Context()));
    for (int i = 0; i < 8; ++i) {
      threads.Go(absl::StrCat("caller-", i), [&](const Context& ctx) {
        EXPECT_EQ(TextOf(source->Get(ctx)), HeaderOf(fresh));
        return absl::OkStatus();
      });
    }
    EXPECT_THAT(threads.Wait(), IsOk());
    EXPECT_EQ(refreshes, 1);
  });
}

TEST(OidcSource, AWaitingRequest_LeavesWithItsOwnDeadline) {
  InSimulation([] {
    auto source = Make({.refresh_token = base::Secret("r")},
                       [](const Context& ctx, const OidcTokens&) -> absl::StatusOr<OidcTokens> {
                         return base::SleepFor(ctx, absl::Hours(1));
                       });
    CancelScope first = WithCancel(Context());
    base::Thread thread;
    ASSERT_THAT(thread.Start(first.context(), "first",
                             [&](const Context& ctx) {
                               EXPECT_THAT(source->Get(ctx).status(),
                                           StatusIs(absl::StatusCode::kCancelled));
                             }),
                IsOk());
    ASSERT_THAT(base::SleepFor({}, absl::Seconds(1)), IsOk());
    const Context hurried = WithTimeout(Context(), absl::Seconds(5));
    EXPECT_THAT(source->Get(hurried).status(), StatusIs(absl::StatusCode::kDeadlineExceeded));
    first.Cancel();
    thread.Join();
  });
}

TEST(OidcSource, NewTokensAreStored_EvenIfTheRequestHasEnded) {
  InSimulation([] {
    const base::Secret fresh = IdToken(base::WallNow() + absl::Hours(1));
    CancelScope request = WithCancel(Context());
    absl::Status seen = absl::UnknownError("not called");
    auto source = Make(
        {.refresh_token = base::Secret("r1")},
        [&](const Context&, const OidcTokens&) -> absl::StatusOr<OidcTokens> {
          request.Cancel();
          return OidcTokens{.id_token = fresh, .refresh_token = base::Secret("r2")};
        },
        [&](const Context& ctx, const OidcTokens&) {
          seen = ctx.status();
          return absl::OkStatus();
        });
    EXPECT_EQ(TextOf(source->Get(request.context())), HeaderOf(fresh));
    EXPECT_THAT(seen, IsOk());
  });
}

TEST(OidcSource, AfterAnError_TheNextRequestTriesAgain) {
  InSimulation([] {
    const base::Secret fresh = IdToken(base::WallNow() + absl::Hours(1));
    int calls = 0;
    auto source = Make({.refresh_token = base::Secret("r")},
                       [&](const Context&, const OidcTokens&) -> absl::StatusOr<OidcTokens> {
                         if (++calls == 1) return absl::UnavailableError("no route to host");
                         return OidcTokens{.id_token = fresh};
                       });
    EXPECT_THAT(source->Get({}).status(),
                StatusIs(absl::StatusCode::kUnavailable, HasSubstr("no route")));
    EXPECT_EQ(TextOf(source->Get({})), HeaderOf(fresh));
  });
}

TEST(OidcSource, ATokenThatIsNoToken_IsAnError) {
  auto source = Make({.id_token = base::Secret("sesame")}, NotExpected);
  const absl::Status status = source->Get({}).status();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("JWT")));
  EXPECT_EQ(status.ToString().find("sesame"), std::string::npos);
}

// behaviour.md: OIDC-7
TEST(OidcSource, ARejectedToken_IsNotRenewed) {
  InSimulation([] {
    auto source = Make({.id_token = IdToken(base::WallNow() + absl::Hours(1))}, NotExpected);
    const auto used = *source->Get({});
    EXPECT_THAT(source->Rejected({}, *used), IsOkAndHolds(false));
  });
}

TEST(OidcSource, RequestsWithTheirOwnAuthorization_NeedNoToken) {
  auto source = Make({}, NotExpected);
  EXPECT_THAT(source->GetWithoutAuthorization({}).status(), IsOk());
}

// behaviour.md: OIDC-1
TEST(OidcSource, IssuerAndClientAreRequired) {
  Config config;
  config.oidc = OidcConfig{.client_id = "c"};
  EXPECT_THAT(OidcSource::Make(config).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, "Must provide idp-issuer-url"));
  config.oidc = OidcConfig{.issuer_url = "https://issuer"};
  EXPECT_THAT(OidcSource::Make(config).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, "Must provide client-id"));
  config.oidc->client_id = "c";
  config.oidc->ca_file = "/none/ca.pem";
  EXPECT_THAT(OidcSource::Make(config).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("/none/ca.pem")));
  config.oidc->ca_file.clear();
  EXPECT_THAT(OidcSource::Make(config).status(), IsOk());
}

}  // namespace
}  // namespace kube::rest::internal
