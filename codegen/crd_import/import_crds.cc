// The order of work: definitions are read and checked; their versions are sorted by group, version
// and kind, so that nothing depends on the order of files; each group and version becomes a model
// of a file (internal/idl.h), which is printed.

#include "codegen/crd_import/import_crds.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "codegen/crd_import/internal/idl.h"
#include "codegen/crd_import/internal/idl_names.h"
#include "codegen/crd_import/internal/idl_printer.h"
#include "codegen/crd_import/internal/kind_options.h"
#include "codegen/crd_import/internal/message_builder.h"
#include "codegen/crd_import/internal/read_definitions.h"
#include "codegen/names.h"

namespace kube::codegen {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using api::apiextensions::v1::CustomResourceDefinitionVersion;
using unstructured::Value;

// Of one version. The generator looks for each kind among the others.
constexpr size_t kMaxKinds = 1000;

// A definition, and the name of its file.
struct Definition {
  CustomResourceDefinition crd = {};
  std::string file = {};
};

// A version of a definition that is imported.
struct Version {
  const CustomResourceDefinition* definition = nullptr;
  std::string file = {};
  const CustomResourceDefinitionVersion* version = nullptr;
  // Whether other versions of the definition are imported, too, and this one is stored.
  bool is_stored = false;
};

struct GroupVersion {
  std::string group;
  std::string version;

  friend auto operator<=>(const GroupVersion&, const GroupVersion&) = default;
};

// The versions of each group and version by kind.
using Versions = std::map<GroupVersion, std::map<std::string, Version>>;

std::string NameOf(const GroupVersion& version) {
  return absl::StrCat(version.group, "/", version.version);
}

bool IsIdentifier(absl::string_view text) {
  const auto fits = [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  return !text.empty() && !absl::ascii_isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), fits);
}

absl::Status CheckPrefix(absl::string_view prefix) {
  const std::vector<absl::string_view> parts = absl::StrSplit(prefix, '.');
  if (std::all_of(parts.begin(), parts.end(), IsIdentifier)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("import with package prefix \"",
                                                 absl::CHexEscape(prefix),
                                                 "\": must be names with dots between them"));
}

// Reads all files. Two definitions must not have the same name.
absl::StatusOr<std::vector<Definition>> ReadAll(absl::Span<const CrdFile> files) {
  std::vector<Definition> all;
  std::map<std::string, std::string> file_of;
  for (const CrdFile& file : files) {
    KUBE_ASSIGN_OR_RETURN(std::vector<CustomResourceDefinition> definitions,
                          internal::ReadDefinitions(file.text), "import ", file.name);
    for (CustomResourceDefinition& definition : definitions) {
      const std::string name(definition.metadata.name);
      const auto [other, is_new] = file_of.emplace(name, file.name);
      if (!is_new) {
        return absl::InvalidArgumentError(absl::StrCat("import ", file.name,
                                                       ": CustomResourceDefinition \"", name,
                                                       "\" is in ", other->second, ", too"));
      }
      all.push_back({.crd = std::move(definition), .file = file.name});
    }
  }
  return all;
}

// Adds the versions of a definition that are wanted. If several are, one is marked as stored: that
// of the definition, or, if it is not wanted, the first.
absl::Status Collect(const Definition& read, const std::set<std::string>& wanted,
                     Versions& versions) {
  const CustomResourceDefinition& definition = read.crd;
  std::vector<Version*> added;
  const std::string group(definition.spec.group);
  const std::string kind(definition.spec.names.kind);
  Version* stored = nullptr;
  for (const CustomResourceDefinitionVersion& version : definition.spec.versions) {
    const GroupVersion key = {group, std::string(version.name)};
    if (!wanted.empty() && wanted.count(NameOf(key)) == 0) continue;
    const auto [place, is_new] = versions[key].try_emplace(kind);
    if (!is_new) {
      return absl::InvalidArgumentError(absl::StrCat(
          "import kind ", kind, " of ", NameOf(key), ": \"",
          place->second.definition->metadata.name.view(), "\" in ", place->second.file, " and \"",
          definition.metadata.name.view(), "\" in ", read.file, " both define it"));
    }
    place->second = {.definition = &definition, .file = read.file, .version = &version};
    added.push_back(&place->second);
    if (version.storage) stored = added.back();
  }
  if (added.size() > 1) (stored != nullptr ? stored : added.front())->is_stored = true;
  return absl::OkStatus();
}

