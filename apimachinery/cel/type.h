#ifndef APIMACHINERY_CEL_TYPE_H_
#define APIMACHINERY_CEL_TYPE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

// The types of expressions.
namespace kube::cel {

enum class TypeKind : uint8_t {
  kError,  // of an expression that has none
  kDyn,    // known only when the expression is evaluated
  kNull,
  kBool,
  kInt,   // int64_t
  kUint,  // uint64_t
  kDouble,
  kString,
  kBytes,
  kDuration,
  kTimestamp,
  kList,    // one parameter: the elements
  kMap,     // two parameters: keys and values
  kStruct,  // an object with declared fields, or a type of Kubernetes such as a quantity
  kOpaque,  // a named type: an optional value, an IP address
  kType,    // a type as a value; one parameter or none
  kParam,   // a parameter of a function's signature
};

struct Type;
// Types are immutable and shared; a TypePtr is never null unless a comment says so.
using TypePtr = std::shared_ptr<const Type>;

// A type as it is declared. Immutable; thread-safe. (cel-go: `types.Type`)
//
//   environment.AddVariable("ports", MapType(StringType(), ListType(IntType())));
struct Type {
  TypeKind kind = TypeKind::kDyn;
  // The name that type(x) shows: "int", "google.protobuf.Duration".
  std::string name = {};
  std::vector<TypePtr> parameters = {};
};

// Return the types that have no parameters. Thread-safe, as all functions here.
const TypePtr& ErrorType();
const TypePtr& DynType();
const TypePtr& NullType();
const TypePtr& BoolType();
const TypePtr& IntType();
const TypePtr& UintType();
const TypePtr& DoubleType();
const TypePtr& StringType();
const TypePtr& BytesType();
const TypePtr& DurationType();
const TypePtr& TimestampType();

// Make types of other types.
TypePtr ListType(TypePtr element);
TypePtr MapType(TypePtr key, TypePtr value);
TypePtr OptionalType(TypePtr value);
TypePtr StructType(absl::string_view name);
TypePtr OpaqueType(absl::string_view name, std::vector<TypePtr> parameters = {});
// The type of a type: type(1) is of the type type(int).
TypePtr TypeOfType(TypePtr type);
TypePtr TypeParameter(absl::string_view name);

// Returns whether the types are the same, with all their parameters.
bool SameType(const Type& a, const Type& b);

// Returns whether this is an optional type.
bool IsOptional(const Type& type);

// Returns the text in error messages: "map(string, list(int))". (cel-go: `FormatCELType`)
std::string FormatType(const Type& type);

// Tells the checker which objects exist, and what fields they have. Implementations must be
// thread-safe, and outlive the environments that use them. (cel-go: `types.Provider`)
class TypeProvider {
 public:
  virtual ~TypeProvider() = default;

  // Returns whether there is an object type with this name.
  virtual bool HasStruct(absl::string_view name) const = 0;

  // Returns the type of a field of such an object, or null if it has no such field. The name is an
  // identifier: see EscapeIdentifier in escape.h. A reserved word that an expression has behind a
  // dot, such as namespace, comes as it is.
  virtual TypePtr FindField(absl::string_view struct_name, absl::string_view field) const = 0;

  // Returns whether expressions may make such an object (object_value.h). Its fields then have the
  // types that FindField returns. By default they may make none.
  virtual bool CanMake(absl::string_view /*struct_name*/) const { return false; }
};

}  // namespace kube::cel

#endif  // APIMACHINERY_CEL_TYPE_H_
