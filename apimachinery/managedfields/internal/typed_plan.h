#ifndef APIMACHINERY_MANAGEDFIELDS_INTERNAL_TYPED_PLAN_H_
#define APIMACHINERY_MANAGEDFIELDS_INTERNAL_TYPED_PLAN_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/table/message.h"

// What a walk through API structs must know of them: the field table and the merge schema of a
// struct in one, in the order of field sets.
namespace kube::managedfields::internal {

struct TypedPlan;

// A member of a struct that its JSON can have.
struct TypedMember {
  absl::string_view name;
  const kube::table::Message* owner = nullptr;  // the struct that has the member
  const kube::table::Field* field = nullptr;
  // The shape of the member and the type of its value or elements. A List<String> by value
  // (Kind::kStringList) is a list of strings.
  kube::table::Shape shape = {};
  kube::table::Type type = {};
  const TypedPlan* sub = nullptr;  // for structs and lists or maps of structs, otherwise null
  const Schema* schema = nullptr;  // of the member, never null
  // Whether the member is a list whose items may lack a key, so that its type does not guarantee
  // that it fits its schema.
  bool needs_check = false;
};

// A struct.
struct TypedPlan {
  const kube::table::Message* message = nullptr;
  const Schema* schema = nullptr;
  std::vector<TypedMember> members;  // sorted by name
  bool needs_check = false;          // whether some list in it, however deep, needs the check

  // Returns whether the JSON of the struct is an object with its members. Of others, such as
  // JSONSchemaPropsOrBool, nothing but their JSON counts.
  bool is_object() const { return message->json_form == kube::table::JsonForm::kObject; }
  // Returns the member with this name, or null.
  const TypedMember* Find(absl::string_view name) const;
};

// Returns the plan of an API type, made at the first call and kept for the lifetime of the program,
// as `message` must be. Its schema is SchemaOf(message). Thread-safe.
const TypedPlan& TypedPlanOf(const kube::table::Message& message);

}  // namespace kube::managedfields::internal

#endif  // APIMACHINERY_MANAGEDFIELDS_INTERNAL_TYPED_PLAN_H_
