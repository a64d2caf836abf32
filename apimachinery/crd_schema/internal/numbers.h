#ifndef APIMACHINERY_CRD_SCHEMA_INTERNAL_NUMBERS_H_
#define APIMACHINERY_CRD_SCHEMA_INTERNAL_NUMBERS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/crd_schema/internal/result.h"
#include "apimachinery/unstructured/value.h"

// How kube-openapi treats numbers. Pure and thread-safe.
namespace kube::crd_schema::internal {

// Returns whether a JSON number counts as an integer: it is below 2^53, and its fraction is less
// than a billionth of it (kube-openapi: `swag.IsFloat64AJSONInteger`).
bool IsJsonInteger(double number);

// Returns Go's int64(number) on amd64, which is the smallest integer if it does not fit.
int64_t TruncateAsGo(double number);

// Checks bounds, multipleOf and the ranges of formats. `type` is "integer", "number", or "" for
// neither or both; `value` must be a number (kube-openapi: `numberValidator`).
Result CheckNumber(const Node& node, absl::string_view type, absl::string_view path,
                   const unstructured::Value& value);

}  // namespace kube::crd_schema::internal

#endif  // APIMACHINERY_CRD_SCHEMA_INTERNAL_NUMBERS_H_
