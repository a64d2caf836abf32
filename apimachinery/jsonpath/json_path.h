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
  // Whether a member that is not there gives no result. Otherwise, as upstream, it is an error; so
  // it is where every value that the path has come to lacks the member. Printer columns and
  // selectable fields allow it. (AllowMissingKeys)
  bool allow_missing_keys = false;
};

// A path into any object, parsed once: the part of kubectl's JSONPath that printer columns and
// selectable fields of custom resources use. (client-go's util/jsonpath)
//
//   static const JsonPath ready =
//       JsonPath::Parse(R"(.status.conditions[?(@.type=="Ready")].status)",
//                       {.allow_missing_keys = true}).value();
//   absl::StatusOr<std::vector<const Value*>> found = ready.Find(object);
//   if (found.ok() && !found->empty()) Print(*found->front());
//
// The syntax, with or without braces around it:
//
//   .spec.replicas              a member; "$" and "@" before it mean nothing
//   .metadata.labels.app\.io/x  a backslash takes a dot, a bracket or a space into the name
//   .labels['app\.io/x']        the same; without the backslash the dot divides the key as well
//   .items[0]  .items[-1]       an element, counted from the end
//   .items[1:3]  [:-1]  [::2]   some elements: begin, end, step
//   .items[*]  .items.*         all; .* is also for the members of an object, by their names
//   .items[?(@.a)]              the elements that have a
//   .items[?(@.a=="x")]         == != < <= > >= with "text", 'text', 1, 1.5, true, or a path
//
// A path leads to any number of values. Upstream's oddities are kept: ints and doubles are not
// compared with each other, which is an error; a comma and a bracket cannot be in a key.
//
// An immutable value; thread-safe.
class JsonPath {
 public:
  // INVALID_ARGUMENT with upstream's words for what is no path. UNIMPLEMENTED for what only kubectl
  // needs: unions, "..", range and end, constants, text around the braces.
  static absl::StatusOr<JsonPath> Parse(absl::string_view text,
                                        const JsonPathOptions& options = {});

  // As it was given to Parse.
  const std::string& text() const { return text_; }

  // What the path leads to: values within `object`, valid while it lives and does not change.
  // NOT_FOUND: a member is missing, and may not be. OUT_OF_RANGE: so is an element, which may never
  // be. INVALID_ARGUMENT: elements were asked of something that is no list, or values compared that
  // cannot be. (FindResults)
  absl::StatusOr<std::vector<const unstructured::Value*>> Find(
      const unstructured::Value& object) const;

  // The same on an API struct: what the path leads to in its JSON, where empty members are left out
  // as Go's tags say. The values are copies. Quick where the path begins with members and what they
  // lead to is not empty; otherwise the whole object is converted. (Upstream's looks at Go's fields
  // instead, and finds empty ones.)
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

// How kubectl prints a result: text as it is, "3", "1.5", "true", "null"; lists and objects as
// JSON. INVALID_ARGUMENT where that cannot be: a number in it is infinite. (PrintResults)
absl::StatusOr<std::string> Print(const unstructured::Value& value);

}  // namespace kube::jsonpath

#endif  // APIMACHINERY_JSONPATH_JSON_PATH_H_
