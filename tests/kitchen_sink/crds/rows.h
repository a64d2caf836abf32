#ifndef TESTS_KITCHEN_SINK_CRDS_ROWS_H_
#define TESTS_KITCHEN_SINK_CRDS_ROWS_H_

#include "absl/types/span.h"

// What the rules in basin.proto mean for objects, as tables for any server that has its CRD. Texts
// are the JSON of a Basin's spec.rules.
namespace kube::kitchen {

// An object that is created or rejected.
struct ValueRow {
  const char* name;
  const char* rules;
  // A part of the server's error. Empty if the object is valid.
  const char* problem;
};
absl::Span<const ValueRow> ValueRows();

// An object that is created, and the members that the server stores. "<absent>" stands for a
// missing member.
struct ResultRow {
  const char* name;
  const char* rules;
  const char* stored;
};
absl::Span<const ResultRow> ResultRows();

// An object that is created and then updated, for rules in CEL.
struct CelRow {
  const char* name;
  const char* before;
  // Empty if there is no update; `problem` is then about the creation.
  const char* after;
  const char* problem;
};
absl::Span<const CelRow> CelRows();

}  // namespace kube::kitchen

#endif  // TESTS_KITCHEN_SINK_CRDS_ROWS_H_
