#include "apiserver/printers/internal/printer.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kinds.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/types/time.h"
#include "apiserver/printers/internal/row.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::printers::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

using ::kube::base::StatusIs;
using ::testing::ElementsAre;

constexpr absl::Time kNow = absl::FromUnixSeconds(1'800'000'000);

// Any object of the type of `value`.
template <ApiStruct T>
codec::AnyObject Any(T value) {
  for (const KindInfo& kind : corev1::Kinds()) {
    if (kind.message != &T::kMessage) continue;
    codec::AnyObject object(kind);
    *object.As<T>() = std::move(value);
    return object;
  }
  ADD_FAILURE() << "no kind of core/v1";
  return codec::AnyObject(corev1::Kinds()[0]);
}

void PrintMap(const corev1::ConfigMap& map, Row& row) {
  if (map.metadata.name == "broken") return row.Fail(absl::InvalidArgumentError("broken"));
  row.Text(map.metadata.name);
  row.Number(static_cast<int64_t>(map.data.size()));
  row.Age(map.metadata.creation_timestamp);
  row.Complete("Done", "it is");
}

constexpr Column kColumns[] = {kName, {"Data", "integer", "", 1}, kAge};

TEST(Printer, HasTheColumnsOfItsTypeAndACellForEach) {
  const Printer printer = PrinterOf<PrintMap>(kColumns);
  const List<metav1::TableColumnDefinition> columns = ColumnsOf(printer);
  ASSERT_EQ(columns.size(), 3);
  EXPECT_EQ(columns[0].name, "Name");
  EXPECT_EQ(columns[0].format, "name");
  EXPECT_EQ(columns[1].priority, 1);

  const corev1::ConfigMap map{
      .metadata = {.name = "m", .creation_timestamp = Time(kNow - absl::Minutes(3))},
      .data = {{"a", "1"}}};
  const absl::StatusOr<metav1::TableRow> row = RowOf(printer, Any(map), kNow);
  ASSERT_TRUE(row.ok()) << row.status();
  EXPECT_THAT(row->cells, ElementsAre(RawJson(R"("m")"), RawJson("1"), RawJson(R"("3m")")));
  ASSERT_EQ(row->conditions.size(), 1);
  EXPECT_EQ(row->conditions[0].type, "Completed");
}

TEST(Printer, ARowThatFailsIsAnError) {
  const corev1::ConfigMap map{.metadata = {.name = "broken"}};
  EXPECT_THAT(RowOf(PrinterOf<PrintMap>(kColumns), Any(map), kNow),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(Row, TheZeroTimeHasNoAge) { EXPECT_EQ(AgeOf(Time(), kNow), "<unknown>"); }

TEST(Row, ThreeAreNamedAndTheOthersCounted) {
  EXPECT_EQ(FirstThree({"a", "b"}), "a,b");
  EXPECT_EQ(FirstThree({"a", "b", "c", "d", "e"}), "a,b,c + 2 more...");
}

}  // namespace
}  // namespace kube::printers::internal
