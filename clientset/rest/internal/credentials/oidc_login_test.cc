#include "clientset/rest/internal/credentials/oidc_login.h"

#include <cstdint>
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
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/oidc_config.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::rest::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Returns an ID token with this end, which is made different by `name`.
base::Secret IdToken(absl::Time expiry, const std::string& name = "a") {
  const std::string payload =
      absl::StrCat("{\"sub\":\"", name, "\",\"exp\":", absl::ToUnixSeconds(expiry), "}");
  return base::Secret(absl::StrCat("e30.", absl::WebSafeBase64Escape(payload), ".c2ln"));
}

std::string HeaderOf(const base::Secret& token) { return absl::StrCat("Bearer ", token.Reveal()); }

OidcConfig Login(const std::string& refresh_token) {
  return {.issuer_url = "https://issuer",
          .client_id = "me",
          .tokens = {.refresh_token = base::Secret(refresh_token)}};
}

absl::StatusOr<OidcTokens> NotExpected(const Context&, const OidcTokens&) {
  return absl::InternalError("a refresh is not expected");
}

std::string TextOf(const absl::StatusOr<std::shared_ptr<const Credentials>>& got) {
  return got.ok() ? std::string((*got)->authorization.Reveal()) : got.status().ToString();
}

// An issuer that accepts each refresh token once and needs a second for each answer. (RFC 6749,
// section 10.4)
class RotatingIssuer {
 public:
  explicit RotatingIssuer(const std::string& first) : accepted_(first) {}

  OidcLogin::Refresher Refresher() {
    return [this](const Context& ctx, const OidcTokens& old) -> absl::StatusOr<OidcTokens> {
      if (old.refresh_token != base::Secret(accepted_)) {
        return absl::UnauthenticatedError("oauth2: \"invalid_grant\"");
      }
      ++refreshes_;
      accepted_ = absl::StrCat("r", refreshes_ + 1);
      if (absl::Status slept = base::SleepFor(ctx, absl::Seconds(1)); !slept.ok()) return slept;
      return OidcTokens{.id_token = IdToken(base::WallNow() + absl::Hours(1), accepted_),
                        .refresh_token = base::Secret(accepted_)};
    };
  }
  int refreshes() const { return refreshes_; }

 private:
  std::string accepted_;
  int refreshes_ = 0;
};

// Runs `body` in virtual time, which starts at a fixed moment.
void InSimulation(const std::function<void()>& body) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run(body), IsOk());
}

// behaviour.md: OIDC-3
TEST(OidcLogin, ATokenIsRenewedTenSecondsBeforeItsEnd) {
  InSimulation([] {
    const absl::Time end = base::WallNow() + absl::Minutes(1);
    const base::Secret first = IdToken(end);
    const base::Secret second = IdToken(end + absl::Hours(1), "b");
    int refreshes = 0;
    OidcConfig config = Login("r1");
    config.tokens.id_token = first;
    OidcLogin login(config,
                    [&](const Context&, const OidcTokens& old) -> absl::StatusOr<OidcTokens> {
                      ++refreshes;
                      EXPECT_EQ(old.refresh_token, base::Secret("r1"));
                      return OidcTokens{.id_token = second, .refresh_token = base::Secret("r2")};
                    });
    const auto before = *login.Get({});
    EXPECT_EQ(TextOf(before), HeaderOf(first));
    ASSERT_THAT(base::SleepFor({}, absl::Seconds(49)), IsOk());
    EXPECT_EQ(*login.Get({}), before);
    EXPECT_EQ(refreshes, 0);
    ASSERT_THAT(base::SleepFor({}, absl::Seconds(2)), IsOk());
    const auto after = *login.Get({});
    EXPECT_EQ(TextOf(after), HeaderOf(second));
    EXPECT_GT(after->generation, before->generation);
    EXPECT_EQ(*login.Get({}), after);
    EXPECT_EQ(login.last(), after);
    EXPECT_EQ(refreshes, 1);
  });
}

// behaviour.md: OIDC-6
TEST(OidcLogin, NewTokensAreStored_AndUsedEvenIfThatFails) {
  InSimulation([] {
    const base::Secret fresh = IdToken(base::WallNow() + absl::Hours(1));
    for (const absl::Status& stored : {absl::OkStatus(), absl::UnavailableError("disk full")}) {
      log::LogCapture logs;
      std::vector<std::string> seen;
      OidcConfig config = Login("r1");
      config.persist = [&](const Context&, const OidcTokens& tokens) {
        seen.push_back(std::string(tokens.refresh_token.Reveal()));
        return stored;
      };
      OidcLogin login(config, [&](const Context&, const OidcTokens&) -> absl::StatusOr<OidcTokens> {
        return OidcTokens{.id_token = fresh, .refresh_token = base::Secret("r2")};
      });
      EXPECT_EQ(TextOf(login.Get({})), HeaderOf(fresh));
      EXPECT_THAT(seen, ElementsAre("r2"));
      EXPECT_EQ(
          absl::StrContains(absl::StrJoin(logs.Lines(), "\n"), "could not persist new tokens"),
          !stored.ok());
    }
  });
}

