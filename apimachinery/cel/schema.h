#ifndef APIMACHINERY_CEL_SCHEMA_H_
#define APIMACHINERY_CEL_SCHEMA_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/unstructured/value.h"

// What the schema of a custom resource tells expressions about an object: the types of its members,
// and what its JSON values mean.
namespace kube::cel {

// The JSON type with its format, and the type that expressions see.
enum class SchemaKind : uint8_t {
  kAny,          // dyn: whatever the JSON is
  kIntOrString,  // dyn: an int or a string (x-kubernetes-int-or-string)
  kObject,       // an object with declared members
  kMap,          // map(string, T): additionalProperties
  kList,         // list(T)
  kString,       // string
  kByte,         // bytes: URL-safe base64
  kDuration,     // duration
  kDate,         // timestamp
  kDateTime,     // timestamp
  kInteger,      // int
  kNumber,       // double, also of an integer
  kBoolean,      // bool
  kPreserved,    // not visible but compared: a subtree without a type, whose members are preserved
};

struct Schema;
using SchemaPtr = std::shared_ptr<const Schema>;

// The schema of one node. Build, then immutable; thread-safe. (k8s.io/apiserver:
// `pkg/cel/common.Schema`)
struct Schema {
  SchemaKind kind = SchemaKind::kAny;
  // Whether the value may be null; members of objects that are null count as absent.
  bool nullable = false;
  // For kObject: the declared members by their JSON names. For the root of a resource, and for an
  // embedded resource, add apiVersion, kind, and metadata with name and generateName.
  std::map<std::string, SchemaPtr, std::less<>> properties = {};
  // For kList: the elements. For kMap: the values.
  SchemaPtr element = nullptr;
  // For kList: x-kubernetes-list-type, and the JSON names of x-kubernetes-list-map-keys.
  ListKind list_kind = ListKind::kAtomic;
  std::vector<std::string> list_keys = {};

  // For kIntOrString: the JSON type if the schema names one nevertheless; errors show it.
  std::string type = {};

  // How large values may be, for the estimate of costs alone: maxLength, maxItems or maxProperties.
  // Nullopt if there is no limit.
  std::optional<int64_t> max_size = {};
  // For kString: the size of the longest text in `enum`; nullopt if there is no enum.
  std::optional<int64_t> longest_enum = {};
  // For kObject: the members that every request contains: required, and without a default.
  std::vector<std::string> required = {};
};

// Returns whether expressions can see values with this schema. They cannot see what has no type,
// nor lists and maps of it; of an object they do not see such members.
bool IsVisible(const Schema& schema);

// Returns the value that an expression sees for `value`. It refers to both arguments, which must
// outlive it; nothing is copied. What does not fit its schema is an error, which is returned when
// an expression reads it. Thread-safe. (k8s.io/apiserver: `UnstructuredToVal`)
Value ToValue(const unstructured::Value& value, const Schema& schema);
// The same without a schema: objects are maps, integers are ints, other numbers doubles.
Value ToValue(const unstructured::Value& value);

// The types of a schema, for the checker. Immutable; thread-safe. (k8s.io/apiserver:
// `SchemaDeclType`, `DeclTypeProvider`)
class SchemaTypes final : public TypeProvider {
 public:
  // Objects in the schema get names that begin with `name`, which no expression should know.
  // `schema` is not needed afterwards.
  SchemaTypes(const Schema& schema, absl::string_view name);

  // Returns the type of the root; null if expressions cannot see it.
  const TypePtr& root() const { return root_; }

  bool HasStruct(absl::string_view name) const override;
  TypePtr FindField(absl::string_view struct_name, absl::string_view field) const override;

 private:
  using Fields = absl::flat_hash_map<std::string, TypePtr>;

  // Returns null for a node that is not visible.
  TypePtr Declare(const Schema& schema, const std::string& name);

  absl::flat_hash_map<std::string, Fields> structs_;
  TypePtr root_;
};

}  // namespace kube::cel

#endif  // APIMACHINERY_CEL_SCHEMA_H_
