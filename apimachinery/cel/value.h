#ifndef APIMACHINERY_CEL_VALUE_H_
#define APIMACHINERY_CEL_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/types/lifetime.h"

// The values of expressions.
namespace kube::cel {

class Value;
class ListValue;
class MapValue;
class OpaqueValue;

enum class ValueKind : uint8_t {
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kDuration,
  kTimestamp,
  kList,
  kMap,
  kType,
  kOptional,
  kOpaque,  // a quantity, a URL, an IP address ...
  kError,   // the reason why there is no value
};

// A point in time with nanoseconds, between the years 1 and 9999, and the offset from UTC with
// which it was written. (Go: `time.Time`)
struct TimestampValue {
  int64_t seconds = 0;         // since 1970
  int32_t nanoseconds = 0;     // 0 to 999,999,999
  int32_t offset_seconds = 0;  // east of UTC; it does not take part in comparisons

  friend bool operator==(const TimestampValue& a, const TimestampValue& b) {
    return a.seconds == b.seconds && a.nanoseconds == b.nanoseconds;
  }
};

// A value of an expression, or the error of its evaluation. Copies are cheap: texts, lists and maps
// are shared, or refer to the object that an expression is evaluated on, which must then outlive
// the value. Immutable but for assignment; thread-compatible. (cel-go: `ref.Val`)
//
//   variables.emplace("limit", Value::FromInt(5));
//   ...
//   const bool holds = result.kind() == ValueKind::kBool && result.boolean();
class Value {
 public:
  // Null.
  Value() = default;

  static Value FromBool(bool value) { return Value(Rep(value)); }
  static Value FromInt(int64_t value) { return Value(Rep(value)); }
  static Value FromUint(uint64_t value) { return Value(Rep(value)); }
  static Value FromDouble(double value) { return Value(Rep(value)); }
  static Value FromString(std::string text);
  static Value FromBytes(std::string bytes);
  // Refers to the text, which must outlive the value.
  static Value FromView(absl::string_view text);
  // Returns a part of a string, from the byte `offset` on, which shares the memory of `text`.
  static Value FromPart(const Value& text, size_t offset, size_t size);
  static Value FromDuration(int64_t nanoseconds) { return Value(Rep(DurationRep{nanoseconds})); }
  static Value FromTimestamp(const TimestampValue& time) { return Value(Rep(time)); }
  static Value FromList(std::shared_ptr<const ListValue> list) {
    return Value(Rep(std::move(list)));
  }
  // A list of these elements.
  static Value FromList(std::vector<Value> elements);
  static Value FromMap(std::shared_ptr<const MapValue> map) { return Value(Rep(std::move(map))); }
  static Value FromType(TypePtr type) { return Value(Rep(std::move(type))); }
  static Value FromOpaque(std::shared_ptr<const OpaqueValue> value) {
    return Value(Rep(std::move(value)));
  }
  // An optional value that has a value, and one that has none.
  static Value Optional(Value value);
  static Value None() { return Value(Rep(OptionalRep{})); }
  // An error. The text is upstream's: "no such key: x".
  static Value Error(std::string message);

  ValueKind kind() const { return static_cast<ValueKind>(rep_.index()); }
  bool is_null() const { return kind() == ValueKind::kNull; }
  bool is_bool() const { return kind() == ValueKind::kBool; }
  bool is_int() const { return kind() == ValueKind::kInt; }
  bool is_string() const { return kind() == ValueKind::kString; }
  bool is_list() const { return kind() == ValueKind::kList; }
  bool is_map() const { return kind() == ValueKind::kMap; }
  bool is_optional() const { return kind() == ValueKind::kOptional; }
  bool is_error() const { return kind() == ValueKind::kError; }
  // Returns whether this is an int, a uint or a double.
  bool is_number() const {
    return kind() == ValueKind::kInt || kind() == ValueKind::kUint || kind() == ValueKind::kDouble;
  }
  // Return whether this is the bool true or false.
  bool IsTrue() const { return is_bool() && boolean(); }
  bool IsFalse() const { return is_bool() && !boolean(); }

