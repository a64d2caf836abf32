#ifndef CLIENTSET_KUBERNETES_TESTING_APPLY_TABLES_H_
#define CLIENTSET_KUBERNETES_TESTING_APPLY_TABLES_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/table/message.h"

namespace kube::kubernetes {

// The apply configuration of a kind, known at run time.
struct ApplyTable {
  absl::string_view api_version = {};  // "apps/v1"
  absl::string_view kind = {};
  const kube::table::Message* message = nullptr;
};

// Returns those of all resources of Clientset, and of Scale. apply_tables.bzl generates the source.
absl::Span<const ApplyTable> ApplyTables();

}  // namespace kube::kubernetes

#endif  // CLIENTSET_KUBERNETES_TESTING_APPLY_TABLES_H_