// behaviour.md: OIDC-7
TEST(OidcLogin, ManyRequests_WaitForOneRefresh) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    base::SimRuntime sim({.seed = seed});
    const absl::Status end = sim.Run([] {
      RotatingIssuer issuer("r1");
      OidcLogin login(Login("r1"), issuer.Refresher());
      base::ThreadGroup threads((Context()));
      for (int i = 0; i < 8; ++i) {
        threads.Go(absl::StrCat("caller-", i),
                   [&](const Context& ctx) { return login.Get(ctx).status(); });
      }
      EXPECT_THAT(threads.Wait(), IsOk());
      EXPECT_EQ(issuer.refreshes(), 1);
    });
    EXPECT_THAT(end, IsOk());  // the message has the seed
  }
}

TEST(OidcLogin, TheRequestThatStartedARefresh_MayLeaveAndTheNewTokensAreStored) {
  InSimulation([] {
    RotatingIssuer issuer("r1");
    std::vector<std::string> stored;
    OidcConfig config = Login("r1");
    config.persist = [&](const Context& ctx, const OidcTokens& tokens) {
      stored.push_back(std::string(tokens.refresh_token.Reveal()));
      return ctx.status();
    };
    OidcLogin login(config, issuer.Refresher());
    const Context hurried = WithTimeout(Context(), absl::Milliseconds(100));
    EXPECT_THAT(login.Get(hurried).status(), StatusIs(absl::StatusCode::kDeadlineExceeded));
    // Another one waits for the same refresh, or finds its result.
    EXPECT_THAT(login.Get({}).status(), IsOk());
    EXPECT_THAT(stored, ElementsAre("r2"));
    EXPECT_EQ(issuer.refreshes(), 1);

    ASSERT_THAT(base::SleepFor({}, absl::Hours(2)), IsOk());
    EXPECT_THAT(login.Get(WithTimeout(Context(), absl::Milliseconds(100))).status(),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    ASSERT_THAT(base::SleepFor({}, absl::Seconds(2)), IsOk());
    EXPECT_THAT(stored, ElementsAre("r2", "r3"));
    EXPECT_THAT(login.Get(WithTimeout(Context(), absl::Milliseconds(100))).status(), IsOk());
  });
}

TEST(OidcLogin, TheDestructor_EndsARefreshButNotTheStoring) {
  InSimulation([] {
    absl::Status refresh = absl::UnknownError("not called");
    absl::Status storing = absl::UnknownError("not called");
    const Context hurried = WithTimeout(Context(), absl::Seconds(1));
    {
      OidcLogin login(Login("r1"),
                      [&](const Context& ctx, const OidcTokens&) -> absl::StatusOr<OidcTokens> {
                        refresh = base::SleepFor(ctx, absl::Hours(1));
                        return refresh;
                      });
      EXPECT_THAT(login.Get(hurried).status(), StatusIs(absl::StatusCode::kDeadlineExceeded));
    }
    EXPECT_THAT(refresh, StatusIs(absl::StatusCode::kCancelled));
    {
      OidcConfig config = Login("r1");
      config.persist = [&](const Context& ctx, const OidcTokens&) {
        storing = base::SleepFor(ctx, absl::Seconds(10));
        return storing;
      };
      RotatingIssuer issuer("r1");
      OidcLogin login(config, issuer.Refresher());
      EXPECT_THAT(login.Get(WithTimeout(Context(), absl::Seconds(2))).status(),
                  StatusIs(absl::StatusCode::kDeadlineExceeded));
    }
    EXPECT_THAT(storing, IsOk());
  });
}

TEST(OidcLogin, AfterAnError_TheNextRequestTriesAgain) {
  InSimulation([] {
    const base::Secret fresh = IdToken(base::WallNow() + absl::Hours(1));
    int calls = 0;
    OidcLogin login(Login("r"), [&](const Context&, const OidcTokens&) {
      return ++calls == 1 ? absl::StatusOr<OidcTokens>(absl::UnavailableError("no route to host"))
                          : OidcTokens{.id_token = fresh};
    });
    EXPECT_THAT(login.Get({}).status(),
                StatusIs(absl::StatusCode::kUnavailable, HasSubstr("no route")));
    EXPECT_EQ(TextOf(login.Get({})), HeaderOf(fresh));
  });
}

TEST(OidcLogin, ATokenThatIsNoToken_IsAnError) {
  OidcConfig config = Login("r");
  config.tokens.id_token = base::Secret("sesame");
  OidcLogin login(config, NotExpected);
  const absl::Status status = login.Get({}).status();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("JWT")));
  EXPECT_EQ(status.ToString().find("sesame"), std::string::npos);
}

