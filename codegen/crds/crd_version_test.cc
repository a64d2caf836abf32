#include "codegen/crds/crd_version.h"

#include <google/protobuf/text_format.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kube/options.pb.h"

namespace kube::codegen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using unstructured::Value;

constexpr char kSchema[] = R"({"type": "object", "properties": {
  "spec": {"type": "object", "properties": {
    "replicas": {"type": "integer"}, "color": {"type": "string"}, "on": {"type": "boolean"},
    "ratio": {"type": "number"}}},
  "status": {"type": "object", "properties": {
    "replicas": {"type": "integer"}, "selector": {"type": "string"}}}}})";

struct Written {
  std::string yaml;  // without the schema
  std::vector<std::string> problems;
};

Written Write(const std::string& options, const char* schema = kSchema) {
  KindOptions kind;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(options, &kind)) << options;
  Written written;
  absl::StatusOr<Value> parsed = unstructured::ParseJson(schema);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  Map<Value> version = WriteVersion("v1", kind, true, *parsed->object(), written.problems);
  EXPECT_EQ(version["schema"]["openAPIV3Schema"], *parsed);
  version.erase("schema");
  written.yaml = unstructured::EncodeYaml(version).value();
  return written;
}

TEST(WriteVersion, Parts) {
  const struct {
    const char* options;
    const char* yaml;
  } kRows[] = {
      {"", "name: v1\nserved: true\nstorage: true\n"},
      {"served: false", "name: v1\nserved: false\nstorage: true\n"},
      {"deprecated: '2'", "deprecated: true\nname: v1\nserved: true\nstorage: true\n"},
      {"deprecation_warning: 'use v2'",
       "deprecated: true\ndeprecationWarning: use v2\nname: v1\nserved: true\nstorage: true\n"},
      {"selectable_field: '.spec.color' selectable_field: '.spec.on'",
       "name: v1\nselectableFields:\n- jsonPath: .spec.color\n- jsonPath: .spec.on\nserved: true\n"
       "storage: true\n"},
      {"printer_column: {name: 'B' type: 'date' json_path: '.a'} "
       "printer_column: {name: 'A' type: 'integer' json_path: '.spec.replicas' format: 'int32' "
       "description: 'How many: all.' priority: 1}",
       "additionalPrinterColumns:\n- jsonPath: .a\n  name: B\n  type: date\n"
       "- description: 'How many: all.'\n  format: int32\n  jsonPath: .spec.replicas\n  name: A\n"
       "  priority: 1\n  type: integer\nname: v1\nserved: true\nstorage: true\n"},
      {"subresource: {name: 'status'}",
       "name: v1\nserved: true\nstorage: true\nsubresources:\n  status: {}\n"},
      {"subresource: {name: 'scale' spec_replicas_path: '.spec.replicas' "
       "status_replicas_path: '.status.replicas'}",
       "name: v1\nserved: true\nstorage: true\nsubresources:\n  scale:\n"
       "    specReplicasPath: .spec.replicas\n    statusReplicasPath: .status.replicas\n"},
      {"subresource: {name: 'scale' spec_replicas_path: '.spec.replicas' "
       "status_replicas_path: '.status.replicas' label_selector_path: '.status.selector'}",
       "name: v1\nserved: true\nstorage: true\nsubresources:\n  scale:\n"
       "    labelSelectorPath: .status.selector\n"
       "    specReplicasPath: .spec.replicas\n    statusReplicasPath: .status.replicas\n"},
  };
  for (const auto& row : kRows) {
    const Written written = Write(row.options);
    EXPECT_EQ(written.yaml, row.yaml) << row.options;
    EXPECT_THAT(written.problems, IsEmpty()) << row.options;
  }
}

TEST(WriteVersion, Problems) {
  const struct {
    const char* options;
    const char* want;
  } kRows[] = {
      {"selectable_field: '.spec.none'",
       "selectable_field \".spec.none\": must point to a field of type string, boolean or integer"},
      {"selectable_field: 'spec.color'",
       "selectable_field \"spec.color\": must point to a field of type string, boolean or integer"},
      {"selectable_field: '.spec.ratio'",
       "selectable_field \".spec.ratio\": must point to a field of type string, boolean or "
       "integer"},
      {"selectable_field: '.spec'",
       "selectable_field \".spec\": must point to a field of type string, boolean or integer"},
      {"printer_column: {type: 'string' json_path: '.a'}",
       "printer_column \"\": name must be specified"},
      {"printer_column: {name: 'A' type: 'int' json_path: '.a'}",
       "printer_column \"A\": type \"int\": must be \"string\", \"integer\", \"number\", "
       "\"boolean\" or \"date\""},
      {"printer_column: {name: 'A' type: 'string' json_path: '.a' format: 'age'}",
       "printer_column \"A\": unknown format \"age\""},
      {"printer_column: {name: 'A' type: 'string' json_path: 'a'}",
       "printer_column \"A\": json_path \"a\": must start with \".\", such as \".spec.replicas\""},
      {"subresource: {name: 'log'}",
       "subresource log: custom resources support only status and scale"},
      {"subresource: {name: 'scale' spec_replicas_path: '.spec.size' "
       "status_replicas_path: '.status.replicas'}",
       "subresource scale: spec_replicas_path \".spec.size\": must be a field of type integer "
       "under "
       ".spec."},
      {"subresource: {name: 'scale' spec_replicas_path: '.spec.replicas' "
       "status_replicas_path: '.spec.replicas'}",
       "subresource scale: status_replicas_path \".spec.replicas\": must be a field of type "
       "integer under "
       ".status."},
      {"subresource: {name: 'scale' spec_replicas_path: '.spec.replicas' "
       "status_replicas_path: '.status.replicas' label_selector_path: '.status.replicas'}",
       "subresource scale: label_selector_path \".status.replicas\": must be a field of type "
       "string under "
       ".status."},
      {"deprecation_warning: ''", "deprecation_warning: must be one line of at most 256 bytes"},
      {"deprecation_warning: 'a\\nb'",
       "deprecation_warning: must be one line of at most 256 bytes"},
  };
  for (const auto& row : kRows) {
    EXPECT_THAT(Write(row.options).problems, ElementsAre(row.want)) << row.options;
  }
  std::string nine;
  for (int i = 0; i < 9; ++i) nine += "selectable_field: '.spec.color' ";
  EXPECT_THAT(Write(nine).problems, ElementsAre("selectable_field: must have at most 8"));
  EXPECT_THAT(Write("subresource: {name: 'status'}", "{}").problems,
              ElementsAre("subresource status: requires a field status"));
}

}  // namespace
}  // namespace kube::codegen
