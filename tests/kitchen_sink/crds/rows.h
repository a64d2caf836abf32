#ifndef TESTS_KITCHEN_SINK_CRDS_ROWS_H_
#define TESTS_KITCHEN_SINK_CRDS_ROWS_H_

#include "absl/types/span.h"

// What the rules of basin.proto mean for objects: tables for any server that has its CRD. Texts are
// JSON of a Basin's spec.rules.
namespace kube::kitchen {

// An object that is created, or is not.
struct ValueRow {
  const char* name;
  const char* rules;
  // A part of the server's message; empty: there is nothing wrong.
  const char* problem;
};
absl::Span<const ValueRow> ValueRows();

// An object that is created, and what the server makes of it: these members, "<absent>" being none.
struct ResultRow {
  const char* name;
  const char* rules;
  const char* stored;
};
absl::Span<const ResultRow> ResultRows();

// An object that is created, and then changed. Of rules in CEL.
struct CelRow {
  const char* name;
  const char* before;
  // Empty: it is not changed, and `problem` is of the first.
  const char* after;
  const char* problem;
};
absl::Span<const CelRow> CelRows();

}  // namespace kube::kitchen

#endif  // TESTS_KITCHEN_SINK_CRDS_ROWS_H_