  // Return the value; it must be of this kind.
  bool boolean() const { return *std::get_if<bool>(&rep_); }
  int64_t integer() const { return *std::get_if<int64_t>(&rep_); }
  uint64_t unsigned_integer() const { return *std::get_if<uint64_t>(&rep_); }
  double number() const { return *std::get_if<double>(&rep_); }
  // Valid as long as this value, or a copy.
  absl::string_view text() const KUBE_LIFETIME_BOUND { return std::get_if<StringRep>(&rep_)->view; }
  absl::string_view bytes() const KUBE_LIFETIME_BOUND { return std::get_if<BytesRep>(&rep_)->view; }
  // Nanoseconds.
  int64_t duration() const { return std::get_if<DurationRep>(&rep_)->nanoseconds; }
  const TimestampValue& timestamp() const KUBE_LIFETIME_BOUND {
    return *std::get_if<TimestampValue>(&rep_);
  }
  const ListValue& list() const KUBE_LIFETIME_BOUND { return *list_ptr(); }
  const std::shared_ptr<const ListValue>& list_ptr() const KUBE_LIFETIME_BOUND {
    return *std::get_if<std::shared_ptr<const ListValue>>(&rep_);
  }
  const MapValue& map() const KUBE_LIFETIME_BOUND { return *map_ptr(); }
  const std::shared_ptr<const MapValue>& map_ptr() const KUBE_LIFETIME_BOUND {
    return *std::get_if<std::shared_ptr<const MapValue>>(&rep_);
  }
  const TypePtr& type_value() const KUBE_LIFETIME_BOUND { return *std::get_if<TypePtr>(&rep_); }
  const OpaqueValue& opaque() const KUBE_LIFETIME_BOUND {
    return **std::get_if<std::shared_ptr<const OpaqueValue>>(&rep_);
  }
  // Null if the optional value has no value.
  const Value* optional() const KUBE_LIFETIME_BOUND {
    return std::get_if<OptionalRep>(&rep_)->value.get();
  }
  const std::string& error() const KUBE_LIFETIME_BOUND {
    return *std::get_if<ErrorRep>(&rep_)->message;
  }

  // Returns the type at run time, without parameters: list, not list(int). Errors have the type
  // ErrorType(). (cel-go: `Val.Type`)
  TypePtr type() const;

 private:
  // The owner is null if the view refers to memory of others.
  struct StringRep {
    std::shared_ptr<const std::string> owner;
    absl::string_view view;
  };
  struct BytesRep {
    std::shared_ptr<const std::string> owner;
    absl::string_view view;
  };
  struct DurationRep {
    int64_t nanoseconds;
  };
  struct OptionalRep {
    std::shared_ptr<const Value> value;
  };
  struct ErrorRep {
    std::shared_ptr<const std::string> message;
  };
  // In the order of ValueKind.
  using Rep = std::variant<std::monostate, bool, int64_t, uint64_t, double, StringRep, BytesRep,
                           DurationRep, TimestampValue, std::shared_ptr<const ListValue>,
                           std::shared_ptr<const MapValue>, TypePtr, OptionalRep,
                           std::shared_ptr<const OpaqueValue>, ErrorRep>;

  explicit Value(Rep rep) : rep_(std::move(rep)) {}

  Rep rep_;
};

// How lists are compared and added (CRDs: `x-kubernetes-list-type`).
enum class ListKind : uint8_t {
  kAtomic,  // element by element; + appends
  kSet,     // in any order; + adds what is missing
  kMap,     // by key, in any order; + replaces elements with the same key
};

// A list. Implementations are immutable and thread-safe. (cel-go: `traits.Lister`)
class ListValue {
 public:
  virtual ~ListValue() = default;

  virtual size_t size() const = 0;
  // `index` must be less than size(). Returns an error if the element is not what its schema says.
  virtual Value At(size_t index) const = 0;

  // Returns how the list is compared if it stands at the left.
  virtual ListKind list_kind() const { return ListKind::kAtomic; }
  // For ListKind::kMap: the names of the members that make a key, as identifiers.
  virtual const std::vector<std::string>& keys() const;
  // Returns whether the list belongs to an object with a schema. Comparing such a list with a value
  // that is not a list is an error.
  virtual bool has_schema() const { return false; }
};

// A map or an object. Implementations are immutable and thread-safe. (cel-go: `traits.Mapper`)
class MapValue {
 public:
  virtual ~MapValue() = default;

  virtual size_t size() const = 0;
  // Returns the value at a key; nullopt if there is no such key. Numbers of any type find keys that
  // are equal. May return an error instead of the value.
  virtual std::optional<Value> Find(const Value& key) const = 0;
  // Returns the keys in the order of iteration.
  virtual std::vector<Value> Keys() const = 0;
  // Returns whether the map is an object with a schema: see ListValue::has_schema.
  virtual bool has_schema() const { return false; }
};

// A value of a named type, which functions of its library work on. Immutable; thread-safe.
class OpaqueValue {
 public:
  virtual ~OpaqueValue() = default;

  virtual const TypePtr& type() const = 0;
  // Returns a bool, or an error if the values cannot be compared.
  virtual Value Equals(const Value& other) const = 0;
  // The size in the calculation of costs; 1 for most types.
  virtual size_t cost_size() const { return 1; }
  // For people and tests.
  virtual std::string ToString() const = 0;
};

// Builds maps of values. Thread-compatible.
class MapBuilder {
 public:
  // Sets the value at a key. Returns false if a key of this type is not possible: keys are bools,
  // numbers, strings, durations, timestamps and null.
  [[nodiscard]] bool Set(const Value& key, Value value);
  // Removes a key, if it exists.
  void Erase(const Value& key);
  bool Contains(const Value& key) const;
  // Leaves the builder empty.
  Value Build();

 private:
  std::vector<std::pair<Value, Value>> entries_;
  // The place of each key in entries_.
  absl::flat_hash_map<std::string, size_t> index_;
};

}  // namespace kube::cel

#endif  // APIMACHINERY_CEL_VALUE_H_
