#include "codegen/clients.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "codegen/diagnostics.h"
#include "codegen/kinds.h"
#include "codegen/model.h"
#include "codegen/names.h"
#include "codegen/resources.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

// The functions of typed::TypedClient for each verb.
constexpr std::pair<const char*, const char*> kVerbFunctions[] = {
    {"get", "Get"},       {"list", "List"},     {"list", "ListPage"},
    {"watch", "Watch"},   {"create", "Create"}, {"update", "Update"},
    {"delete", "Delete"}, {"patch", "Patch"},   {"deletecollection", "DeleteCollection"},
    {"patch", "Apply"},
};

// Subresources of the core group that are connections, texts or answered with a Status. The IDL
// cannot describe their functions; clientset/expansions has them.
constexpr absl::string_view kByHand[] = {"attach",   "binding", "eviction",    "exec",
                                         "finalize", "log",     "portforward", "proxy"};

bool Contains(const std::vector<std::string>& texts, absl::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

class ClientsBuilder {
 public:
  ClientsBuilder(const File& file, const pb::FileDescriptor& descriptor,
                 const ClientRequest& request, Diagnostics& diagnostics)
      : file_(file), descriptor_(descriptor), request_(request), diagnostics_(diagnostics) {}

  void AddKnown(const pb::FileDescriptor& descriptor);
  ClientFile Build();

 private:
  // A kind that may be the type of a subresource.
  struct KnownKind {
    KindEntry entry;
    std::string type;
    std::string header;
  };

  void Error(const KindEntry& kind, absl::string_view problem) {
    const pb::Descriptor* message = descriptor_.FindMessageTypeByName(kind.message_name);
    diagnostics_.Error(*message, absl::StrCat("kind ", kind.kind, ": ", problem));
  }
  void CheckClassName(const KindEntry& kind, absl::string_view name);
  KindClient BuildKind(const KindEntry& kind);
  void SetVerbs(KindClient& client, const KindEntry& kind);
  void AddMethods(KindClient& client, const KindEntry& kind, const SubresourceEntry& subresource);
  // Returns nullopt and reports an error if the kind is not found.
  std::optional<KnownKind> Find(const KindEntry& kind, const SubresourceEntry& subresource,
                                const std::string& name);
  GroupClient& GroupOf(const KindEntry& kind);
  void AddKind(const KindEntry& kind);

  const File& file_;
  const pb::FileDescriptor& descriptor_;
  const ClientRequest& request_;
  Diagnostics& diagnostics_;
  std::set<const pb::FileDescriptor*> visited_;
  std::map<std::string, KnownKind> known_;  // by "autoscaling/v1 Scale"
  std::set<std::string> includes_;
  ClientFile result_;
};

void ClientsBuilder::AddKnown(const pb::FileDescriptor& descriptor) {
  if (!visited_.insert(&descriptor).second) return;
  // Errors in their kinds are reported when those files are generated.
  Diagnostics ignored;
  for (const KindEntry& entry : BuildKinds(descriptor, ignored)) {
    const std::string type =
        &descriptor == &descriptor_
            ? entry.struct_name
            : absl::StrCat("::", CppNamespace(descriptor.package()), "::", entry.struct_name);
    known_.try_emplace(absl::StrCat(ApiVersion(entry.group, entry.version), " ", entry.kind),
                       KnownKind{entry, type, HeaderPath(descriptor.name())});
  }
  for (int i = 0; i < descriptor.dependency_count(); ++i) AddKnown(*descriptor.dependency(i));
}

void ClientsBuilder::CheckClassName(const KindEntry& kind, absl::string_view name) {
  for (const Struct& type : file_.structs) {
    if (type.name == name) {
      Error(kind, absl::StrCat("class ", name, " of its client already exists"));
    }
  }
}

std::optional<ClientsBuilder::KnownKind> ClientsBuilder::Find(const KindEntry& kind,
                                                              const SubresourceEntry& subresource,
                                                              const std::string& name) {
  const std::string own = absl::StrCat(ApiVersion(kind.group, kind.version), " ", kind.kind);
  const auto found = known_.find(name.empty() ? own : name);
  if (found != known_.end()) return found->second;
  Error(kind, absl::StrCat("subresource ", subresource.name, ": kind ", name,
                           " not found, add its library to client_deps"));
  return std::nullopt;
}

void ClientsBuilder::AddMethods(KindClient& client, const KindEntry& kind,
                                const SubresourceEntry& subresource) {
  const bool is_own = subresource.input.empty() && subresource.result.empty();
  const std::optional<KnownKind> sent = Find(kind, subresource, subresource.input);
  const std::optional<KnownKind> result = Find(kind, subresource, subresource.result);
  if (!sent.has_value() || !result.has_value()) return;
  for (const KnownKind& each : {*sent, *result}) {
    if (each.type != each.entry.struct_name) includes_.insert(each.header);
  }
  const auto add = [&](absl::string_view verb, MethodForm form, absl::string_view prefix) {
    if (!Contains(subresource.verbs, verb)) return;
    client.methods.push_back({form, absl::StrCat(prefix, SubresourceName(subresource.name)),
                              subresource.name, result->type, sent->type, sent->entry.group,
                              sent->entry.version, sent->entry.kind});
  };
  // For the object's own type, TypedClient's Get and Patch already do this.
  if (!is_own) add("get", MethodForm::kGet, "Get");
  add("create", MethodForm::kCreate, "Create");
  add("update", MethodForm::kUpdate, "Update");
  if (!is_own) add("patch", MethodForm::kApply, "Apply");
}

void ClientsBuilder::SetVerbs(KindClient& client, const KindEntry& kind) {
  for (const auto& [verb, function] : kVerbFunctions) {
    const bool lists_nothing = verb == absl::string_view("list") && !client.has_list;
    if (Contains(kind.verbs, verb) && !lists_nothing) client.verbs.emplace_back(function);
  }
  if (Contains(kind.verbs, "get") && Contains(kind.verbs, "patch")) client.verbs.push_back("Edit");
  for (const SubresourceEntry& subresource : kind.subresources) {
    if (subresource.name != "status") continue;
    // The status of a custom resource supports all verbs; its IDL need not name them.
    const bool all = subresource.verbs.empty();
    if (all || Contains(subresource.verbs, "update")) client.verbs.push_back("UpdateStatus");
    if (all || Contains(subresource.verbs, "patch")) client.verbs.push_back("ApplyStatus");
  }
  std::sort(client.verbs.begin(), client.verbs.end());
}

KindClient ClientsBuilder::BuildKind(const KindEntry& kind) {
  KindClient client;
  static_cast<ResourceEntry&>(client) = BuildResource(file_, kind);
  client.class_name = absl::StrCat(kind.message_name, "Client");
  CheckClassName(kind, client.class_name);
  SetVerbs(client, kind);
  for (const SubresourceEntry& subresource : kind.subresources) {
    const bool by_hand = kind.group.empty() &&
                         std::count(std::begin(kByHand), std::end(kByHand), subresource.name) > 0;
    if (subresource.name != "status" && !by_hand) AddMethods(client, kind, subresource);
  }
  const auto expansion = request_.expansions.find(kind.message_name);
  if (expansion != request_.expansions.end()) {
    client.expansion = absl::StrCat("::kube::expansions::", kind.message_name, "Expansion");
    includes_.insert(expansion->second);
  }
  return client;
}

GroupClient& ClientsBuilder::GroupOf(const KindEntry& kind) {
  for (GroupClient& group : result_.groups) {
    if (group.group == kind.group && group.version == kind.version) return group;
  }
  GroupClient group;
  group.group = kind.group;
  group.version = kind.version;
  group.name = GroupVersionName(kind.group, kind.version);
  group.class_name = absl::StrCat(group.name, "Client");
  CheckClassName(kind, group.class_name);
  return result_.groups.emplace_back(std::move(group));
}

void ClientsBuilder::AddKind(const KindEntry& kind) {
  GroupClient& group = GroupOf(kind);
  KindClient client = BuildKind(kind);
  const bool is_taken =
      client.accessor == group.class_name ||
      std::any_of(group.kinds.begin(), group.kinds.end(),
                  [&client](const KindClient& each) { return each.accessor == client.accessor; });
  if (is_taken) {
    Error(kind, absl::StrCat("function ", client.accessor, " of class ", group.class_name,
                             " already exists"));
  }
  group.kinds.push_back(std::move(client));
}

ClientFile ClientsBuilder::Build() {
  result_.proto_path = file_.proto_path;
  result_.header = request_.header;
  result_.cpp_namespace = file_.cpp_namespace;
  result_.inline_namespace = file_.inline_namespace;
  result_.traits = BuildTraits(file_);
  for (const KindEntry& kind : file_.kinds) {
    if (kind.scope != "kNone") AddKind(kind);
  }
  for (GroupClient& group : result_.groups) {
    std::sort(group.kinds.begin(), group.kinds.end(),
              [](const KindClient& a, const KindClient& b) { return a.accessor < b.accessor; });
  }
  includes_.insert(HeaderPath(file_.proto_path));
  for (const char* header :
       {"absl/status/statusor.h", "absl/strings/string_view.h", "api/meta/v1/types.kube.h",
        "apimachinery/base/context.h", "apimachinery/types/apply_of.h",
        "apimachinery/types/message_type.h", "clientset/rest/client.h",
        "clientset/typed/resource.h", "clientset/typed/resource_traits.h",
        "clientset/typed/typed_client.h"}) {
    includes_.insert(header);
  }
  result_.includes.assign(includes_.begin(), includes_.end());
  return std::move(result_);
}

}  // namespace

ClientFile BuildClients(const File& file, const pb::FileDescriptor& descriptor,
                        const std::vector<const pb::FileDescriptor*>& known,
                        const ClientRequest& request, Diagnostics& diagnostics) {
  ClientsBuilder builder(file, descriptor, request, diagnostics);
  builder.AddKnown(descriptor);
  for (const pb::FileDescriptor* each : known) builder.AddKnown(*each);
  return builder.Build();
}

}  // namespace kube::codegen
