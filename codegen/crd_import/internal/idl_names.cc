#include "codegen/crd_import/internal/idl_names.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace kube::codegen::internal {
namespace {

constexpr size_t kMaxMessageName = 200;
// Of what a longer name keeps of its beginning and of the property.
constexpr size_t kKept = 60;
// The maximum of Field::name_size.
constexpr size_t kMaxJsonName = 255;

bool IsAlnum(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); }
bool IsUpper(char c) { return absl::ascii_isupper(static_cast<unsigned char>(c)); }
bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

// Returns the length of the first word: "host" of hostIPC, "IP" of IPFamilies, "IPs" of IPsAllowed
// and of IPs. codegen/import_kubernetes/names.go has the same rule.
size_t WordLength(absl::string_view text) {
  size_t upper = 0;
  while (upper < text.size() && IsUpper(text[upper])) ++upper;
  size_t lower = upper;
  while (lower < text.size() && !IsUpper(text[lower])) ++lower;
  if (upper <= 1 || upper == text.size()) return lower;
  if (text[upper] == 's' && lower == upper + 1) return lower;
  return IsDigit(text[upper]) ? lower : upper - 1;
}

// Returns the runs of letters and digits.
std::vector<std::string> PartsOf(absl::string_view text) {
  std::vector<std::string> parts;
  bool begins = true;
  for (const char c : text) {
    if (!IsAlnum(c)) {
      begins = true;
      continue;
    }
    if (begins) parts.emplace_back();
    parts.back() += c;
    begins = false;
  }
  return parts;
}

// FNV-1a, which is the same on all machines.
uint64_t HashOf(absl::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

std::string PackageOf(absl::string_view prefix, absl::string_view group,
                      absl::string_view version) {
  std::vector<std::string> labels = absl::StrSplit(group, '.');
  std::reverse(labels.begin(), labels.end());
  labels.emplace_back(version);
  for (std::string& label : labels) {
    std::replace(label.begin(), label.end(), '-', '_');
    if (IsDigit(label[0])) label = absl::StrCat("_", label);
    // A name of the IDL, such as kube.Quantity, would be looked for in such a package.
    if (label == "kube") label += "_";
  }
  return absl::StrCat(prefix, ".", absl::StrJoin(labels, "."));
}

std::string SnakeCase(absl::string_view json_name) {
  std::vector<std::string> words;
  for (const std::string& part : PartsOf(json_name)) {
    for (absl::string_view rest = part; !rest.empty();) {
      const size_t size = WordLength(rest);
      words.push_back(absl::AsciiStrToLower(rest.substr(0, size)));
      rest.remove_prefix(size);
    }
  }
  if (words.empty()) return "field";
  const std::string name = absl::StrJoin(words, "_");
  return IsDigit(name[0]) ? absl::StrCat("n", name) : name;
}

std::string DefaultJsonName(absl::string_view field) {
  std::string name;
  bool is_upper = false;
  for (const char c : field) {
    if (c != '_') name += is_upper ? absl::ascii_toupper(static_cast<unsigned char>(c)) : c;
    is_upper = c == '_';
  }
  return name;
}

std::string Segment(absl::string_view name) {
  std::string segment;
  for (std::string& part : PartsOf(name)) {
    part[0] = absl::ascii_toupper(static_cast<unsigned char>(part[0]));
    segment += part;
  }
  if (segment.empty()) return "Field";
  return IsDigit(segment[0]) ? absl::StrCat("N", segment) : segment;
}

bool IsPlainName(absl::string_view json_name) {
  const auto is_plain = [](char c) {
    // Go escapes <, > and &; protobuf refuses names in brackets.
    return absl::ascii_isprint(static_cast<unsigned char>(c)) &&
           !absl::StrContains("\"\\<>&[]", absl::string_view(&c, 1));
  };
  return !json_name.empty() && json_name.size() <= kMaxJsonName &&
         std::all_of(json_name.begin(), json_name.end(), is_plain);
}

std::string FieldNames::Add(const std::string& name) {
  const auto key = [](std::string text) {
    text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
    return absl::AsciiStrToLower(text);
  };
  if (taken_.insert(key(name)).second) return name;
  int& next = next_.emplace(key(name), 2).first->second;
  while (true) {
    std::string found = absl::StrCat(name, "_", next++);
    if (taken_.insert(key(found)).second) return found;
  }
}

std::string MessageNames::Add(const std::string& name) {
  const bool is_taken = absl::EndsWith(name, "ApplyConfiguration");
  const std::string wanted = is_taken ? absl::StrCat(name, "Type") : name;
  if (taken_.insert(wanted).second) return wanted;
  int& next = next_.emplace(wanted, 2).first->second;
  while (true) {
    std::string found = absl::StrCat(wanted, next++);
    if (taken_.insert(found).second) return found;
  }
}

std::string MessageNameOf(absl::string_view parent, absl::string_view property,
                          absl::string_view path) {
  const std::string segment = Segment(property);
  const std::string name = absl::StrCat(parent, segment);
  if (name.size() <= kMaxMessageName) return name;
  return absl::StrCat(parent.substr(0, kKept), absl::StrFormat("X%016xX", HashOf(path)),
                      segment.substr(0, kKept));
}

}  // namespace kube::codegen::internal
