#ifndef APIMACHINERY_MANAGEDFIELDS_TESTING_SAMPLE_VERSIONS_H_
#define APIMACHINERY_MANAGEDFIELDS_TESTING_SAMPLE_VERSIONS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "apimachinery/managedfields/updater.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {

// A small Deployment in the versions apps/v1 and apps/v2, whose objects differ only in their
// apiVersion. For tests. It does not imitate versions with different fields. Thread-safe.
class SampleVersions final : public VersionConverter {
 public:
  SampleVersions();

  const Schema& schema() const { return *schema_.schema; }
  const Schema* SchemaOf(absl::string_view api_version) const override;
  absl::StatusOr<unstructured::Value> Convert(const unstructured::Value& object,
                                              absl::string_view api_version) const override;

 private:
  const BuiltSchema schema_;
};

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_TESTING_SAMPLE_VERSIONS_H_
