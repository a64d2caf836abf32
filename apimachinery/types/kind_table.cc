#include "apimachinery/types/kind_table.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/kind_info.h"

namespace kube::table {
namespace {

constexpr absl::string_view kListSuffix = "List";

using Texts = std::vector<absl::string_view>;

constexpr absl::string_view kVerbLetters = "glwcupdD";
constexpr absl::string_view kVerbs[] = {"get",    "list",  "watch",  "create",
                                        "update", "patch", "delete", "deletecollection"};

// Copies the values to an array that is never freed.
template <typename T>
absl::Span<const T> Keep(const std::vector<T>& values) {
  if (values.empty()) return {};
  auto kept = std::make_unique<T[]>(values.size());
  std::copy(values.begin(), values.end(), kept.get());
  return {kept.release(), values.size()};
}

absl::string_view WithoutLast(absl::string_view text, size_t size) {
  return text.substr(0, text.size() - size);
}

absl::Span<const absl::string_view> ReadVerbs(absl::string_view text) {
  if (text.substr(0, 1) == "+") return Keep<absl::string_view>(absl::StrSplit(text.substr(1), '+'));
  Texts verbs;
  for (const char letter : text) verbs.push_back(kVerbs[kVerbLetters.find(letter)]);
  return Keep(verbs);
}

absl::Span<const absl::string_view> ReadList(absl::string_view text) {
  return Keep<absl::string_view>(absl::StrSplit(text, ','));
}

SubresourceInfo ReadSubresource(absl::string_view text) {
  Texts parts = absl::StrSplit(text, ',');
  parts.resize(4);
  return {.name = parts[0], .verbs = ReadVerbs(parts[1]), .input = parts[2], .result = parts[3]};
}

class KindReader {
 public:
  KindReader(const KindTable& table, const Message& message)
      : kind_{.group = table.group,
              .version = table.version,
              .kind = message.type_name(),
              .message = &message} {}

  KindInfo Read(absl::string_view line) {
    while (!line.empty()) {
      const size_t end = line.find('|');
      Set(line[0], line.substr(1, end - 1));
      line.remove_prefix(end + 1);
    }
    kind_.subresources = Keep(subresources_);
    return kind_;
  }

 private:
  void Set(char member, absl::string_view text);
  void SetApiVersion(absl::string_view text);
  void SetResource(Scope scope, absl::string_view plural);

  KindInfo kind_;
  std::vector<SubresourceInfo> subresources_;
};

void KindReader::SetApiVersion(absl::string_view text) {
  const size_t slash = text.find('/');
  kind_.group = text.substr(0, slash);
  kind_.version = text.substr(slash + 1);
}

void KindReader::SetResource(Scope scope, absl::string_view plural) {
  kind_.scope = scope;
  kind_.plural = plural;
  kind_.verbs = kVerbs;
}

void KindReader::Set(char member, absl::string_view text) {
  switch (member) {
    case 'k':
      kind_.kind = text;
      return;
    case 'g':
      return SetApiVersion(text);
    case 'n':
      return SetResource(Scope::kNamespaced, text);
    case 'c':
      return SetResource(Scope::kCluster, text);
    case '-':
      kind_.singular = WithoutLast(kind_.plural, static_cast<size_t>(text[0] - '0'));
      return;
    case 's':
      kind_.singular = text;
      return;
    case 'h':
      kind_.short_names = ReadList(text);
      return;
    case 'a':
      kind_.categories = ReadList(text);
      return;
    case 'v':
      kind_.verbs = ReadVerbs(text);
      return;
    case '/':
      subresources_.push_back(ReadSubresource(text));
      return;
    case 'l':
      kind_.list_of = WithoutLast(kind_.kind, kListSuffix.size());
      return;
    case 'L':
      kind_.list_of = text;
      return;
    case 'i':
      kind_.introduced = text;
      return;
    case 'd':
      kind_.deprecated = text;
      return;
    case 'r':
      kind_.removed = text;
      return;
    case 'w':
      kind_.replacement = text;
      return;
  }
}

}  // namespace

absl::Span<const KindInfo> ReadKinds(const KindTable& table) {
  std::vector<KindInfo> kinds;
  absl::string_view lines = table.lines;
  for (const Message* message : table.messages) {
    const size_t end = lines.find('\n');
    kinds.push_back(KindReader(table, *message).Read(lines.substr(0, end)));
    lines.remove_prefix(end + 1);
  }
  return Keep(kinds);
}

}  // namespace kube::table
