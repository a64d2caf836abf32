#include "envtest/service_account.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/decode_unstructured.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "envtest/internal/manifest_documents.h"

namespace kube::envtest {
namespace {

using unstructured::Unstructured;
using unstructured::Value;

constexpr absl::string_view kRbac = "rbac.authorization.k8s.io";
constexpr absl::Duration kPollInterval = absl::Milliseconds(50);

// A kind that is applied.
struct Kind {
  absl::string_view group;
  absl::string_view plural;
  absl::string_view kind;
  bool namespaced;
};

constexpr Kind kKinds[] = {
    {"", "namespaces", "Namespace", false},
    {"", "serviceaccounts", "ServiceAccount", true},
    {kRbac, "roles", "Role", true},
    {kRbac, "clusterroles", "ClusterRole", false},
    {kRbac, "rolebindings", "RoleBinding", true},
    {kRbac, "clusterrolebindings", "ClusterRoleBinding", false},
};

// A document of a manifest that is applied.
struct Document {
  const Kind* kind = nullptr;
  Unstructured object = {};
};

// "serviceaccounts \"web\" in \"prod\"", for errors.
std::string Describe(const Document& document) {
  const absl::string_view space = document.object.namespace_name();
  return absl::StrCat(document.kind->plural, " \"", document.object.name(), "\"",
                      space.empty() ? "" : absl::StrCat(" in \"", space, "\""));
}

// ---- manifests

// Adds the document to `found` if it is of a kind that is applied.
absl::Status Decode(const internal::ManifestDocument& document, const std::string& namespace_name,
                    std::vector<Document>& found) {
  for (const Kind& kind : kKinds) {
    const std::string version = kind.group.empty() ? "v1" : absl::StrCat(kind.group, "/v1");
    if (kind.kind != document.type.kind || version != document.type.api_version) continue;
    Document decoded{.kind = &kind};
    KUBE_ASSIGN_OR_RETURN(decoded.object, unstructured::DecodeUnstructured(document.json));
    if (decoded.object.name().empty()) {
      return absl::InvalidArgumentError(absl::StrCat("the ", kind.kind, " has no name"));
    }
    if (kind.namespaced && decoded.object.namespace_name().empty()) {
      decoded.object.set_namespace(namespace_name);
    }
    found.push_back(std::move(decoded));
    break;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Document>> ReadAll(const ServiceAccountOptions& options) {
  std::vector<Document> found;
  KUBE_RETURN_IF_ERROR(internal::VisitManifests(
      options.paths, options.manifest, [&](const internal::ManifestDocument& document) {
        return Decode(document, options.namespace_name, found);
      }));
  return found;
}

struct Account {
  std::string namespace_name = {};
  std::string name = {};

  std::string full_name() const { return absl::StrCat(namespace_name, "/", name); }
};

absl::StatusOr<Account> ChooseAccount(const std::vector<Document>& documents,
                                      const std::string& wanted) {
  std::vector<Account> accounts;
  std::vector<std::string> names;
  for (const Document& each : documents) {
    if (each.kind->kind != "ServiceAccount") continue;
    Account account{.namespace_name = std::string(each.object.namespace_name()),
                    .name = std::string(each.object.name())};
    if (!wanted.empty() && wanted != account.name && wanted != account.full_name()) continue;
    names.push_back(account.full_name());
    accounts.push_back(std::move(account));
  }
  if (accounts.size() == 1) return accounts[0];
  if (accounts.empty()) {
    return absl::NotFoundError(absl::StrCat("find service account", wanted.empty() ? "" : " \"",
                                            wanted, wanted.empty() ? "" : "\"",
                                            ": the manifests have none"));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("find service account: the manifests have ", absl::StrJoin(names, ", "),
                   "; choose one with ServiceAccountOptions::account"));
}

// ---- the server

dynamic::ResourceClient ClientFor(const dynamic::DynamicClient& client, absl::string_view group,
                                  absl::string_view plural, absl::string_view namespace_name) {
  return client
      .Resource({.group = std::string(group), .version = "v1", .resource = std::string(plural)})
      .Namespace(namespace_name);
}

absl::Status Apply(const Context& ctx, const dynamic::DynamicClient& client,
                   const Document& document) {
  const Unstructured& object = document.object;
  const absl::string_view space =
      document.kind->namespaced ? object.namespace_name() : absl::string_view();
  return ClientFor(client, document.kind->group, document.kind->plural, space)
      .Apply(ctx, object.name(), object, {.force = true, .field_manager = "envtest"})
      .status();
}

// Returns the text of the first element, or "".
absl::string_view First(const Value& list) {
  const List<Value>* const elements = list.list();
  if (elements == nullptr || elements->empty()) return "";
  return (*elements)[0].text().value_or("");
}

absl::string_view TextOf(const Value& value) { return value.text().value_or(""); }

Value MemberOf(const Unstructured& object, absl::string_view name) {
  const Value* const member = object.object.find(name);
  return member == nullptr ? Value() : *member;
}

bool Binds(const Document& binding, const Account& account) {
  const Value subjects = MemberOf(binding.object, "subjects");
  if (!subjects.is_list()) return false;
  for (const Value& each : *subjects.list()) {
    if (TextOf(each["kind"]) == "ServiceAccount" && TextOf(each["name"]) == account.name &&
        TextOf(each["namespace"]) == account.namespace_name) {
      return true;
    }
  }
  return false;
}

// Returns the role that the binding names if it is among the manifests, else null.
const Document* RoleOf(const Document& binding, const std::vector<Document>& documents) {
  const Value reference = MemberOf(binding.object, "roleRef");
  for (const Document& each : documents) {
    if (each.kind->group != kRbac || each.kind->kind != TextOf(reference["kind"]) ||
        each.object.name() != TextOf(reference["name"])) {
      continue;
    }
    if (!each.kind->namespaced || each.object.namespace_name() == binding.object.namespace_name()) {
      return &each;
    }
  }
  return nullptr;
}

// Returns a question to the server: whether the account may send a request that the first rule of
// the role allows. Returns nullopt if the role allows nothing.
std::optional<Unstructured> QuestionOf(const Document& role, const Document& binding,
                                       const Account& account) {
  const Value rules = MemberOf(role.object, "rules");
  if (!rules.is_list() || rules.list()->empty()) return std::nullopt;
  const Value& rule = (*rules.list())[0];
  Map<Value> spec;
  spec["user"] =
      Value(absl::StrCat("system:serviceaccount:", account.namespace_name, ":", account.name));
  spec["groups"] =
      Value(List<Value>{Value("system:serviceaccounts"),
                        Value(absl::StrCat("system:serviceaccounts:", account.namespace_name)),
                        Value("system:authenticated")});
  const absl::string_view verb = First(rule["verbs"]);
  if (const absl::string_view path = First(rule["nonResourceURLs"]); !path.empty()) {
    spec["nonResourceAttributes"] = Value(Map<Value>{{"path", path}, {"verb", verb}});
  } else {
    const std::pair<std::string, std::string> resource =
        absl::StrSplit(First(rule["resources"]), absl::MaxSplits('/', 1));
    spec["resourceAttributes"] = Value(Map<Value>{{"namespace", binding.object.namespace_name()},
                                                  {"verb", verb},
                                                  {"group", First(rule["apiGroups"])},
                                                  {"resource", resource.first},
                                                  {"subresource", resource.second},
                                                  {"name", First(rule["resourceNames"])}});
  }
  Unstructured question;
  question.set_api_version("authorization.k8s.io/v1");
  question.set_kind("SubjectAccessReview");
  question.object["spec"] = Value(std::move(spec));
  return question;
}

// Waits until the server has seen the role and the binding.
absl::Status AwaitRights(const Context& ctx, const dynamic::DynamicClient& client,
                         const std::vector<Document>& documents, const Account& account) {
  const dynamic::ResourceClient reviews =
      ClientFor(client, "authorization.k8s.io", "subjectaccessreviews", "");
  for (const Document& binding : documents) {
    const bool is_binding =
        binding.kind->kind == "RoleBinding" || binding.kind->kind == "ClusterRoleBinding";
    if (!is_binding || !Binds(binding, account)) continue;
    const Document* const role = RoleOf(binding, documents);
    if (role == nullptr) continue;
    const std::optional<Unstructured> question = QuestionOf(*role, binding, account);
    if (!question.has_value()) continue;
    KUBE_RETURN_IF_ERROR(base::PollUntil(ctx, kPollInterval, base::FirstPoll::kAtOnce,
                                         [&](const Context& poll) -> absl::StatusOr<bool> {
                                           KUBE_ASSIGN_OR_RETURN(const Unstructured answer,
                                                                 reviews.Create(poll, *question));
                                           const Value status = MemberOf(answer, "status");
                                           return status["allowed"].boolean().value_or(false);
                                         }),
                         "wait for the rights of ", Describe(binding));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> RequestToken(const Context& ctx, const dynamic::DynamicClient& client,
                                         const Account& account, absl::Duration lifetime) {
  Unstructured request;
  request.set_api_version("authentication.k8s.io/v1");
  request.set_kind("TokenRequest");
  request.set_name(account.name);
  request.object["spec"] = Value(Map<Value>{{"expirationSeconds", absl::ToInt64Seconds(lifetime)}});
  KUBE_ASSIGN_OR_RETURN(const Unstructured answer,
                        ClientFor(client, "", "serviceaccounts", account.namespace_name)
                            .Create(ctx, request, {}, {"token"}));
  const Value status = MemberOf(answer, "status");
  std::string token(TextOf(status["token"]));
  if (token.empty()) return absl::InternalError("the answer has no token");
  return token;
}

}  // namespace

absl::StatusOr<rest::Config> ServiceAccountConfig(const Context& ctx, const rest::Config& admin,
                                                  const ServiceAccountOptions& options) {
  KUBE_ASSIGN_OR_RETURN(const std::vector<Document> documents, ReadAll(options));
  KUBE_ASSIGN_OR_RETURN(const Account account, ChooseAccount(documents, options.account));
  KUBE_ASSIGN_OR_RETURN(rest::Client made, rest::MakeClient(admin));
  const dynamic::DynamicClient client(std::move(made));
  for (const Document& each : documents) {
    KUBE_RETURN_IF_ERROR(Apply(ctx, client, each), "apply ", Describe(each));
  }
  if (options.timeout > absl::ZeroDuration()) {
    KUBE_RETURN_IF_ERROR(
        AwaitRights(WithTimeout(ctx, options.timeout), client, documents, account));
  }
  KUBE_ASSIGN_OR_RETURN(const std::string token,
                        RequestToken(ctx, client, account, options.token_lifetime),
                        "request token of service account \"", account.full_name(), "\"");
  rest::Config config = rest::AnonymousConfig(admin);
  config.bearer_token = base::Secret(token);
  return config;
}

}  // namespace kube::envtest
