#include "apimachinery/jsonpath/printer_column.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/time.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::jsonpath {
namespace {

using unstructured::Value;

const absl::Time kNow = absl::FromUnixSeconds(1'767'323'045);  // 2026-01-02T03:04:05Z

TEST(PrinterColumnTest, Cells) {
  const Value object =
      unstructured::ParseJson(
          R"({"text": "x", "int": 3, "double": -1.5, "huge": 1e300, "true": true, "null": null,
              "list": [1, "a"], "born": "2026-01-02T03:00:00Z", "unborn": "", "bad": "soon"})")
          .value();
  struct Row {
    const char* type;
    const char* path;
    Value cell;
  };
  for (const Row& row : {
           Row{"string", ".text", "x"},
           Row{"string", ".int", "3"},
           Row{"string", ".double", "-1.5"},
           Row{"string", ".true", "true"},
           Row{"string", ".list", "[1,\"a\"]"},
           Row{"string", ".list[*]", "1"},
           Row{"string", ".null", "<no value>"},
           Row{"string", ".missing", nullptr},
           Row{"string", ".text[0]", nullptr},
           Row{"integer", ".int", 3},
           Row{"integer", ".double", -1},
           Row{"integer", ".huge", int64_t{9223372036854775807}},
           Row{"integer", ".text", nullptr},
           Row{"number", ".int", 3.0},
           Row{"number", ".double", -1.5},
           Row{"number", ".null", nullptr},
           Row{"boolean", ".true", true},
           Row{"boolean", ".int", nullptr},
           Row{"date", ".born", "4m5s"},
           Row{"date", ".unborn", "<unknown>"},
           Row{"date", ".bad", "<invalid>"},
           Row{"date", ".int", nullptr},
           Row{"colour", ".text", nullptr},
       }) {
    SCOPED_TRACE(testing::Message() << row.type << " " << row.path);
    EXPECT_EQ(PrinterColumn::Make(row.type, row.path)->Cell(object, kNow), row.cell);
  }
}

absl::StatusOr<Value> AgeCell(const Value& object, absl::Time now) {
  KUBE_ASSIGN_OR_RETURN(PrinterColumn age,
                        PrinterColumn::Make("date", ".metadata.creationTimestamp"));
  return age.Cell(object, now);  // "5m12s"
}

TEST(PrinterColumnTest, ADatePrintsTheAge_AsInTheHeader) {
  const Value object =
      *unstructured::ParseJson(R"({"metadata": {"creationTimestamp": "2026-01-02T02:58:53Z"}})");
  EXPECT_THAT(AgeCell(object, kNow), base::IsOkAndHolds(Value("5m12s")));
}

TEST(PrinterColumnTest, Typed) {
  api::meta::v1::ObjectMeta meta;
  meta.name = "web";
  meta.creation_timestamp = Time(kNow - absl::Hours(3));
  EXPECT_EQ(PrinterColumn::Make("string", ".name")->Cell(meta, kNow), Value("web"));
  EXPECT_EQ(PrinterColumn::Make("date", ".creationTimestamp")->Cell(meta, kNow), Value("3h"));
  EXPECT_EQ(PrinterColumn::Make("string", ".namespace")->Cell(meta, kNow), Value());
}

TEST(PrinterColumnTest, BadPath) {
  EXPECT_THAT(PrinterColumn::Make("string", ".a["),
              base::StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(PrinterColumn::Make("string", ".a")->path().text(), ".a");
}

}  // namespace
}  // namespace kube::jsonpath
