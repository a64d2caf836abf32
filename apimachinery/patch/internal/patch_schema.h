#ifndef APIMACHINERY_PATCH_INTERNAL_PATCH_SCHEMA_H_
#define APIMACHINERY_PATCH_INTERNAL_PATCH_SCHEMA_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/table/message.h"

namespace kube::patch::internal {

struct MemberSchema;

// What strategic merge patches know of a value: the Go type that apimachinery's reflection would
// see. A few words to copy; refers to field tables, which are constant.
// (strategicpatch.PatchMetaFromStruct)
class PatchSchema {
 public:
  // Of a struct.
  explicit PatchSchema(const kube::table::Message& message)
      : form_(Form::kStruct), kind_(kube::table::Kind::kMessage), message_(&message) {}

  // Of a member and how it merges, by its name in JSON; as encoding/json, upper and lower case are
  // the same where no other name matches. INVALID_ARGUMENT where there is none, or this is no
  // struct. (LookupPatchMetadataForStruct)
  absl::StatusOr<MemberSchema> FindMember(absl::string_view name) const;

  // The same of a list, whose schema is that of its elements. INVALID_ARGUMENT where it is none, or
  // a list of lists. (LookupPatchMetadataForSlice)
  absl::StatusOr<MemberSchema> FindList(absl::string_view name) const;

  // reflect.Kind's name: "struct", "slice", "map", "ptr", "string" ...
  absl::string_view kind_name() const;

 private:
  enum class Form : uint8_t {
    kLeaf,     // a bool, a number or a string
    kByte,     // of Bytes
    kStruct,   // of a message, or a struct that Go makes a value's JSON of: IntOrString, Time ...
    kPointer,  // to a leaf or a struct
    kSlice,
    kSliceOfSlices,
    kMap,
  };

  PatchSchema(Form form, kube::table::Kind kind, const kube::table::Message* message)
      : form_(form), kind_(kind), message_(message) {}
  static PatchSchema OfField(const kube::table::Message& message, const kube::table::Field& field);
  // Of what a list has, or a pointer points to.
  PatchSchema Inner() const;
  // Struct, leaf ...: of a value that no list, map or pointer holds.
  static PatchSchema OfValue(kube::table::Kind kind, const kube::table::Message* message);
  absl::string_view type_name() const;
  absl::StatusOr<MemberSchema> FindMemberOfLeaf(absl::string_view name) const;

  Form form_;
  kube::table::Kind kind_;  // of the value, or of what the list, map or pointer has
  const kube::table::Message* message_;
};

struct MemberSchema {
  PatchSchema schema;
  // patchStrategy "merge" or "replace"; neither is the default, which merges objects and replaces
  // lists.
  bool merge = false;
  bool replace = false;
  bool retain_keys = false;
  absl::string_view merge_key = {};
};

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_PATCH_SCHEMA_H_
