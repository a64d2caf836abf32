#ifndef APIMACHINERY_CRD_SCHEMA_CHECK_OBJECT_H_
#define APIMACHINERY_CRD_SCHEMA_CHECK_OBJECT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/validation/field_error.h"

namespace kube::crd_schema {

// What an API server would say of an object.
struct CheckedObject {
  // The object as it would be stored: without unknown fields, with defaults.
  unstructured::Unstructured object = {};
  // A text such as `unknown field "spec.foo"` for each field that would be dropped; an error of a
  // request with fieldValidation=Strict, a warning otherwise.
  std::vector<std::string> unknown_fields = {};
  // Why the object would be refused with 422; empty if it is valid.
  validation::field::ErrorList errors = {};
  // The errors of x-kubernetes-validations that CheckUpdate forgives, because the update leaves
  // these parts of the object as they are. A server sends them in Warning headers.
  std::vector<std::string> warnings = {};
};

// Checks a custom resource against its definition without a server, as a server does when the
// object is created: in tests of manifests, in tools, before an apply. The version is that of the
// object's apiVersion.
//
//   KUBE_ASSIGN_OR_RETURN(const CheckedObject checked, CheckObject(definition, object));
//   KUBE_RETURN_IF_ERROR(validation::field::ToAggregate(checked.errors));
//
// x-kubernetes-validations, which are CEL rules, are evaluated; the metadata is checked only for
// its form. Make a CustomResource once instead if many objects are to be checked: the definition,
// its schema and its rules are then compiled once.
//
// Returns INVALID_ARGUMENT, where a server answers with 400, if apiVersion is of another group, or
// if apiVersion, kind or metadata have a wrong type, or with the errors of the definition if it is
// not valid; NOT_FOUND if the definition does not have the version. Pure and thread-safe.
absl::StatusOr<CheckedObject> CheckObject(
    const api::apiextensions::v1::CustomResourceDefinition& definition,
    const unstructured::Unstructured& object);

// Checks an update of `old_object`, which must be of the same version: rules can compare the two
// (oldSelf), and errors in parts that stay as they are do not count. If the version has a status
// subresource, the status of the old object is kept, as by a server. Members of the metadata that a
// server sets, such as resourceVersion and uid, may be missing. Returns the same errors as
// CheckObject.
//
//   KUBE_ASSIGN_OR_RETURN(const CheckedObject checked, CheckUpdate(definition, object, stored));
absl::StatusOr<CheckedObject> CheckUpdate(
    const api::apiextensions::v1::CustomResourceDefinition& definition,
    const unstructured::Unstructured& object, const unstructured::Unstructured& old_object);

}  // namespace kube::crd_schema

#endif  // APIMACHINERY_CRD_SCHEMA_CHECK_OBJECT_H_
