#ifndef APIMACHINERY_MANAGEDFIELDS_VALIDATE_H_
#define APIMACHINERY_MANAGEDFIELDS_VALIDATE_H_

#include "absl/status/status.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {

struct ValidateOptions {
  // Lists of type map and set may have several items of one key or value, as stored objects may.
  bool allow_duplicates = false;
};

// Checks that `value` has the shape that `schema` declares: no undeclared fields, no other types,
// no list items without a key. The other operations of this package need a value that has passed
// it. Returns INVALID_ARGUMENT with upstream's text (".spec.foo: field not declared in schema"),
// several errors in upstream's form, in the order of the fields' names (upstream's is random); also
// if the value is nested more than 1,000 deep (structured-merge-diff: `TypedValue.Validate`).
absl::Status Validate(const unstructured::Value& value, const Schema& schema,
                      const ValidateOptions& options = {});

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_VALIDATE_H_
