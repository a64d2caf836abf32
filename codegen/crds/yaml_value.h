#ifndef CODEGEN_CRDS_YAML_VALUE_H_
#define CODEGEN_CRDS_YAML_VALUE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::codegen {

// The order of keys in YAML that Go writes: digits by value ("a2" before "a10"), letters behind all
// else.
struct YamlKeyLess {
  bool operator()(const std::string& a, const std::string& b) const;
};

// A value of a YAML document. Plain value: thread-compatible.
struct YamlValue {
  enum class Kind { kMap, kList, kString, kInteger, kNumber, kBool, kNull };

  static YamlValue String(absl::string_view text);
  static YamlValue Integer(int64_t value);
  static YamlValue Number(double value);
  static YamlValue Bool(bool value);
  static YamlValue List();

  bool is_map() const { return kind == Kind::kMap; }

  // Of a map: the member, which is there afterwards.
  YamlValue& operator[](const std::string& key) { return members[key]; }
  // Of a map: null if it is not there.
  const YamlValue* Find(const std::string& key) const;
  // Of a list: adds to it.
  YamlValue& Add(YamlValue value);

  Kind kind = Kind::kMap;
  std::string text = {};  // of a scalar: what it is without quotes
  std::vector<YamlValue> items = {};
  std::map<std::string, YamlValue, YamlKeyLess> members = {};
};

// A document, byte for byte as sigs.k8s.io/yaml writes it (what kubectl prints), except that lines
// are not folded. It ends with a line break. Pure function: thread-safe.
std::string PrintYaml(const YamlValue& value);

}  // namespace kube::codegen

#endif  // CODEGEN_CRDS_YAML_VALUE_H_
