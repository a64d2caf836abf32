#include "informers/delta.h"

#include <sstream>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace kube::informers {
namespace {

TEST(DeltaType, HasUpstreamsNames) {
  const struct {
    DeltaType type;
    absl::string_view name;
  } cases[] = {
      {DeltaType::kAdded, "Added"},     {DeltaType::kUpdated, "Updated"},
      {DeltaType::kDeleted, "Deleted"}, {DeltaType::kReplaced, "ReplacedAll"},
      {DeltaType::kSync, "SyncAll"},    {DeltaType::kBookmark, "Bookmark"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(ToString(test.type), test.name);
    std::ostringstream out;
    out << test.type;
    EXPECT_EQ(out.str(), test.name);
  }
}

}  // namespace
}  // namespace kube::informers
