// Connections to the cluster that are lost at a random moment.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/portforward/differential/fixture.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/portforward/port_stream.h"
#include "clientset/rest/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/streaming/pattern.h"

namespace kube::portforward {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using oracle::Dice;
using streaming::Pattern;
using testing::AnyOf;

constexpr uint64_t kSeed = 20'261'128;
constexpr size_t kDownload = 200'000;

// Errors that say that a connection was lost.
auto IsLoss() {
  return StatusIs(AnyOf(absl::StatusCode::kUnavailable, absl::StatusCode::kAborted,
                        absl::StatusCode::kDataLoss));
}

// Those, and success.
auto IsOkOrLoss() {
  return StatusIs(AnyOf(absl::StatusCode::kOk, absl::StatusCode::kUnavailable,
                        absl::StatusCode::kAborted, absl::StatusCode::kDataLoss));
}

class CutTest : public WayTest {
 protected:
  // Downloads over a connection that is cut after this many bytes.
  void Download(size_t bytes) const {
    const rest::Client client = node().ClientFor(GetParam().mode, bytes);
    // A loss that is not noticed would take longer.
    const Context ctx = WithTimeout(ctx_, absl::Seconds(20));
    const auto forwarder =
        Forwarder::Connect(ctx, client, {"default", "web-0"}, GetParam().options);
    EXPECT_THAT(forwarder, IsOkOrLoss());
    if (!forwarder.ok()) return;
    const auto stream = (*forwarder)->Dial(ctx, kSource);
    EXPECT_THAT(stream, IsOkOrLoss());
    if (!stream.ok()) return;
    const absl::Status written = (*stream)->Write(ctx, absl::StrCat(kDownload, " 3\n"));
    EXPECT_THAT(written, IsOkOrLoss());
    if (!written.ok()) return;
    std::string text;
    while (text.size() < kDownload) {
      const absl::StatusOr<std::string> read = (*stream)->Read(ctx);
      if (!read.ok()) {
        EXPECT_THAT(read, IsLoss());
        break;
      }
      ASSERT_FALSE(read->empty()) << "a loss must not look like the end";
      absl::StrAppend(&text, *read);
    }
    EXPECT_TRUE(absl::StartsWith(Pattern(kDownload, 3), text)) << text.size();
    if (bytes < kDownload) {
      EXPECT_LT(text.size(), kDownload);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, CutTest, testing::ValuesIn(AllWays()), NameOfWay);

TEST_P(CutTest, Downloads) {
  SCOPED_TRACE(kSeed);
  Dice dice(kSeed);
  for (int i = 0; i < 40; ++i) {
    const size_t most = dice.Below(3) == 0 ? 2'000 : 300'000;
    const size_t bytes = dice.Below(most);
    SCOPED_TRACE(bytes);
    Download(bytes);
  }
}

// The next connection to a port connects to the cluster again, as client-go does not.
TEST_P(CutTest, ConnectsAgain) {
  const rest::Client client = node().ClientFor(GetParam().mode, 50'000);
  const auto forwarder = Forwarder::Connect(ctx_, client, {"default", "web-0"}, GetParam().options);
  ASSERT_THAT(forwarder, IsOk());
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(Ask(ctx_, **forwarder, kEcho, "abc"), IsOkAndHolds("abc"));
    EXPECT_THAT(Ask(ctx_, **forwarder, kEcho, Pattern(100'000, 1)), IsLoss());
  }
}

}  // namespace
}  // namespace kube::portforward
