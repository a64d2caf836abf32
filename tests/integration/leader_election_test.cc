// Candidates of ours and client-go's for one lease of a real server: they respect each other, and
// take over from each other.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/coordination/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/leaderelection/fencing_token.h"
#include "controller/leaderelection/leader_elector.h"
#include "controller/leaderelection/lease_lock.h"
#include "gtest/gtest.h"
#include "tests/integration/real_server.h"
#include "tests/oracle/oracle.h"

namespace kube::integration {
namespace {

namespace coordinationv1 = api::coordination::v1;

using base::IsOk;
using leaderelection::CompareFencingTokens;
using leaderelection::FencingToken;
using leaderelection::LeaderElector;
using leaderelection::LeaseLock;

constexpr int kSeconds = 30;
constexpr char kName[] = "shared";

absl::Duration UpTo(absl::Duration most) { return most * base::UniformDouble(); }

// Somebody led from then until then, at least.
struct Term {
  std::string identity;
  absl::Time from;
  absl::Time to;

  bool is_go() const { return absl::StartsWith(identity, "go-"); }
};

class Terms {
 public:
  void Add(Term term) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    terms_.push_back(std::move(term));
  }
  std::vector<Term> InOrder() const ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    std::vector<Term> terms = terms_;
    std::sort(terms.begin(), terms.end(),
              [](const Term& a, const Term& b) { return a.from < b.from; });
    return terms;
  }

 private:
  mutable base::Mutex mutex_;
  std::vector<Term> terms_ ABSL_GUARDED_BY(mutex_);
};

// What the Go program does.
void RunCandidate(const Context& ctx, const coordinationv1::LeaseClient& leases,
                  const std::string& identity, bool release, Terms& terms) {
  CancelScope scope = WithCancel(ctx);
  const auto lead = [&](const Context& leading, const FencingToken&) {
    const absl::Time from = base::WallNow();
    base::SleepFor(leading, absl::Milliseconds(500) + UpTo(absl::Seconds(2))).IgnoreError();
    terms.Add({.identity = identity, .from = from, .to = base::WallNow()});
    scope.Cancel();
  };
  const absl::StatusOr<std::unique_ptr<LeaderElector>> elector =
      LeaderElector::Make(std::make_shared<LeaseLock>(leases, kName, identity),
                          {.on_started_leading = lead, .on_stopped_leading = [] {}},
                          {.lease_duration = absl::Seconds(3),
                           .renew_deadline = absl::Seconds(2),
                           .retry_period = absl::Milliseconds(500),
                           .release_on_cancel = release});
  ASSERT_THAT(elector, IsOk());
  (*elector)->Run(scope.context()).IgnoreError();
}

// "go-0-1 1700000000000000000 1700000000500000000" lines.
void AddTermsOf(absl::string_view output, Terms& terms) {
  for (const absl::string_view line : absl::StrSplit(output, '\n', absl::SkipEmpty())) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ');
    int64_t from = 0;
    int64_t to = 0;
    ASSERT_EQ(words.size(), 3u) << line;
    ASSERT_TRUE(absl::SimpleAtoi(words[1], &from) && absl::SimpleAtoi(words[2], &to)) << line;
    terms.Add(
        {.identity = words[0], .from = absl::FromUnixNanos(from), .to = absl::FromUnixNanos(to)});
  }
}

TEST(LeaderElectionTest, BesideClientGo) {
  const absl::StatusOr<std::string> program =
      oracle::FindData("oracles", "leader_election_candidates");
  if (oracle::PrintSkipped(program.status())) GTEST_SKIP();
  ASSERT_THAT(program, IsOk());
  const rest::Client client = ClientOf(ConfigOf());
  const std::string namespace_name = MakeNamespace(client);
  const coordinationv1::LeaseClient leases =
      coordinationv1::CoordinationV1Client(client).Leases(namespace_name);
  Terms terms;
  base::ThreadGroup group{WithTimeout(Context(), absl::Seconds(kSeconds))};
  group.Go("client-go", [&](const Context&) -> absl::Status {
    const absl::StatusOr<std::string> output = oracle::RunProgram(
        *program, {.args = {Variable("KUBECONFIG"), namespace_name, kName, absl::StrCat(kSeconds)},
                   .timeout = absl::Minutes(2)});
    if (!output.ok()) return output.status();
    AddTermsOf(*output, terms);
    return absl::OkStatus();
  });
  for (int i = 0; i < 2; ++i) {
    group.Go("candidate", [&, i](const Context& ctx) {
      for (int n = 0; !ctx.done(); ++n) {
        RunCandidate(ctx, leases, absl::StrCat("cpp-", i, "-", n), n % 2 == 0, terms);
        base::SleepFor(ctx, UpTo(absl::Seconds(3))).IgnoreError();
      }
      return absl::OkStatus();
    });
  }
  ASSERT_THAT(group.Wait(), IsOk());

  int from_go = 0;
  int to_go = 0;
  const std::vector<Term> all = terms.InOrder();
  for (size_t i = 1; i < all.size(); ++i) {
    EXPECT_LE(all[i - 1].to, all[i].from) << all[i - 1].identity << " beside " << all[i].identity;
    if (all[i - 1].is_go() && !all[i].is_go()) ++from_go;
    if (!all[i - 1].is_go() && all[i].is_go()) ++to_go;
  }
  EXPECT_GE(all.size(), 5u);
  EXPECT_GE(from_go, 1);
  EXPECT_GE(to_go, 1);
  RecordProperty("terms", static_cast<int>(all.size()));
}

TEST(LeaderElectionTest, TokensRise) {
  const rest::Client client = ClientOf(ConfigOf());
  const coordinationv1::LeaseClient leases =
      coordinationv1::CoordinationV1Client(client).Leases(MakeNamespace(client));
  std::vector<FencingToken> tokens;
  for (int i = 0; i < 3; ++i) {
    CancelScope scope = WithCancel(Soon());
    const auto elector = LeaderElector::Make(
        std::make_shared<LeaseLock>(leases, kName, absl::StrCat("candidate-", i)),
        {.on_started_leading =
             [&](const Context&, const FencingToken& token) {
               tokens.push_back(token);
               scope.Cancel();
             },
         .on_stopped_leading = [] {}},
        {.release_on_cancel = true});
    ASSERT_THAT(elector, IsOk());
    (*elector)->Run(scope.context()).IgnoreError();
    const auto lease = leases.Get(Soon(), kName);
    ASSERT_THAT(lease, IsOk());
    EXPECT_EQ(lease->spec.holder_identity->view(), "");
    EXPECT_EQ(lease->spec.lease_transitions.value_or(-1), i % 2);
    // Then transitions begin again, but tokens do not.
    if (i == 1) {
      ASSERT_THAT(leases.Delete(Soon(), kName), IsOk());
    }
  }
  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_TRUE(*CompareFencingTokens(tokens[0], tokens[1]) < 0);
  EXPECT_TRUE(*CompareFencingTokens(tokens[1], tokens[2]) < 0);
  EXPECT_EQ(tokens[2].transitions, 0);
}

}  // namespace
}  // namespace kube::integration
