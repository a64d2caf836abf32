#ifndef APISERVER_CRD_SCHEMA_INTERNAL_NUMBERS_H_
#define APISERVER_CRD_SCHEMA_INTERNAL_NUMBERS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/crd_schema/internal/node.h"
#include "apiserver/crd_schema/internal/result.h"

// What kube-openapi thinks of numbers. Pure functions: thread-safe.
namespace kube::crd_schema::internal {

// Whether a JSON number is an integer: within 2^53, and a fraction of less than a billionth of it
// does not count. (swag.IsFloat64AJSONInteger)
bool IsJsonInteger(double number);

// Go's int64(number) on amd64: the smallest integer where it does not fit.
int64_t TruncateAsGo(double number);

// Bounds, multipleOf and ranges of formats. `type` is "integer", "number" or "" (neither, or both);
// `value` is a number. (numberValidator)
Result CheckNumber(const Node& node, absl::string_view type, absl::string_view path,
                   const unstructured::Value& value);

}  // namespace kube::crd_schema::internal

#endif  // APISERVER_CRD_SCHEMA_INTERNAL_NUMBERS_H_
