#ifndef TESTS_KITCHEN_SINK_YAML_CASES_H_
#define TESTS_KITCHEN_SINK_YAML_CASES_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace kube::oracle {

// A YAML text of no type, with the JSON that sigs.k8s.io/yaml makes of it.
struct YamlReadCase {
  // "Anchors: a merge": unique.
  absl::string_view name;
  absl::string_view yaml;
  // Names in order, byte for byte; empty where Go refuses `yaml`.
  absl::string_view json;
};

// Scalars (YAML 1.1 as Go reads it: yes, 010, 1:30), documents, structure, block texts, anchors.
absl::Span<const YamlReadCase> YamlReadCases();

// A JSON text, with the YAML that sigs.k8s.io/yaml makes of it.
struct YamlWriteCase {
  absl::string_view name;
  absl::string_view json;
  // Byte for byte; empty where Go refuses `json`.
  absl::string_view yaml;
};

// Texts that need quotes or blocks, numbers, order of names, indentation.
absl::Span<const YamlWriteCase> YamlWriteCases();

}  // namespace kube::oracle

#endif  // TESTS_KITCHEN_SINK_YAML_CASES_H_
