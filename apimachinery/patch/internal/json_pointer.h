#ifndef APIMACHINERY_PATCH_INTERNAL_JSON_POINTER_H_
#define APIMACHINERY_PATCH_INTERNAL_JSON_POINTER_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/patch/internal/edited_value.h"

// Follows the pointers of JSON patches as gopkg.in/evanphx/json-patch.v4 does.
namespace kube::patch::internal {

// The place of a member or an element, which need not exist: the object or list, and the key.
struct JsonPlace {
  EditedValue* holder;  // an object or a list
  std::string key;
};

// Returns the place that `pointer` leads to. Returns NOT_FOUND if a value on the way does not exist
// or is neither an object nor a list, or if `pointer` has no "/"; text before the first "/" is
// ignored. (jsonpatch's `findObject`)
absl::StatusOr<JsonPlace> FindPlace(EditedValue& root, absl::string_view pointer);

// Parses the index of an element; -1 is the last element. Returns INVALID_ARGUMENT if `key` is not
// a number, and OUT_OF_RANGE if the list has no such element.
absl::StatusOr<size_t> ParseIndex(absl::string_view key, size_t size);

// Get returns the value at the place, or null for a member that does not exist. For lists, Get, Add
// and Set return the errors of ParseIndex.
absl::StatusOr<EditedValue*> Get(const JsonPlace& place);
absl::Status Add(const JsonPlace& place, EditedValue value);
absl::Status Set(const JsonPlace& place, EditedValue value);
// Returns NOT_FOUND for a member that does not exist, and the errors of ParseIndex for lists.
absl::Status Remove(const JsonPlace& place);

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_JSON_POINTER_H_
