// Tables against those of Kubernetes' own printers.
//
// testdata/rows.jsonl is what k8s.io/kubernetes, of the version in tools/versions.bzl, made of
// random objects of every kind that kube-apiserver serves by default: recorder/run wrote it, and
// says how. It is not a program that the tests run, as others are: it takes minutes to compile, and
// sixty modules. Of each kind the first line is the empty object, with the columns.
// KUBE_PRINTER_ROWS names a file of more rows, in the same form.
#include "apiserver/printers/printers.h"

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/all_kinds.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::printers {
namespace {

namespace metav1 = api::meta::v1;

using ::kube::base::IsOk;
using ::kube::base::StatusIs;
using ::testing::ElementsAre;
using unstructured::Value;

constexpr absl::Time kNow = absl::FromUnixSeconds(1'800'000'000);
constexpr char kRows[] = "apiserver/printers/testdata/rows.jsonl";

std::string TextOf(const Value& line, absl::string_view name) {
  const Value* member = line.Find(name);
  return member == nullptr ? std::string() : std::string(member->text().value_or(""));
}

List<Value> ListOf(const Value& line, absl::string_view name) {
  const Value* member = line.Find(name);
  return member == nullptr || !member->is_list() ? List<Value>() : *member->list();
}

codec::AnyObject Decode(const KindInfo& kind, absl::string_view json) {
  absl::StatusOr<codec::AnyObject> object = codec::AnyObject::DecodeJson(kind, json);
  EXPECT_THAT(object, IsOk());
  return object.ok() ? *std::move(object) : codec::AnyObject(kind);
}

List<Value> Cells(const metav1::TableRow& row) {
  List<Value> cells;
  for (const RawJson& cell : row.cells) {
    absl::StatusOr<Value> value = unstructured::ParseJson(cell.view());
    EXPECT_THAT(value, IsOk());
    cells.push_back(value.ok() ? *std::move(value) : Value());
  }
  return cells;
}

List<Value> Conditions(const metav1::TableRow& row) {
  List<Value> conditions;
  for (const metav1::TableRowCondition& each : row.conditions) {
    conditions.push_back(
        absl::StrCat(each.type.view(), "/", each.status.view(), "/", each.reason.view()));
  }
  return conditions;
}

List<Value> Columns(const KindInfo& kind) {
  List<Value> columns;
  for (const metav1::TableColumnDefinition& each : KubectlTables().Columns(kind)) {
    EXPECT_FALSE(each.description.empty()) << kind.kind << ": " << each.name;
    columns.push_back(Map<Value>{{"Name", each.name},
                                 {"Type", each.type},
                                 {"Format", each.format},
                                 {"Priority", each.priority}});
  }
  return columns;
}

// Our row is that of the line; so are the columns, where it has any.
void Check(const KindInfo& kind, const Value& line) {
  if (line.Find("columns") != nullptr) {
    EXPECT_EQ(Columns(kind), ListOf(line, "columns"));
  }
  absl::StatusOr<std::string> json = unstructured::EncodeJson(*line.Find("object"));
  ASSERT_THAT(json, IsOk());
  const codec::AnyObject object = Decode(kind, *json);
  absl::Time now;
  std::string error;
  ASSERT_TRUE(absl::ParseTime(absl::RFC3339_full, TextOf(line, "now"), &now, &error)) << error;
  const absl::StatusOr<metav1::TableRow> row = KubectlTables().Row(object, now);
  if (const std::string wanted = TextOf(line, "error"); !wanted.empty()) {
    EXPECT_THAT(row, StatusIs(absl::StatusCode::kInvalidArgument)) << wanted << ": " << *json;
    return;
  }
  ASSERT_THAT(row, IsOk()) << *json;
  EXPECT_EQ(Cells(*row), ListOf(line, "cells")) << TextOf(line, "now") << " " << *json;
  EXPECT_EQ(Conditions(*row), ListOf(line, "conditions")) << *json;
  EXPECT_TRUE(row->object.is_null());
}

TEST(PrintersTest, RowsAreThoseOfKubernetes) {
  const char* path = std::getenv("KUBE_PRINTER_ROWS");
  std::ifstream file(path == nullptr ? kRows : path);
  ASSERT_TRUE(file.is_open());
  std::map<std::string, int> rows;
  for (std::string text; std::getline(file, text);) {
    absl::StatusOr<Value> line = unstructured::ParseJson(text);
    ASSERT_THAT(line, IsOk());
    const std::string name = TextOf(*line, "apiVersion") + " " + TextOf(*line, "kind");
    SCOPED_TRACE(absl::StrCat(name, ", row ", rows[name]++));
    const KindInfo* kind = api::FindKind(TextOf(*line, "apiVersion"), TextOf(*line, "kind"));
    ASSERT_NE(kind, nullptr);
    Check(*kind, *line);
    if (HasFatalFailure() || (HasFailure() && rows[name] > 20)) return;
  }
  EXPECT_EQ(rows.size(), 62);
}

const KindInfo& KindOf(absl::string_view api_version, absl::string_view kind) {
  return *api::FindKind(api_version, kind);
}

TEST(PrintersTest, KindsThatAreNotServedHaveTheDefault) {
  const KindInfo& kind = KindOf("certificates.k8s.io/v1beta1", "ClusterTrustBundle");
  const absl::StatusOr<metav1::TableRow> row = KubectlTables().Row(
      Decode(kind, R"({"metadata":{"name":"a","creationTimestamp":"2026-01-02T03:04:05Z"}})"),
      kNow);
  ASSERT_THAT(row, IsOk());
  EXPECT_THAT(row->cells, ElementsAre(RawJson("\"a\""), RawJson("\"2026-01-02T03:04:05Z\"")));
  ASSERT_EQ(KubectlTables().Columns(kind).size(), 2);
  EXPECT_EQ(KubectlTables().Columns(kind)[1].name, "Created At");
  EXPECT_EQ(KubectlTables().Columns(kind)[1].type, "date");
}

TEST(PrintersTest, KindsWithoutMetadataHaveEmptyCells) {
  const absl::StatusOr<metav1::TableRow> row =
      KubectlTables().Row(codec::AnyObject(KindOf("v1", "Status")), kNow);
  ASSERT_THAT(row, IsOk());
  EXPECT_THAT(row->cells, ElementsAre(RawJson("\"\""), RawJson("\"\"")));
}

// What Go's printer panics at.
TEST(PrintersTest, MetricsWithoutTheirMember) {
  const KindInfo& kind = KindOf("autoscaling/v2", "HorizontalPodAutoscaler");
  for (absl::string_view type : {"External", "Pods", "Object", "Resource", "ContainerResource"}) {
    const absl::StatusOr<metav1::TableRow> row = KubectlTables().Row(
        Decode(kind, absl::StrCat(R"({"spec":{"metrics":[{"type":")", type, R"("}]}})")), kNow);
    ASSERT_THAT(row, IsOk());
    EXPECT_EQ(row->cells[2], RawJson("\"<unknown type>\"")) << type;
  }
}

// A cell for each column, but of IPAddresses, whatever the kind.
TEST(PrintersTest, CellsFitColumns) {
  for (const KindInfo* kind : api::AllKinds()) {
    const absl::StatusOr<metav1::TableRow> row = KubectlTables().Row(codec::AnyObject(*kind), kNow);
    ASSERT_THAT(row, IsOk());
    const size_t more =
        kind->group == "networking.k8s.io" && kind->version == "v1" && kind->kind == "IPAddress";
    EXPECT_EQ(row->cells.size(), KubectlTables().Columns(*kind).size() + more)
        << kind->group << " " << kind->kind;
  }
}

codec::AnyObject FlowSchema(absl::string_view name, int precedence) {
  return Decode(KindOf("flowcontrol.apiserver.k8s.io/v1", "FlowSchema"),
                absl::StrCat(R"({"metadata":{"name":")", name,
                             R"("},"spec":{"matchingPrecedence":)", precedence, "}}"));
}

TEST(PrintersTest, FlowSchemasStandInTheOrderOfTheirTrial) {
  EXPECT_TRUE(KubectlTables().Before(FlowSchema("b", 1), FlowSchema("a", 2)));
  EXPECT_FALSE(KubectlTables().Before(FlowSchema("a", 2), FlowSchema("b", 1)));
  EXPECT_TRUE(KubectlTables().Before(FlowSchema("a", 2), FlowSchema("b", 2)));
  EXPECT_FALSE(KubectlTables().Before(FlowSchema("a", 2), FlowSchema("a", 2)));
}

TEST(PrintersTest, OtherListsKeepTheirOrder) {
  const KindInfo& pods = KindOf("v1", "Pod");
  const codec::AnyObject a = Decode(pods, R"({"metadata":{"name":"a"}})");
  const codec::AnyObject b = Decode(pods, R"({"metadata":{"name":"b"}})");
  EXPECT_FALSE(KubectlTables().Before(a, b));
  EXPECT_FALSE(KubectlTables().Before(b, a));
}

}  // namespace
}  // namespace kube::printers
