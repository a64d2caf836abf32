#ifndef APIMACHINERY_JSONPATH_JSON_PATH_H_
#define APIMACHINERY_JSONPATH_JSON_PATH_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/jsonpath/internal/node.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/value.h"

namespace kube::jsonpath {

struct JsonPathOptions {
  // Whether a missing member gives no result (true) or an error (false, the default). It counts as
  // missing only if none of the values that the path has reached has it. Printer columns and
  // selectable fields set it. (client-go: `JSONPath.AllowMissingKeys`)
  bool allow_missing_keys = false;
};

// A path into any object, parsed once: one action of kubectl's JSONPath, as printer columns and
// selectable fields of custom resources have it. For templates, with text and ranges, see
// JsonPathTemplate. (client-go: `util/jsonpath`)
//
//   KUBE_ASSIGN_OR_RETURN(JsonPath ready,
//                         JsonPath::Parse(R"(.status.conditions[?(@.type=="Ready")].status)"));
//   KUBE_ASSIGN_OR_RETURN(std::vector<const Value*> found, ready.Find(object));
//   if (found.empty()) return "Unknown";
//   return Print(*found.front());
//
// The syntax, with or without braces around it:
//
//   .spec.replicas              a member; "$" and "@" before it are ignored
//   .metadata.labels.app\.io/x  a backslash makes a dot, bracket or space part of the name
//   .labels['app\.io/x']        the same; without the backslash the dot separates names here, too
//   .items[0]  .items[-1]       an element; negative indices count from the end
//   .items[1:3]  [:-1]  [::2]   a range of elements: begin, end, step
//   .items[0,2]  ['a','b']      a union: what each of its branches gives
//   .items[*]  .items.*         all elements; .* also gives an object's members, sorted by name
//   ..image  ..['image']        the members of this name, at any depth
//   .items[?(@.a)]              the elements that have a member a
//   .items[?(@.a=="x")]         == != < <= > >= with "text", 'text', 1, 1.5, true, or a path
//
// A path may lead to any number of values. Upstream's peculiarities are kept: comparing an integer
// with a double is an error, and a key cannot contain a comma or a bracket.
//
// Immutable and thread-safe.
class JsonPath {
 public:
  // Parses a path. Returns INVALID_ARGUMENT with upstream's words for a malformed path, and
  // UNIMPLEMENTED for what only a JsonPathTemplate can have: range and end, constants outside of
  // filters, and text outside of the braces.
  static absl::StatusOr<JsonPath> Parse(absl::string_view text,
                                        const JsonPathOptions& options = {});

  // Returns the text that was passed to Parse.
  const std::string& text() const { return text_; }

  // Returns the values that the path leads to. They point into `object`, and are valid as long as
  // it lives unchanged. (A path such as ".name.*" gives the bytes of a text, which live forever.)
  // Returns NOT_FOUND for a missing member (unless that is allowed), OUT_OF_RANGE for a missing
  // element, INVALID_ARGUMENT for an impossible range, if a value is indexed or filtered that is
  // not a list, or if two values cannot be compared, and RESOURCE_EXHAUSTED if the path looks at
  // more than 20 million values.
  // (client-go: `JSONPath.FindResults`)
  absl::StatusOr<std::vector<const unstructured::Value*>> Find(
      const unstructured::Value& object) const;

  // As above, for an API struct: evaluates the path on its JSON, in which empty fields are omitted
  // as Go's tags say. Returns copies. Fast if the path begins with member names that lead to a
  // non-empty value; otherwise the whole object is converted. (client-go uses the fields of the Go
  // struct, and so finds empty ones.)
  template <ApiStruct T>
  absl::StatusOr<std::vector<unstructured::Value>> Find(const T& object) const {
    return Find(codec::View(object));
  }
  absl::StatusOr<std::vector<unstructured::Value>> Find(const codec::ValueView& object) const;

 private:
  JsonPath(absl::string_view text, internal::Nodes nodes, const JsonPathOptions& options)
      : text_(text), nodes_(std::move(nodes)), options_(options) {}

  std::string text_;
  internal::Nodes nodes_;
  JsonPathOptions options_;
};

// Formats a value as kubectl does: a string as it is, "3", "1.5", "true", "null"; lists and objects
// as JSON. Returns INVALID_ARGUMENT if a list or object contains an infinite number.
// (client-go: `JSONPath.PrintResults`)
absl::StatusOr<std::string> Print(const unstructured::Value& value);

}  // namespace kube::jsonpath

#endif  // APIMACHINERY_JSONPATH_JSON_PATH_H_
