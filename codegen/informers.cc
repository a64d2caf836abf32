#include "codegen/informers.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "codegen/diagnostics.h"
#include "codegen/kinds.h"
#include "codegen/model.h"
#include "codegen/names.h"
#include "codegen/resources.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

constexpr char kFactory[] = "SharedInformerFactory";

bool Contains(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

class InformersBuilder {
 public:
  InformersBuilder(const File& file, const pb::FileDescriptor& descriptor,
                   const InformerRequest& request, Diagnostics& diagnostics)
      : file_(file), descriptor_(descriptor), request_(request), diagnostics_(diagnostics) {}

  InformerFile Build();

 private:
  void Error(const KindEntry& kind, const std::string& problem) {
    const pb::Descriptor* message = descriptor_.FindMessageTypeByName(kind.message_name);
    diagnostics_.Error(*message, absl::StrCat("kind ", kind.kind, ": ", problem));
  }
  // Reserves the name of a class, and returns it.
  std::string Take(const KindEntry& kind, const std::string& name);
  void AddKind(const KindEntry& kind, const ResourceEntry& resource);
  GroupInformers& GroupOf(const KindEntry& kind);
  VersionInformers& VersionOf(const KindEntry& kind);

  const File& file_;
  const pb::FileDescriptor& descriptor_;
  const InformerRequest& request_;
  Diagnostics& diagnostics_;
  std::set<std::string> taken_;
  InformerFile result_;
};

std::string InformersBuilder::Take(const KindEntry& kind, const std::string& name) {
  if (!taken_.insert(name).second) {
    Error(kind, absl::StrCat("name ", name, " of its informer is already used"));
  }
  return name;
}

GroupInformers& InformersBuilder::GroupOf(const KindEntry& kind) {
  for (GroupInformers& group : result_.groups) {
    if (group.group == kind.group) return group;
  }
  GroupInformers group;
  group.group = kind.group;
  group.name = GroupName(kind.group);
  if (request_.has_factory) {
    if (result_.groups.empty()) Take(kind, kFactory);
    group.class_name = Take(kind, absl::StrCat(group.name, "Informers"));
    // The functions of informers::SharedInformerFactoryCore.
    const std::set<std::string> functions = {"InformerFor", "Informers", "Shutdown", "Start",
                                             "WaitForCacheSync"};
    if (functions.count(group.name) > 0) {
      Error(kind, absl::StrCat("group hides function ", group.name, " of the factory"));
    }
  }
  return result_.groups.emplace_back(std::move(group));
}

VersionInformers& InformersBuilder::VersionOf(const KindEntry& kind) {
  GroupInformers& group = GroupOf(kind);
  for (VersionInformers& version : group.versions) {
    if (version.version == kind.version) return version;
  }
  VersionInformers version;
  version.version = kind.version;
  version.name = VersionName(kind.version);
  version.class_name =
      Take(kind, absl::StrCat(GroupVersionName(kind.group, kind.version), "Informers"));
  return group.versions.emplace_back(std::move(version));
}

void InformersBuilder::AddKind(const KindEntry& kind, const ResourceEntry& resource) {
  KindInformers informers;
  static_cast<ResourceEntry&>(informers) = resource;
  informers.type_name = Take(kind, absl::StrCat(kind.message_name, "Informer"));
  VersionInformers& version = VersionOf(kind);
  const bool is_taken = informers.accessor == version.class_name ||
                        std::any_of(version.kinds.begin(), version.kinds.end(),
                                    [&informers](const KindInformers& each) {
                                      return each.accessor == informers.accessor;
                                    });
  if (is_taken) {
    Error(kind, absl::StrCat("function ", informers.accessor, " of class ", version.class_name,
                             " already exists"));
  }
  version.kinds.push_back(std::move(informers));
}

InformerFile InformersBuilder::Build() {
  result_.proto_path = file_.proto_path;
  result_.header = request_.header;
  result_.cpp_namespace = file_.cpp_namespace;
  result_.inline_namespace = file_.inline_namespace;
  result_.includes = {HeaderPath(file_.proto_path), "clientset/typed/resource.h",
                      "clientset/typed/resource_traits.h",
                      "informers/shared_informer_factory_core.h"};
  std::sort(result_.includes.begin(), result_.includes.end());
  result_.traits = BuildTraits(file_);
  result_.has_factory = request_.has_factory;
  for (const Struct& type : file_.structs) taken_.insert(type.name);
  for (const KindEntry& kind : file_.kinds) {
    if (kind.scope == "kNone") continue;
    const ResourceEntry resource = BuildResource(file_, kind);
    if (resource.has_traits && Contains(kind.verbs, "watch")) AddKind(kind, resource);
  }
  for (GroupInformers& group : result_.groups) {
    for (VersionInformers& version : group.versions) {
      std::sort(
          version.kinds.begin(), version.kinds.end(),
          [](const KindInformers& a, const KindInformers& b) { return a.accessor < b.accessor; });
    }
  }
  return std::move(result_);
}

}  // namespace

InformerFile BuildInformers(const File& file, const pb::FileDescriptor& descriptor,
                            const InformerRequest& request, Diagnostics& diagnostics) {
  return InformersBuilder(file, descriptor, request, diagnostics).Build();
}

}  // namespace kube::codegen
