#include "apimachinery/base/testing/log_capture.h"

#include "absl/status/status.h"
#include "apimachinery/base/log/log.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::log {
namespace {

using testing::ElementsAre;

TEST(LogCapture, CollectsAndNests) {
  LogCapture outer;
  Info("one", {{"k", 1}});
  {
    LogCapture inner;
    Warning("two");
    EXPECT_THAT(inner.Lines(), ElementsAre(R"(W "two")"));
  }
  Error(absl::InternalError("no"), "three");
  EXPECT_THAT(outer.Lines(), ElementsAre(R"(I "one" k=1)", R"(E "three" err="INTERNAL: no")"));
}

}  // namespace
}  // namespace kube::log