absl::Status CheckWanted(const std::set<std::string>& wanted, const Versions& versions,
                         const std::vector<Definition>& definitions) {
  for (const std::string& name : wanted) {
    const bool is_there = std::any_of(versions.begin(), versions.end(),
                                      [&](const auto& each) { return NameOf(each.first) == name; });
    if (is_there) continue;
    std::set<std::string> known;
    for (const Definition& definition : definitions) {
      for (const CustomResourceDefinitionVersion& version : definition.crd.spec.versions) {
        known.insert(absl::StrCat(definition.crd.spec.group.view(), "/", version.name.view()));
      }
    }
    return absl::NotFoundError(
        absl::StrCat("import version \"", name, "\": the files have ", absl::StrJoin(known, ", ")));
  }
  return absl::OkStatus();
}

// Gives each kind its names before any other message, and keeps all off the names of classes and
// functions of the generated code.
std::vector<internal::KindMessages> NameKinds(const GroupVersion& version,
                                              const std::map<std::string, Version>& kinds,
                                              internal::MessageNames& names) {
  const std::string client = GroupVersionName(version.group, version.version);
  for (const std::string& name : {absl::StrCat(client, "Client"), absl::StrCat(client, "Informers"),
                                  absl::StrCat(GroupName(version.group), "Informers"),
                                  std::string("SharedInformerFactory"), std::string("Kinds")}) {
    names.Reserve(name);
  }
  std::vector<internal::KindMessages> messages;
  for (const auto& [kind, each] : kinds) {
    internal::KindMessages& added = messages.emplace_back();
    added.name = names.Add(internal::Segment(kind));
    names.Reserve(absl::StrCat(added.name, "Client"));
    names.Reserve(absl::StrCat(added.name, "Informer"));
    added.kind =
        internal::KindOptionsOf(*each.definition, *each.version, added.name, each.is_stored);
  }
  size_t next = 0;
  for (const auto& [kind, each] : kinds) {
    internal::KindMessages& added = messages[next++];
    added.list_name = names.Add(internal::Segment(each.definition->spec.names.list_kind.view()));
    added.list_kind = internal::ListOptionsOf(*each.definition, added.list_name, added.name);
  }
  return messages;
}

absl::StatusOr<std::string> ImportVersion(const GroupVersion& version,
                                          const std::map<std::string, Version>& kinds,
                                          const ImportCrdsOptions& options) {
  if (kinds.size() > kMaxKinds) {
    return absl::ResourceExhaustedError(absl::StrCat("import ", NameOf(version), ": ", kinds.size(),
                                                     " kinds, more than the limit of ", kMaxKinds));
  }
  internal::MessageNames names;
  internal::MessageBuilder builder(names);
  const std::vector<internal::KindMessages> messages = NameKinds(version, kinds, names);
  internal::IdlFile file;
  file.package = internal::PackageOf(options.package_prefix, version.group, version.version);
  file.group = version.group;
  file.version = version.version;
  size_t next = 0;
  for (const auto& [kind, each] : kinds) {
    const std::string name(each.definition->metadata.name);
    file.sources.push_back(name);
    KUBE_ASSIGN_OR_RETURN(const std::string json,
                          codec::EncodeJson(*each.version->schema->open_api_v3_schema));
    KUBE_ASSIGN_OR_RETURN(const Value schema, unstructured::ParseJson(json));
    KUBE_RETURN_IF_ERROR(builder.AddKind(messages[next++], *schema.object()), "import ", each.file,
                         ": CustomResourceDefinition \"", name, "\", version ", version.version);
  }
  std::sort(file.sources.begin(), file.sources.end());
  file.messages = builder.TakeMessages();
  file.aliases = builder.TakeAliases();
  return internal::PrintIdl(file);
}

}  // namespace

absl::StatusOr<std::vector<ImportedIdl>> ImportCrds(absl::Span<const CrdFile> files,
                                                    const ImportCrdsOptions& options) {
  KUBE_RETURN_IF_ERROR(CheckPrefix(options.package_prefix));
  KUBE_ASSIGN_OR_RETURN(const std::vector<Definition> definitions, ReadAll(files));
  const std::set<std::string> wanted(options.versions.begin(), options.versions.end());
  Versions versions;
  for (const Definition& definition : definitions) {
    KUBE_RETURN_IF_ERROR(Collect(definition, wanted, versions));
  }
  KUBE_RETURN_IF_ERROR(CheckWanted(wanted, versions, definitions));
  std::vector<ImportedIdl> imported;
  for (const auto& [version, kinds] : versions) {
    KUBE_ASSIGN_OR_RETURN(std::string text, ImportVersion(version, kinds, options));
    imported.push_back(
        {.group = version.group, .version = version.version, .text = std::move(text)});
  }
  return imported;
}

}  // namespace kube::codegen
