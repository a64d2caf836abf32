#include "codegen/crds/crds.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "codegen/crds/crd_schema.h"
#include "codegen/crds/crd_version.h"
#include "codegen/crds/members.h"
#include "codegen/diagnostics.h"
#include "codegen/kinds.h"
#include "kube/options.pb.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

using unstructured::Value;

struct Version {
  const pb::Descriptor* message = nullptr;
  const KindOptions* options = nullptr;
  KindEntry entry;
};

// The versions of a kind, by name.
using Versions = std::map<std::string, Version>;

class CrdWriter {
 public:
  CrdWriter(const std::vector<const pb::FileDescriptor*>& files, Diagnostics& diagnostics)
      : diagnostics_(diagnostics), schemas_(files, diagnostics) {}

  void Collect(const pb::FileDescriptor& file);
  // Returns the definitions as YAML, by name.
  std::map<std::string, std::string> Write();

 private:
  Map<Value> WriteCrd(const Versions& versions);
  Map<Value> Metadata(const std::string& name, const Versions& versions);
  Map<Value> Names(const Version& version);
  void AddToSpec(const Version& version, Map<Value>& spec);
  void CheckNames(const Version& version);
  void CheckSame(const Version& first, const Version& other);
  const Version& StoredOf(const Versions& versions);

  void Error(const Version& version, absl::string_view problem) {
    diagnostics_.Error(*version.message,
                       absl::StrCat("kind ", version.message->name(), ": ", problem));
  }

  Diagnostics& diagnostics_;
  SchemaWriter schemas_;
  std::map<std::pair<std::string, std::string>, Versions> kinds_;  // by kind and group
  std::map<std::vector<std::string>, std::string> lists_;          // by group, version, message
};

// ---- collecting kinds

void CrdWriter::Collect(const pb::FileDescriptor& file) {
  for (KindEntry& entry : BuildKinds(file, diagnostics_)) {
    if (!entry.list_of.empty()) lists_[{entry.group, entry.version, entry.list_of}] = entry.kind;
    const pb::Descriptor* message = file.FindMessageTypeByName(entry.message_name);
    const KindOptions& options = message->options().GetExtension(kube::kind);
    if (options.scope() == NO_RESOURCE) continue;
    Versions& versions = kinds_[{entry.kind, entry.group}];
    Version version = {message, &options, std::move(entry)};
    CheckNames(version);
    const std::string name = version.entry.version;
    const auto [there, is_new] = versions.emplace(name, version);
    if (!is_new) Error(version, absl::StrCat("duplicate version ", name));
  }
}

bool IsLabel(absl::string_view name) {
  const auto is_fine = [](char c) {
    return absl::ascii_islower(static_cast<unsigned char>(c)) ||
           absl::ascii_isdigit(static_cast<unsigned char>(c)) || c == '-';
  };
  return !name.empty() && name.size() <= 63 && std::all_of(name.begin(), name.end(), is_fine) &&
         absl::ascii_islower(static_cast<unsigned char>(name.front())) && name.back() != '-';
}

// Checks the API server's rules for names, and its protected groups.
void CrdWriter::CheckNames(const Version& version) {
  const KindEntry& entry = version.entry;
  const auto check = [&](absl::string_view what, const std::string& name) {
    if (IsLabel(name)) return;
    Error(version,
          absl::StrCat(
              what, " \"", name,
              "\": must consist of lower case letters, digits and '-', and start with a letter"));
  };
  check("version", entry.version);
  check("plural", entry.plural);
  if (!entry.singular.empty()) check("singular", entry.singular);
  for (const std::string& name : entry.short_names) check("short_name", name);
  for (const std::string& name : entry.categories) check("category", name);
  if (!absl::StrContains(entry.group, '.')) {
    return Error(version, absl::StrCat("group \"", entry.group,
                                       "\": must be a domain such as \"example.com\""));
  }
  const bool is_protected =
      absl::EndsWith(entry.group, ".k8s.io") || absl::EndsWith(entry.group, ".kubernetes.io");
  if (is_protected && version.options->crd_annotation().count("api-approved.kubernetes.io") == 0) {
    Error(version,
          absl::StrCat(
              "group ", entry.group,
              ": protected groups must have the crd_annotation \"api-approved.kubernetes.io\""));
  }
}

// ---- what all versions share

// Checks that the names and the scope, which belong to the definition, are the same in all
// versions.
void CrdWriter::CheckSame(const Version& first, const Version& other) {
  const auto check = [&](absl::string_view what, const std::string& ours,
                         const std::string& theirs) {
    if (ours == theirs) return;
    Error(other, absl::StrCat(what, " \"", ours, "\": differs from version ", first.entry.version,
                              ", which has \"", theirs, "\""));
  };
  const auto joined = [](const std::vector<std::string>& names) {
    return absl::StrJoin(names, ", ");
  };
  check("scope", Scope_Name(other.options->scope()), Scope_Name(first.options->scope()));
  check("plural", other.entry.plural, first.entry.plural);
  check("singular", other.entry.singular, first.entry.singular);
  check("short_name", joined(other.entry.short_names), joined(first.entry.short_names));
  check("category", joined(other.entry.categories), joined(first.entry.categories));
}

