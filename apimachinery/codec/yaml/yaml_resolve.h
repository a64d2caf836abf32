#ifndef APIMACHINERY_CODEC_YAML_YAML_RESOLVE_H_
#define APIMACHINERY_CODEC_YAML_YAML_RESOLVE_H_

// What a scalar of YAML means: go-yaml v2's resolve.go, which is YAML 1.1 with exceptions. Both
// directions need it: the reader to tell numbers from text, the writer to know which text would be
// read back as something else, and so needs quotes. Pure functions: thread-safe.

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::codec::internal {

struct YamlScalar {
  enum class Kind {
    kNull,
    kBool,
    kInt,        // fits int64_t
    kUint,       // fits uint64_t only
    kFloat,      // may be infinite or NaN
    kTimestamp,  // text, but a writer quotes it
    kString,
  };
  Kind kind = Kind::kString;
  bool boolean = false;
  int64_t integer = 0;
  uint64_t unsigned_integer = 0;
  double real = 0;
};

// The meaning of a plain scalar without a tag.
YamlScalar ResolveYamlScalar(absl::string_view text);

// The meaning of a scalar with one of the tags !!bool, !!int, !!float, !!null and !!timestamp,
// given as its last word ("int"). False where the text is none of these.
bool ResolveTaggedYamlScalar(absl::string_view tag, absl::string_view text, YamlScalar& scalar);

// The name that go-yaml has for such a kind in its messages: "!!int".
absl::string_view YamlTagOf(YamlScalar::Kind kind);

// Whether `text`, written plain, would be read back as the same text by every reader: it resolves
// to a string here, and is no number to base 60 (`1:30`) either, which other readers take for one.
bool ReadsAsString(absl::string_view text);

// The shortest digits that read back as the same number, as go-yaml writes it: "1e+06", ".inf".
std::string FormatYamlFloat(double value);

// The same with the precision of a float32: how sigs.k8s.io/yaml makes text of a number that is a
// key.
std::string FormatYamlFloatKey(double value);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_YAML_YAML_RESOLVE_H_
