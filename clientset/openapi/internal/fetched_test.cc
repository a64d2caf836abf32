#include "clientset/openapi/internal/fetched.h"

#include <atomic>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::openapi::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;

TEST(Fetched, IsFetchedOnce) {
  Fetched<std::string> fetched;
  int calls = 0;
  const auto fetch = [&]() -> absl::StatusOr<std::string> {
    ++calls;
    return "a";
  };
  EXPECT_THAT(fetched.Get(Context(), fetch), IsOkAndHolds(std::string("a")));
  EXPECT_THAT(fetched.Get(Context(), fetch), IsOkAndHolds(std::string("a")));
  EXPECT_EQ(calls, 1);
  fetched.Forget();
  EXPECT_THAT(fetched.Get(Context(), fetch), IsOkAndHolds(std::string("a")));
  EXPECT_EQ(calls, 2);
}

TEST(Fetched, AnErrorIsNotKept) {
  Fetched<int> fetched;
  EXPECT_THAT(fetched.Get(Context(), [] { return absl::StatusOr<int>(absl::AbortedError("no")); }),
              StatusIs(absl::StatusCode::kAborted));
  EXPECT_THAT(fetched.Get(Context(), [] { return absl::StatusOr<int>(1); }), IsOkAndHolds(1));
}

TEST(Fetched, WhatWasAskedForBeforeForgetIsNotKept) {
  Fetched<int> fetched;
  EXPECT_THAT(fetched.Get(Context(),
                          [&] {
                            fetched.Forget();
                            return absl::StatusOr<int>(1);
                          }),
              IsOkAndHolds(1));
  EXPECT_THAT(fetched.Get(Context(), [] { return absl::StatusOr<int>(2); }), IsOkAndHolds(2));
}

TEST(Fetched, OneThreadFetchesAndTheOthersWait) {
  Fetched<int> fetched;
  base::Event begun;
  base::Event may_end;
  std::atomic<int> calls = 0;
  const auto fetch = [&] {
    ++calls;
    begun.Set();
    EXPECT_THAT(may_end.Wait(Context()), IsOk());
    return absl::StatusOr<int>(1);
  };
  base::ThreadGroup threads{Context()};
  threads.Go("first", [&](const Context& ctx) { return fetched.Get(ctx, fetch).status(); });
  ASSERT_THAT(begun.Wait(Context()), IsOk());
  // One whose context ends does not wait for the value.
  CancelScope cancelled = WithCancel(Context());
  cancelled.Cancel();
  EXPECT_THAT(fetched.Get(cancelled.context(), fetch), StatusIs(absl::StatusCode::kCancelled));
  threads.Go("second", [&](const Context& ctx) { return fetched.Get(ctx, fetch).status(); });
  may_end.Set();
  EXPECT_THAT(threads.Wait(), IsOk());
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace kube::openapi::internal