const Version& CrdWriter::StoredOf(const Versions& versions) {
  const Version* stored = versions.size() == 1 ? &versions.begin()->second : nullptr;
  for (const auto& [name, version] : versions) {
    if (!version.options->storage()) continue;
    if (stored != nullptr && stored != &version) {
      Error(version, absl::StrCat("storage: already set by version ", stored->entry.version));
    }
    stored = &version;
  }
  if (stored != nullptr) return *stored;
  Error(versions.begin()->second, "storage: must be set for exactly one version");
  return versions.begin()->second;
}

Map<Value> CrdWriter::Metadata(const std::string& name, const Versions& versions) {
  Map<Value> metadata;
  metadata["name"] = name;
  const auto add = [&](const Version& version, const char* key, const auto& texts) {
    for (const auto& [text_name, text] : texts) {
      Value& there = ObjectAt(metadata, key)[text_name];
      if (!there.is_null() && there != Value(text)) {
        Error(version, absl::StrCat("\"", text_name, "\": differs from another version"));
      }
      there = text;
    }
  };
  for (const auto& [version_name, version] : versions) {
    add(version, "annotations", version.options->crd_annotation());
    add(version, "labels", version.options->crd_label());
  }
  return metadata;
}

Map<Value> CrdWriter::Names(const Version& version) {
  const KindEntry& entry = version.entry;
  Map<Value> names;
  const auto add = [&](const char* key, const std::vector<std::string>& texts) {
    if (!texts.empty()) names[key] = List<Value>(texts);
  };
  const auto list = lists_.find({entry.group, entry.version, entry.message_name});
  add("categories", entry.categories);
  names["kind"] = entry.kind;
  names["listKind"] = list == lists_.end() ? entry.kind + "List" : list->second;
  names["plural"] = entry.plural;
  add("shortNames", entry.short_names);
  names["singular"] = entry.singular.empty() ? absl::AsciiStrToLower(entry.kind) : entry.singular;
  return names;
}

// Adds the members of (kube.kind).crd_spec_json.
void CrdWriter::AddToSpec(const Version& version, Map<Value>& spec) {
  if (!version.options->has_crd_spec_json()) return;
  const absl::StatusOr<Value> members = unstructured::ParseJson(version.options->crd_spec_json());
  if (!members.ok() || !members->is_object()) {
    return Error(version, absl::StrCat("crd_spec_json: must be a JSON object",
                                       members.ok() ? "" : ": ", members.status().message()));
  }
  for (const auto& [name, value] : *members->object()) {
    const Value* there = spec.find(name);
    if (there != nullptr && *there != value) {
      Error(version, absl::StrCat("crd_spec_json: \"", name.view(),
                                  "\" has a value already, of another option or version"));
    }
    spec[name] = value;
  }
}

Map<Value> CrdWriter::WriteCrd(const Versions& versions) {
  const Version& stored = StoredOf(versions);
  const KindEntry& entry = stored.entry;
  List<Value> list;
  for (const auto& [name, version] : versions) {
    CheckSame(stored, version);
    std::vector<std::string> problems;
    list.push_back(WriteVersion(name, *version.options, &version == &stored,
                                schemas_.OfKind(*version.message), problems));
    for (const std::string& problem : problems) Error(version, problem);
  }
  const bool is_namespaced = stored.options->scope() == NAMESPACED;
  Map<Value> spec = {{"group", entry.group},
                     {"names", Names(stored)},
                     {"scope", is_namespaced ? "Namespaced" : "Cluster"},
                     {"versions", std::move(list)}};
  for (const auto& [name, version] : versions) AddToSpec(version, spec);
  return {{"apiVersion", "apiextensions.k8s.io/v1"},
          {"kind", "CustomResourceDefinition"},
          {"metadata", Metadata(absl::StrCat(entry.plural, ".", entry.group), versions)},
          {"spec", std::move(spec)}};
}

std::map<std::string, std::string> CrdWriter::Write() {
  std::map<std::string, std::string> crds;
  for (const auto& [kind, versions] : kinds_) {
    const Value crd = WriteCrd(versions);
    const std::string name(crd["metadata"]["name"].text().value_or(""));
    // Rules and patterns stay on one line, so that people can read them and search for them.
    absl::StatusOr<std::string> yaml = unstructured::EncodeYaml(crd, {.fold_lines = false});
    if (!yaml.ok()) {
      Error(versions.begin()->second, yaml.status().message());
    } else if (!crds.emplace(name, *std::move(yaml)).second) {
      Error(versions.begin()->second, absl::StrCat("duplicate resource ", name));
    }
  }
  return crds;
}

}  // namespace

std::string PrintCrds(const std::vector<const pb::FileDescriptor*>& files,
                      Diagnostics& diagnostics) {
  CrdWriter writer(files, diagnostics);
  std::vector<std::string> sources;
  for (const pb::FileDescriptor* file : files) {
    writer.Collect(*file);
    sources.push_back(file->name());
  }
  const std::map<std::string, std::string> crds = writer.Write();
  if (crds.empty() && diagnostics.empty() && !files.empty()) {
    diagnostics.Error(*files[0], {}, "CRDs: no message is a kind with a scope");
  }
  std::sort(sources.begin(), sources.end());
  std::string text = absl::StrCat("# Code generated by protoc-gen-kube. DO NOT EDIT.\n# Source: ",
                                  absl::StrJoin(sources, ", "), "\n");
  for (const auto& [name, crd] : crds) absl::StrAppend(&text, "---\n", crd);
  return text;
}

}  // namespace kube::codegen
