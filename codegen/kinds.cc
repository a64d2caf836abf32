#include "codegen/kinds.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "codegen/diagnostics.h"
#include "codegen/names.h"
#include "kube/options.pb.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

constexpr const char* kAllVerbs[] = {"get",    "list",  "watch",  "create",
                                     "update", "patch", "delete", "deletecollection"};

class KindsBuilder {
 public:
  KindsBuilder(const pb::FileDescriptor& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics) {}

  std::vector<KindEntry> Build();

 private:
  KindEntry BuildKind(const pb::Descriptor& message, const KindOptions& options);
  void SetGroupVersion(KindEntry& entry, const pb::Descriptor& message, const KindOptions& options);
  void SetResource(KindEntry& entry, const pb::Descriptor& message, const KindOptions& options);
  void CheckTexts(const pb::Descriptor& message, const KindEntry& entry);
  void CheckText(const pb::Descriptor& message, absl::string_view text, absl::string_view refused);

  void Error(const pb::Descriptor& message, absl::string_view problem) {
    diagnostics_.Error(message, absl::StrCat("kind ", message.name(), ": ", problem));
  }

  const pb::FileDescriptor& file_;
  Diagnostics& diagnostics_;
};

template <typename Texts>
std::vector<std::string> TextsOf(const Texts& texts) {
  return {std::begin(texts), std::end(texts)};
}

bool IsKind(const pb::Descriptor& message) { return message.options().HasExtension(kube::kind); }

bool HasKinds(const pb::FileDescriptor& file) {
  for (int i = 0; i < file.message_type_count(); ++i) {
    if (IsKind(*file.message_type(i))) return true;
  }
  return false;
}

void KindsBuilder::SetGroupVersion(KindEntry& entry, const pb::Descriptor& message,
                                   const KindOptions& options) {
  const GroupVersion& of_file = file_.options().GetExtension(kube::group_version);
  entry.group = of_file.group();
  entry.version = of_file.version();
  if (!options.has_api_version()) return;
  const std::vector<std::string> parts = absl::StrSplit(options.api_version(), '/');
  if (parts.size() > 2 || parts.back().empty()) {
    return Error(message, absl::StrCat("api_version \"", options.api_version(),
                                       "\": write \"v1\" or \"example.com/v1\""));
  }
  entry.group = parts.size() == 2 ? parts[0] : "";
  entry.version = parts.back();
}

void KindsBuilder::SetResource(KindEntry& entry, const pb::Descriptor& message,
                               const KindOptions& options) {
  entry.scope = options.scope() == NAMESPACED ? "kNamespaced"
                : options.scope() == CLUSTER  ? "kCluster"
                                              : "kNone";
  entry.plural = options.plural();
  entry.singular = options.singular();
  entry.short_names = TextsOf(options.short_name());
  entry.categories = TextsOf(options.category());
  entry.verbs = TextsOf(options.verb());
  for (const Subresource& each : options.subresource()) {
    entry.subresources.push_back({each.name(), TextsOf(each.verb()), each.input(), each.result()});
  }
  entry.has_definition = options.imported() || !options.crd_annotation().empty();
  if (options.scope() == NO_RESOURCE) {
    const bool is_empty = entry.plural.empty() && entry.singular.empty() &&
                          entry.short_names.empty() && entry.categories.empty() &&
                          entry.verbs.empty() && entry.subresources.empty();
    if (!is_empty) Error(message, "has properties of a resource but no scope");
    return;
  }
  if (entry.plural.empty()) Error(message, "is a resource but has no plural");
  if (entry.verbs.empty()) entry.verbs = TextsOf(kAllVerbs);
}

void KindsBuilder::CheckText(const pb::Descriptor& message, absl::string_view text,
                             absl::string_view refused) {
  const bool is_fine = std::none_of(text.begin(), text.end(), [&](char c) {
    return absl::ascii_iscntrl(static_cast<unsigned char>(c)) || refused.find(c) != refused.npos;
  });
  if (is_fine) return;
  Error(message, absl::StrCat("\"", absl::CHexEscape(text), "\": must not contain any of ", refused,
                              " or control characters"));
}

// Rejects the separators of a table's lines; see apimachinery/types/kind_table.h.
void KindsBuilder::CheckTexts(const pb::Descriptor& message, const KindEntry& entry) {
  for (const std::string* text :
       {&entry.group, &entry.version, &entry.kind, &entry.plural, &entry.singular, &entry.list_of,
        &entry.introduced, &entry.deprecated, &entry.removed, &entry.replacement}) {
    CheckText(message, *text, "|");
  }
  const auto check_all = [&](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) CheckText(message, text, "|,+");
  };
  check_all(entry.short_names);
  check_all(entry.categories);
  check_all(entry.verbs);
  for (const SubresourceEntry& each : entry.subresources) {
    check_all({each.name, each.input, each.result});
    check_all(each.verbs);
  }
}

KindEntry KindsBuilder::BuildKind(const pb::Descriptor& message, const KindOptions& options) {
  KindEntry entry;
  entry.kind = options.has_name() ? options.name() : message.name();
  entry.message_name = message.name();
  entry.struct_name = CppName(message.name());
  SetGroupVersion(entry, message, options);
  SetResource(entry, message, options);
  entry.list_of = options.list_of();
  entry.introduced = options.introduced();
  entry.deprecated = options.deprecated();
  entry.removed = options.removed();
  entry.replacement = options.replacement();
  CheckTexts(message, entry);
  return entry;
}

std::vector<KindEntry> KindsBuilder::Build() {
  std::vector<KindEntry> kinds;
  std::set<std::vector<std::string>> names;
  for (int i = 0; i < file_.message_type_count(); ++i) {
    const pb::Descriptor& message = *file_.message_type(i);
    if (!IsKind(message)) continue;
    kinds.push_back(BuildKind(message, message.options().GetExtension(kube::kind)));
    const KindEntry& entry = kinds.back();
    if (!names.insert({entry.group, entry.version, entry.kind}).second) {
      Error(message, absl::StrCat("duplicate kind ", entry.kind));
    }
  }
  return kinds;
}

void Collect(const pb::FileDescriptor& file, std::set<const pb::FileDescriptor*>& done,
             std::vector<const pb::FileDescriptor*>& files) {
  if (!done.insert(&file).second) return;
  for (int i = 0; i < file.dependency_count(); ++i) Collect(*file.dependency(i), done, files);
  if (HasKinds(file)) files.push_back(&file);
}

}  // namespace

std::vector<KindEntry> BuildKinds(const pb::FileDescriptor& file, Diagnostics& diagnostics) {
  return KindsBuilder(file, diagnostics).Build();
}

void CheckOneFileHasKinds(const std::vector<const pb::FileDescriptor*>& files,
                          Diagnostics& diagnostics) {
  std::set<const pb::FileDescriptor*> done;
  std::vector<const pb::FileDescriptor*> with_kinds;
  for (const pb::FileDescriptor* file : files) Collect(*file, done, with_kinds);
  std::map<std::string, const pb::FileDescriptor*> by_package;
  for (const pb::FileDescriptor* file : with_kinds) {
    const auto [first, is_new] = by_package.try_emplace(file->package(), file);
    if (is_new) continue;
    diagnostics.Error(
        *file, {},
        absl::StrCat("package ", file->package(), ": kinds of this package are also in ",
                     first->second->name(), ", put all into one file"));
  }
}

}  // namespace kube::codegen
