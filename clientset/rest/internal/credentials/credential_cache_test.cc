#include "clientset/rest/internal/credentials/credential_cache.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "gtest/gtest.h"

// exec_source_test has more: all that is about plug-ins is about this cache as well.
namespace kube::rest::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::StatusIs;

// A fetcher that takes a second, and counts.
struct Server {
  CredentialCache::Fetcher Fetcher() {
    return [this](const Context& ctx) -> absl::StatusOr<Credentials> {
      ++fetches;
      last_end = base::SleepFor(ctx, absl::Seconds(1));
      if (!last_end.ok()) return last_end;
      return Credentials{.authorization = base::Secret(absl::StrCat("token ", fetches)),
                         .expiration = base::WallNow() + absl::Minutes(1)};
    };
  }
  int fetches = 0;
  absl::Status last_end = absl::UnknownError("not called");
};

std::string TextOf(const CredentialCache::Result& got) {
  return got.ok() ? std::string((*got)->authorization.Reveal()) : got.status().ToString();
}

Context Hurried() { return WithTimeout(Context(), absl::Milliseconds(100)); }

void ExpectSimulated(uint64_t seed, absl::AnyInvocable<void()> body) {
  base::SimRuntime sim({.seed = seed});
  EXPECT_THAT(sim.Run(std::move(body)), IsOk());  // the message has the seed
}

TEST(CredentialCache, OfInitialCredentials_UsesThemUntilTheyExpire) {
  ExpectSimulated(1, [] {
    Server server;
    const auto initial = std::make_shared<const Credentials>(
        Credentials{.authorization = base::Secret("initial"),
                    .expiration = base::WallNow() + absl::Minutes(1)});
    CredentialCache cache(server.Fetcher(), {.thread_name = "fetch", .initial = initial});
    EXPECT_EQ(cache.last(), initial);
    EXPECT_EQ(*cache.Get({}), initial);
    ASSERT_THAT(base::SleepFor({}, absl::Minutes(2)), IsOk());
    const auto fetched = *cache.Get({});
    EXPECT_EQ(TextOf(fetched), "token 1");
    EXPECT_EQ(cache.last(), fetched);
    EXPECT_GT(fetched->generation, initial->generation);
  });
}

TEST(CredentialCache, OfAnotherGeneration_FetchesOnceForAllThatHaveTheSame) {
  ExpectSimulated(1, [] {
    Server server;
    CredentialCache cache(server.Fetcher(), {.thread_name = "fetch"});
    const int64_t first = (*cache.Get({}))->generation;
    EXPECT_EQ(TextOf(cache.GetOther({}, first)), "token 2");
    EXPECT_EQ(TextOf(cache.GetOther({}, first)), "token 2");
  });
}

TEST(CredentialCache, OfAFetchThatIsAbandoned_StopsItIfTheOptionSaysSo) {
  for (const bool stop : {false, true}) {
    ExpectSimulated(1, [stop] {
      Server server;
      CredentialCache cache(server.Fetcher(),
                            {.thread_name = "fetch", .stop_when_abandoned = stop});
      EXPECT_THAT(cache.Get(Hurried()), StatusIs(absl::StatusCode::kDeadlineExceeded));
      EXPECT_EQ(TextOf(cache.Get({})), stop ? "token 2" : "token 1");
      EXPECT_EQ(cache.waiting(), 0);
    });
  }
}

TEST(CredentialCache, ThatIsDestroyed_StopsAFetchAndWaitsForItsEnd) {
  ExpectSimulated(1, [] {
    Server server;
    {
      CredentialCache cache(server.Fetcher(), {.thread_name = "fetch"});
      EXPECT_THAT(cache.Get(Hurried()), StatusIs(absl::StatusCode::kDeadlineExceeded));
    }
    EXPECT_THAT(server.last_end, StatusIs(absl::StatusCode::kCancelled));
  });
}

TEST(CredentialCache, OfCallersThatComeAndGo_FetchesOneAtATime) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    ExpectSimulated(seed, [seed] {
      int running = 0;
      CredentialCache cache(
          [&running](const Context& ctx) -> absl::StatusOr<Credentials> {
            EXPECT_EQ(++running, 1);
            const absl::Status end = base::SleepFor(ctx, absl::Milliseconds(20));
            --running;
            if (!end.ok()) return end;
            return Credentials{.authorization = base::Secret("token"),
                               .expiration = base::WallNow()};
          },
          {.thread_name = "fetch", .stop_when_abandoned = seed % 2 == 0});
      base::ThreadGroup callers((Context()));
      for (int i = 0; i < 8; ++i) {
        callers.Go(absl::StrCat("caller-", i), [&cache, i](const Context& ctx) {
          for (int n = 0; n < 10; ++n) {
            const absl::Duration limit = absl::Milliseconds((i * 7 + n) % 40);
            cache.Get(WithTimeout(ctx, limit)).status().IgnoreError();
          }
          return absl::OkStatus();
        });
      }
      EXPECT_THAT(callers.Wait(), IsOk());
      EXPECT_EQ(TextOf(cache.Get({})), "token");
    });
  }
}

}  // namespace
}  // namespace kube::rest::internal
