#include "apimachinery/managedfields/internal/object_views.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/updater.h"
#include "apimachinery/managedfields/validate.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields::internal {

using unstructured::Value;

absl::StatusOr<Value> ConvertObject(const VersionConverter& converter, const Value& object,
                                    absl::string_view api_version, const Schema& schema) {
  KUBE_ASSIGN_OR_RETURN(Value converted, converter.Convert(object, api_version));
  KUBE_RETURN_IF_ERROR(Validate(converted, schema));
  return converted;
}

ObjectViews::ObjectViews(const VersionConverter* converter, const Value* object,
                         absl::string_view api_version)
    : converter_(converter),
      api_version_(api_version),
      own_{.object = object, .schema = converter->SchemaOf(api_version)} {}

ObjectViews::ObjectViews(const VersionConverter* converter, Source source,
                         absl::string_view api_version)
    : converter_(converter),
      api_version_(api_version),
      own_{.object = nullptr, .schema = converter->SchemaOf(api_version)},
      source_(std::move(source)) {}

absl::StatusOr<const Value*> ObjectViews::Own() {
  if (own_.object != nullptr) return own_.object;
  if (!made_.has_value()) {
    KUBE_ASSIGN_OR_RETURN(made_, source_());
  }
  return &*made_;
}

absl::StatusOr<ObjectView> ObjectViews::In(absl::string_view api_version) {
  if (api_version == api_version_) return own_;
  auto found = converted_.find(api_version);
  if (found == converted_.end()) {
    Converted converted;
    converted.schema = converter_->SchemaOf(api_version);
    if (converted.schema == nullptr) {
      // A version that upstream cannot parse is an error there; one that it does not know is not.
      KUBE_RETURN_IF_ERROR(schema::ParseGroupVersion(api_version));
    } else {
      KUBE_ASSIGN_OR_RETURN(const Value* own, Own());
      KUBE_ASSIGN_OR_RETURN(converted.object,
                            ConvertObject(*converter_, *own, api_version, *converted.schema));
    }
    found = converted_.emplace(std::string(api_version), std::move(converted)).first;
  }
  return ObjectView{.object = &found->second.object, .schema = found->second.schema};
}

}  // namespace kube::managedfields::internal
