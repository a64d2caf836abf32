#ifndef APIMACHINERY_PATCH_INTERNAL_JSON_POINTER_H_
#define APIMACHINERY_PATCH_INTERNAL_JSON_POINTER_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/patch/internal/edited_value.h"

// Where the pointers of JSON patches lead, as gopkg.in/evanphx/json-patch.v4 has it.
namespace kube::patch::internal {

// A member or an element, which need not be there: what holds it, and its key.
struct JsonPlace {
  EditedValue* holder;  // an object or a list
  std::string key;
};

// NOT_FOUND where no object or list is on the way. (findObject: what is before the first "/" does
// not count, but there must be one)
absl::StatusOr<JsonPlace> FindPlace(EditedValue& root, absl::string_view pointer);

// An element of a list; of negative indices, -1 is the last. INVALID_ARGUMENT: it is no number;
// OUT_OF_RANGE.
absl::StatusOr<size_t> ParseIndex(absl::string_view key, size_t size);

// What is there. Null: a member that is not. Errors are of lists.
absl::StatusOr<EditedValue*> Get(const JsonPlace& place);
absl::Status Add(const JsonPlace& place, EditedValue value);
absl::Status Set(const JsonPlace& place, EditedValue value);
// NOT_FOUND also of members.
absl::Status Remove(const JsonPlace& place);

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_JSON_POINTER_H_
