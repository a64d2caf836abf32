#ifndef APIMACHINERY_PATCH_INTERNAL_PATCH_SCHEMA_H_
#define APIMACHINERY_PATCH_INTERNAL_PATCH_SCHEMA_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/table/message.h"

namespace kube::patch::internal {

struct MemberSchema;

// What strategic merge patches know about a value: a stand-in for the Go type that apimachinery
// examines by reflection. It refers to field tables, which are constants, and is cheap to copy.
// (client-go: `strategicpatch.PatchMetaFromStruct`)
class PatchSchema {
 public:
  // Describes a struct.
  explicit PatchSchema(const kube::table::Message& message)
      : form_(Form::kStruct), kind_(kube::table::Kind::kMessage), message_(&message) {}

  // Returns the schema of a member and how it is merged, by its name in JSON. As in encoding/json,
  // a name that differs only in case is found if there is no exact match. Returns INVALID_ARGUMENT
  // if there is no such member, or this is not a struct. (client-go:
  // `LookupPatchMetadataForStruct`)
  absl::StatusOr<MemberSchema> FindMember(absl::string_view name) const;

  // Does the same for a list, and returns the schema of its elements. Returns INVALID_ARGUMENT if
  // the member is not a list, or is a list of lists. (client-go: `LookupPatchMetadataForSlice`)
  absl::StatusOr<MemberSchema> FindList(absl::string_view name) const;

  // Returns the name that reflect.Kind has for the type: "struct", "slice", "map", "ptr", "string"
  // and so on.
  absl::string_view kind_name() const;

 private:
  enum class Form : uint8_t {
    kLeaf,     // a bool, a number or a string
    kByte,     // an element of Bytes
    kStruct,   // a message, or a value that is a struct in Go: IntOrString, Time and so on
    kPointer,  // to a leaf or a struct
    kSlice,
    kSliceOfSlices,
    kMap,
  };

  PatchSchema(Form form, kube::table::Kind kind, const kube::table::Message* message)
      : form_(form), kind_(kind), message_(message) {}
  static PatchSchema OfField(const kube::table::Message& message, const kube::table::Field& field);
  // Returns the schema of a list's elements, or of a pointer's target.
  PatchSchema Inner() const;
  // Returns the schema of a value that no list, map or pointer contains.
  static PatchSchema OfValue(kube::table::Kind kind, const kube::table::Message* message);
  absl::string_view type_name() const;
  absl::StatusOr<MemberSchema> FindMemberOfLeaf(absl::string_view name) const;

  Form form_;
  kube::table::Kind kind_;  // of the value, or of the elements of the list, map or pointer
  const kube::table::Message* message_;
};

// A member and how it is merged.
struct MemberSchema {
  PatchSchema schema;
  // patchStrategy "merge" or "replace". Without either, objects are merged and lists replaced.
  bool merge = false;
  bool replace = false;
  bool retain_keys = false;
  absl::string_view merge_key = {};
};

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_PATCH_SCHEMA_H_
