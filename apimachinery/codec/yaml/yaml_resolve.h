#ifndef APIMACHINERY_CODEC_YAML_YAML_RESOLVE_H_
#define APIMACHINERY_CODEC_YAML_YAML_RESOLVE_H_

// Finds out what a YAML scalar means, as go-yaml v2's resolve.go does: YAML 1.1 with exceptions.
// The reader uses it to tell numbers from strings; the writer uses it to find strings that need
// quotes, because they would be read as something else. Pure functions: thread-safe.

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// The meaning of a scalar; the member for its kind is set.
struct YamlScalar {
  enum class Kind {
    kNull,
    kBool,
    kInt,        // fits int64_t
    kUint,       // fits only uint64_t
    kFloat,      // may be infinite or NaN
    kTimestamp,  // stays text, but is quoted by the writer
    kString,
  };
  Kind kind = Kind::kString;
  bool boolean = false;
  int64_t integer = 0;
  uint64_t unsigned_integer = 0;
  double real = 0;
};

// Returns the meaning of a plain scalar without a tag.
YamlScalar ResolveYamlScalar(absl::string_view text);

// Sets `scalar` to the meaning of a scalar with one of the tags !!bool, !!int, !!float, !!null and
// !!timestamp; `tag` is the last word of it ("int"). Returns false if the text is not of this type.
bool ResolveTaggedYamlScalar(absl::string_view tag, absl::string_view text, YamlScalar& scalar);

// Returns go-yaml's name of a kind, for messages: "!!int".
absl::string_view YamlTagOf(YamlScalar::Kind kind);

// Returns whether every reader reads `text`, written plain, as the same string: it resolves to a
// string here, and is not a number to base 60 (`1:30`), which other readers accept.
bool ReadsAsString(absl::string_view text);

// Returns the shortest text that reads as the same number, in go-yaml's form: "1e+06", ".inf".
std::string FormatYamlFloat(double value);

// Does the same with the precision of a float32, as sigs.k8s.io/yaml does for a number that is a
// key.
std::string FormatYamlFloatKey(double value);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_YAML_YAML_RESOLVE_H_
