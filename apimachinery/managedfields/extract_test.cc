#include "apimachinery/managedfields/extract.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/field_manager.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using api::meta::v1::ManagedFieldsEntry;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;
using testing::StartsWith;
using unstructured::EncodeJson;
using unstructured::ParseJson;
using unstructured::Value;

constexpr absl::string_view kSchema = R"(
types:
- name: deployment
  map:
    fields:
    - {name: apiVersion, type: {scalar: string}}
    - {name: kind, type: {scalar: string}}
    - name: metadata
      type:
        map:
          fields:
          - {name: name, type: {scalar: string}}
          - {name: namespace, type: {scalar: string}}
          - {name: labels, type: {map: {elementType: {scalar: string}}}}
    - name: spec
      type:
        map:
          fields:
          - {name: replicas, type: {scalar: numeric}}
          - {name: paused, type: {scalar: boolean}}
          - {name: ports,
             type: {list: {elementType: {namedType: port}, elementRelationship: associative,
                           keys: [port, protocol]}}}
    - name: status
      type: {map: {fields: [{name: replicas, type: {scalar: numeric}}]}}
- name: port
  map:
    fields:
    - {name: port, type: {scalar: numeric}}
    - {name: protocol, type: {scalar: string}, default: TCP}
    - {name: name, type: {scalar: string}}
)";

constexpr absl::string_view kDeployment =
    R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"labels":{"a":"1","b":"2"},)"
    R"("name":"web","namespace":"prod"},"spec":{"paused":true,"ports":[{"name":"http","port":80,)"
    R"("protocol":"TCP"}],"replicas":3},"status":{"replicas":2}})";

ManagedFieldsEntry Entry(absl::string_view manager, absl::string_view fields) {
  return {.manager = manager,
          .operation = "Apply",
          .api_version = "apps/v1",
          .fields_type = "FieldsV1",
          .fields_v1 = FieldsV1(fields)};
}

TrackedObject Object(absl::string_view json, List<ManagedFieldsEntry> entries = {}) {
  return {.object = *ParseJson(json), .managed_fields = std::move(entries)};
}

class ExtractTest : public testing::Test {
 protected:
  absl::StatusOr<std::string> Extracted(const TrackedObject& object,
                                        absl::string_view subresource = "") {
    const absl::StatusOr<Value> owned = ExtractOwned(object, *built_.schema, "ctl", subresource);
    if (!owned.ok()) return owned.status();
    return EncodeJson(*owned);
  }

  const BuiltSchema built_ = *ParseSchema(kSchema, "deployment");
};

TEST_F(ExtractTest, ExtractOwned_AppliedFields_AreReturnedWithTheIdentity) {
  struct Case {
    absl::string_view name;
    absl::string_view fields;
    absl::string_view owned;
  };
  for (const Case& c : {
           Case{"scalar", R"({"f:spec":{"f:replicas":{}}})",
                R"({"apiVersion":"apps/v1","kind":"Deployment",)"
                R"("metadata":{"name":"web","namespace":"prod"},"spec":{"replicas":3}})"},
           {"in the metadata", R"({"f:metadata":{"f:labels":{"f:b":{}}}})",
            R"({"apiVersion":"apps/v1","kind":"Deployment",)"
            R"("metadata":{"labels":{"b":"2"},"name":"web","namespace":"prod"}})"},
           {"metadata that becomes null", R"({"f:metadata":{},"f:spec":{"f:paused":{}}})",
            R"({"apiVersion":"apps/v1","kind":"Deployment",)"
            R"("metadata":{"name":"web","namespace":"prod"},"spec":{"paused":true}})"},
           {"parents that are members too",
            R"({"f:spec":{".":{},"f:ports":{".":{},)"
            R"("k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:name":{},"f:port":{}}}}})",
            R"({"apiVersion":"apps/v1","kind":"Deployment",)"
            R"("metadata":{"name":"web","namespace":"prod"},)"
            R"("spec":{"ports":[{"name":"http","port":80}]}})"},
           {"a field that is gone", R"({"f:spec":{"f:replicas":{}},"f:status":{"f:other":{}}})",
            R"({"apiVersion":"apps/v1","kind":"Deployment",)"
            R"("metadata":{"name":"web","namespace":"prod"},"spec":{"replicas":3},)"
            R"("status":null})"},
       }) {
    EXPECT_THAT(Extracted(Object(kDeployment, {Entry("ctl", c.fields)})),
                IsOkAndHolds(std::string(c.owned)))
        << c.name;
  }
}

TEST_F(ExtractTest, ExtractOwned_EntriesOfOthers_DoNotCount) {
  constexpr absl::string_view kIdentity = R"({"apiVersion":"apps/v1","kind":"Deployment",)"
                                          R"("metadata":{"name":"web","namespace":"prod"}})";
  ManagedFieldsEntry update = Entry("ctl", R"({"f:spec":{"f:replicas":{}}})");
  update.operation = "Update";
  ManagedFieldsEntry status = Entry("ctl", R"({"f:status":{"f:replicas":{}}})");
  status.subresource = "status";
  const TrackedObject object =
      Object(kDeployment, {Entry("other", R"({"f:spec":{"f:paused":{}}})"), update, status});
  EXPECT_THAT(Extracted(object), IsOkAndHolds(std::string(kIdentity)));
  EXPECT_THAT(Extracted(object, "status"),
              IsOkAndHolds(std::string(R"({"apiVersion":"apps/v1","kind":"Deployment",)"
                                       R"("metadata":{"name":"web","namespace":"prod"},)"
                                       R"("status":{"replicas":2}})")));
}

TEST_F(ExtractTest, ExtractOwned_ObjectWithoutNamespaceAndVersion_HasWhatThereIs) {
  EXPECT_THAT(Extracted(Object(R"({"metadata":{"name":"a","namespace":""}})")),
              IsOkAndHolds(std::string(R"({"metadata":{"name":"a"}})")));
  EXPECT_THAT(Extracted(Object(R"({"spec":{"replicas":1}})",
                               {Entry("ctl", R"({"f:spec":{"f:replicas":{}}})")})),
              IsOkAndHolds(std::string(R"({"spec":{"replicas":1}})")));
}

TEST_F(ExtractTest, ExtractOwned_WhatCannotBeExtracted_IsInvalidArgument) {
  ManagedFieldsEntry beta = Entry("ctl", R"({"f:spec":{"f:replicas":{}}})");
  beta.api_version = "apps/v1beta1";
  struct Case {
    TrackedObject object;
    testing::Matcher<std::string> message;
  };
  for (const Case& c : {
           Case{Object(R"({"unknown":1})"),
                "error converting obj to typed: .unknown: field not declared in schema"},
           {Object(R"({"spec":{"ports":[{"port":1},{"port":1}]}})"),
            HasSubstr("duplicate entries for key")},
           {Object(kDeployment, {Entry("ctl", "[]")}),
            StartsWith("error marshalling FieldsV1 to JSON: ")},
           {Object(kDeployment, {Entry("ctl", R"({"f:other":{}})")}),
            "unable to convert managed fields for ctl to unstructured, expected map, got <nil>"},
           {Object(kDeployment, {beta}),
            R"(extract fields of "ctl": they are in terms of "apps/v1beta1", but the object is of )"
            R"("apps/v1")"},
       }) {
    EXPECT_THAT(Extracted(c.object), StatusIs(absl::StatusCode::kInvalidArgument, c.message));
  }
}

}  // namespace
}  // namespace kube::managedfields
