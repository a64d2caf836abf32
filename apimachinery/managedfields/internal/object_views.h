#ifndef APIMACHINERY_MANAGEDFIELDS_INTERNAL_OBJECT_VIEWS_H_
#define APIMACHINERY_MANAGEDFIELDS_INTERNAL_OBJECT_VIEWS_H_

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/updater.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields::internal {

// Converts an object to another version, whose schema is `schema`. Returns the errors of the
// converter, and those of Validate if the result does not fit the schema. Duplicates in the result
// are errors too, because upstream allows them only in objects that were not converted.
absl::StatusOr<unstructured::Value> ConvertObject(const VersionConverter& converter,
                                                  const unstructured::Value& object,
                                                  absl::string_view api_version,
                                                  const Schema& schema);

// An object in one version. `schema` is null if there is no such version; then `object` is
// meaningless. `object` is null if it was not made: see ObjectViews.
struct ObjectView {
  const unstructured::Value* object = nullptr;
  const Schema* schema = nullptr;
};

// One object in all versions that are asked for. Each conversion is made once, and none for the
// version that the object has. Thread-compatible.
class ObjectViews {
 public:
  // Returns the object as a Value.
  using Source = std::function<absl::StatusOr<unstructured::Value>()>;

  // `object` is in `api_version`. All arguments must outlive this.
  ObjectViews(const VersionConverter* converter, const unstructured::Value* object,
              absl::string_view api_version);
  // Makes the object when it is to be converted, which is rare. In its own version it then stays
  // null.
  ObjectViews(const VersionConverter* converter, Source source, absl::string_view api_version);
  ObjectViews(const ObjectViews&) = delete;
  ObjectViews& operator=(const ObjectViews&) = delete;

  // The result is valid as long as this. Returns the errors of ConvertObject and of the source, and
  // INVALID_ARGUMENT if `api_version` is not a version at all, such as "a/b/c".
  absl::StatusOr<ObjectView> In(absl::string_view api_version);

 private:
  struct Converted {
    unstructured::Value object;
    const Schema* schema = nullptr;
  };

  // Returns the object in its own version.
  absl::StatusOr<const unstructured::Value*> Own();

  const VersionConverter* const converter_;
  const absl::string_view api_version_;
  const ObjectView own_;
  const Source source_;
  std::optional<unstructured::Value> made_;  // by the source
  std::map<std::string, Converted, std::less<>> converted_;
};

}  // namespace kube::managedfields::internal

#endif  // APIMACHINERY_MANAGEDFIELDS_INTERNAL_OBJECT_VIEWS_H_
