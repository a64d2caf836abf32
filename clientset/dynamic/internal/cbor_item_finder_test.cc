#include "clientset/dynamic/internal/cbor_item_finder.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"

namespace kube::dynamic::internal {
namespace {

using base::IsOkAndHolds;

TEST(CborItemFinderTest, FindsTheEnd) {
  for (absl::string_view hex : {"01",
                                "1818",
                                "f93c00",
                                "f6",
                                "f8ff",
                                "40",
                                "43616263",
                                "5a0000000161",
                                "80",
                                "820102",
                                "a0",
                                "a1416101",
                                "9fff",
                                "bf416101ff",
                                "5f4161ff",
                                "7f6161ff",
                                "d9d9f7a0",
                                "d6d680",
                                "1b0000000000000001",
                                "818181818100",
                                "a24161a0416280"}) {
    SCOPED_TRACE(hex);
    const std::string item = absl::HexStringToBytes(hex);
    const std::string data = item + "\x01";
    CborItemFinder at_once;
    EXPECT_THAT(at_once.Find(data), IsOkAndHolds(item.size()));
    CborItemFinder byte_by_byte;
    for (size_t size = 0; size < item.size(); ++size) {
      EXPECT_THAT(byte_by_byte.Find(absl::string_view(data).substr(0, size)),
                  IsOkAndHolds(size_t{0}));
    }
    EXPECT_THAT(byte_by_byte.Find(item), IsOkAndHolds(item.size()));
  }
}

TEST(CborItemFinderTest, Refuses) {
  for (absl::string_view hex : {"ff", "81ff", "1c", "1f", "df", "fc", "5b7fffffffffffffff",
                                "9b7fffffffffffffff", "bbffffffffffffffff"}) {
    EXPECT_THAT(CborItemFinder().Find(absl::HexStringToBytes(hex)),
                base::StatusIs(absl::StatusCode::kInvalidArgument))
        << hex;
  }
  EXPECT_THAT(CborItemFinder().Find(std::string(100'000, '\x81')),
              base::StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::dynamic::internal
