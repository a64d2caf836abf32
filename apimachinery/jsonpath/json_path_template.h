#ifndef APIMACHINERY_JSONPATH_JSON_PATH_TEMPLATE_H_
#define APIMACHINERY_JSONPATH_JSON_PATH_TEMPLATE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/jsonpath/internal/node.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"

namespace kube::jsonpath {

struct JsonPathTemplateOptions {
  // Whether a missing member gives nothing (true) or an error (false, the default): see
  // JsonPathOptions. kubectl sets it. (client-go: `JSONPath.AllowMissingKeys`)
  bool allow_missing_keys = false;

  // Whether Execute prints the results of each action as an indented JSON array with a line feed
  // behind it, as `kubectl get -o jsonpath-as-json` does, instead of the bare values. Default:
  // false. (client-go: `JSONPath.EnableJSONOutput`)
  bool output_json = false;
};

// A template as `kubectl get -o jsonpath=...` has it, parsed once: texts, and actions in braces.
// (client-go: `util/jsonpath.JSONPath`)
//
//   constexpr char kText[] = R"({range .items[*]}{.metadata.name}{"\n"}{end})";
//   KUBE_ASSIGN_OR_RETURN(JsonPathTemplate lines,
//                         JsonPathTemplate::Parse(kText, {.allow_missing_keys = true}));
//   return lines.Execute(pods);
//
// An action is one of these:
//
//   {.spec.replicas}      a path; see JsonPath for its syntax. Several values have a space between
//                         them: strings as they are, numbers as Go prints them (1e+06), lists and
//                         objects as JSON
//   {range .items[*]}     what follows, up to {end}, once for each value; paths begin at that value
//   {end}                 ends the range; ranges may be nested
//   {"\t"} {'\n'} {5}     a constant; texts have Go's escapes
//
// Everything outside of braces is copied. Upstream's peculiarities are kept: in a range without
// elements the body is still evaluated once, only to be thrown away, so that {.name} in it is an
// error if missing keys are not allowed.
//
// Immutable and thread-safe. Unlike upstream's, a template with ranges can be executed any number
// of times.
class JsonPathTemplate {
 public:
  // Parses a template. Returns INVALID_ARGUMENT with upstream's words for a malformed one, and
  // UNIMPLEMENTED for operator names that are not ASCII. A word that is not range, end, true or
  // false is an error of Execute, as upstream.
  static absl::StatusOr<JsonPathTemplate> Parse(absl::string_view text,
                                                const JsonPathTemplateOptions& options = {});

  // Returns the text that was passed to Parse.
  const std::string& text() const { return text_; }

  // Returns what the template makes of an object, and nothing if there is an error: those of
  // JsonPath::Find, INVALID_ARGUMENT for unknown words and an {end} without a range, and
  // RESOURCE_EXHAUSTED if the text is longer than 512 MiB or ranges are nested more than 100 deep.
  // (client-go: `JSONPath.Execute`)
  absl::StatusOr<std::string> Execute(const unstructured::Value& object) const;

  // As above, for an API struct: executes the template on its JSON.
  template <ApiStruct T>
  absl::StatusOr<std::string> Execute(const T& object) const {
    absl::StatusOr<unstructured::Value> value = unstructured::ToValue(object);
    if (!value.ok()) return value.status();
    return Execute(*value);
  }

  // Returns the values of each action and text, in the order of the output: an action in a range
  // has one entry for each turn. The values point into `object` and this template, and are valid as
  // long as both live unchanged. Returns the errors of Execute. (client-go:
  // `JSONPath.FindResults`)
  absl::StatusOr<std::vector<std::vector<const unstructured::Value*>>> FindResults(
      const unstructured::Value& object) const;

 private:
  JsonPathTemplate(absl::string_view text, internal::Actions actions,
                   const JsonPathTemplateOptions& options)
      : text_(text), actions_(std::move(actions)), options_(options) {}

  std::string text_;
  internal::Actions actions_;
  JsonPathTemplateOptions options_;
};

}  // namespace kube::jsonpath

#endif  // APIMACHINERY_JSONPATH_JSON_PATH_TEMPLATE_H_
