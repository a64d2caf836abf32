#include "apiserver/printers/table_printer.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kinds.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/types/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::printers {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

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

TEST(PlainTables, ShowNameAndDateOfAnyKind) {
  const codec::AnyObject pod = Any(corev1::Pod{
      .metadata = {.name = "web-0", .creation_timestamp = Time(absl::FromUnixSeconds(0))}});
  const List<metav1::TableColumnDefinition> columns = PlainTables().Columns(pod.kind());
  ASSERT_EQ(columns.size(), 2);
  EXPECT_EQ(columns[0].name, "Name");
  EXPECT_EQ(columns[1].name, "Created At");
  EXPECT_EQ(columns[1].type, "date");

  const absl::StatusOr<metav1::TableRow> row = PlainTables().Row(pod, kNow);
  ASSERT_TRUE(row.ok()) << row.status();
  EXPECT_THAT(row->cells, ElementsAre(RawJson(R"("web-0")"), RawJson(R"("1970-01-01T00:00:00Z")")));
  EXPECT_FALSE(PlainTables().Before(pod, pod));
}

}  // namespace
}  // namespace kube::printers