TEST(OidcLogin, AnAnswerWithoutAToken_DoesNotLoseItsRefreshToken) {
  InSimulation([] {
    const base::Secret fresh = IdToken(base::WallNow() + absl::Hours(1));
    std::vector<std::string> sent;
    OidcLogin login(Login("r1"), [&](const Context&, const OidcTokens& old) {
      sent.push_back(std::string(old.refresh_token.Reveal()));
      return absl::StatusOr<OidcTokens>(
          OidcTokens{.id_token = sent.size() == 1 ? base::Secret("sesame") : fresh,
                     .refresh_token = base::Secret("r2")});
    });
    EXPECT_THAT(login.Get({}).status(), StatusIs(absl::StatusCode::kInvalidArgument));
    EXPECT_EQ(TextOf(login.Get({})), HeaderOf(fresh));
    EXPECT_THAT(sent, ElementsAre("r1", "r2"));
  });
}

TEST(OidcLogin, TokensThatAnotherProgramHasStored_AreUsed) {
  InSimulation([] {
    const base::Secret theirs = IdToken(base::WallNow() + absl::Hours(1), "theirs");
    OidcTokens file = {.id_token = theirs, .refresh_token = base::Secret("r2")};
    RotatingIssuer issuer("r2");
    OidcConfig config = Login("r1");
    config.load = [&](const Context&) { return absl::StatusOr<OidcTokens>(file); };
    OidcLogin login(config, issuer.Refresher());
    // Their ID token is good, so the issuer is not asked; afterwards it is, with their token.
    EXPECT_EQ(TextOf(login.Get({})), HeaderOf(theirs));
    EXPECT_EQ(issuer.refreshes(), 0);
    ASSERT_THAT(base::SleepFor({}, absl::Hours(1)), IsOk());
    EXPECT_THAT(login.Get({}).status(), IsOk());
    EXPECT_EQ(issuer.refreshes(), 1);
  });
}

TEST(OidcLogin, StoredTokensThatAreOlder_AreNotUsed) {
  InSimulation([] {
    const log::LogCapture logs;
    RotatingIssuer issuer("r1");
    absl::StatusOr<OidcTokens> file = OidcTokens{.refresh_token = base::Secret("r1")};
    OidcConfig config = Login("r1");
    config.load = [&](const Context&) { return file; };
    config.persist = [](const Context&, const OidcTokens&) {
      return absl::PermissionDeniedError("read-only");
    };
    OidcLogin login(config, issuer.Refresher());
    const std::vector<absl::StatusOr<OidcTokens>> files = {file, file, OidcTokens(),
                                                           absl::DataLossError("cut off")};
    for (const absl::StatusOr<OidcTokens>& next : files) {
      file = next;
      EXPECT_THAT(login.Get({}).status(), IsOk());
      ASSERT_THAT(base::SleepFor({}, absl::Hours(1)), IsOk());
    }
    EXPECT_EQ(issuer.refreshes(), 4);
    EXPECT_THAT(logs.Lines(), ::testing::Contains(HasSubstr("could not read stored tokens")));
  });
}

// behaviour.md: OIDC-8
TEST(OidcLoginShare, EqualConfigurations_HaveOneLogin) {
  InSimulation([] {
    RotatingIssuer issuer("r1");
    auto a = OidcLogin::Share(Login("r1"), issuer.Refresher());
    const auto b = OidcLogin::Share(Login("r1"), issuer.Refresher());
    EXPECT_EQ(a, b);
    EXPECT_THAT(a->Get({}).status(), IsOk());
    // Those who have the configuration of before, and those who have read the new tokens.
    EXPECT_EQ(OidcLogin::Share(Login("r1"), NotExpected), b);
    EXPECT_EQ(OidcLogin::Share(Login("r2"), NotExpected), b);
    a.reset();
    EXPECT_THAT(b->Get({}).status(), IsOk());
    EXPECT_EQ(issuer.refreshes(), 1);
  });
}

TEST(OidcLoginShare, OtherConfigurations_HaveOthers) {
  const OidcConfig config = Login("r1");
  const auto login = OidcLogin::Share(config, NotExpected);
  std::vector<std::pair<std::string, OidcConfig>> others(5, {"", config});
  others[0].first = "issuer";
  others[0].second.issuer_url = "https://other";
  others[1].first = "client";
  others[1].second.client_id = "other";
  others[2].first = "secret";
  others[2].second.client_secret = base::Secret("other");
  others[3].first = "authority";
  others[3].second.ca_data = "other";
  others[4].first = "token";
  others[4].second.tokens.refresh_token = base::Secret("other");
  for (const auto& [name, other] : others) {
    EXPECT_NE(OidcLogin::Share(other, NotExpected), login) << name;
  }
  InSimulation([&] { EXPECT_NE(OidcLogin::Share(config, NotExpected), login); });
  EXPECT_NE(OidcLogin::Share(Login(""), NotExpected), OidcLogin::Share(Login(""), NotExpected));
}

TEST(OidcLoginShare, ALoginThatNobodyUses_IsForgotten) {
  auto login = OidcLogin::Share(Login("r1"), NotExpected);
  const std::weak_ptr<OidcLogin> old = login;
  login.reset();
  EXPECT_TRUE(old.expired());
}

}  // namespace
}  // namespace kube::rest::internal
