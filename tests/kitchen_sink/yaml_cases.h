#ifndef TESTS_KITCHEN_SINK_YAML_CASES_H_
#define TESTS_KITCHEN_SINK_YAML_CASES_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace kube::oracle {

// A YAML text without a type, and the JSON that sigs.k8s.io/yaml makes of it.
struct YamlReadCase {
  // A unique name, such as "Anchors: a merge".
  absl::string_view name;
  absl::string_view yaml;
  // The expected bytes, with members sorted by name. Empty if Go rejects `yaml`.
  absl::string_view json;
};

// Returns cases about scalars (YAML 1.1 as Go reads it: yes, 010, 1:30), documents, structure,
// block texts and anchors.
absl::Span<const YamlReadCase> YamlReadCases();

// A JSON text, and the YAML that sigs.k8s.io/yaml makes of it.
struct YamlWriteCase {
  absl::string_view name;
  absl::string_view json;
  // The expected bytes. Empty if Go rejects `json`.
  absl::string_view yaml;
};

// Returns cases about texts that need quotes or blocks, numbers, the order of names and
// indentation.
absl::Span<const YamlWriteCase> YamlWriteCases();

}  // namespace kube::oracle

#endif  // TESTS_KITCHEN_SINK_YAML_CASES_H_
