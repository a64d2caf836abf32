#include "apiserver/validation/validate_webhooks.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/label.h"
#include "apimachinery/validation/messages.h"
#include "apimachinery/validation/meta_v1.h"
#include "apimachinery/validation/value.h"
#include "apiserver/errors/field_errors.h"
#include "apiserver/object.h"
#include "apiserver/validation/match_condition.h"
#include "net/url/url.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;
namespace field = validation::field;
using field::ErrorList;
using field::Path;

constexpr size_t kMaxConditions = 64;

// What an update may keep because the stored configuration has it already.
struct Tolerance {
  bool side_effects = false;
  bool unknown_versions = false;
  bool same_names = false;
  bool invalid_labels = false;
  bool match_conditions = false;
};

bool HasWildcard(const List<String>& values) {
  for (const String& each : values) {
    if (each == "*") return true;
  }
  return false;
}

// Appends an error unless the value is absent or one of `values`, which are sorted. Unlike
// CheckOneOf it does not accept "".
void CheckEnum(ErrorList& wrong, const Path& path, const Opt<String>& value,
               absl::Span<const absl::string_view> values) {
  if (!value.has_value()) return;
  for (absl::string_view each : values) {
    if (*value == each) return;
  }
  wrong.push_back(field::NotSupported(path, field::JsonText(value->view()), values));
}

// ---- rules

// What the resources of a rule name with wildcards so far.
struct Wildcards {
  std::set<std::string> all_subresources_of = {};  // "x/*"
  std::set<std::string> of_all_resources = {};     // "*/x"
};

void CheckSubresource(ErrorList& wrong, const Path& path, absl::string_view text,
                      Wildcards& wildcards) {
  const size_t slash = text.find('/');
  const std::string resource(text.substr(0, slash));
  const std::string subresource(text.substr(slash + 1));
  if (wildcards.all_subresources_of.count(resource) != 0) {
    wrong.push_back(
        field::Invalid(path, std::string(text),
                       absl::StrCat("if '", resource, "/*' is present, must not specify ", text)));
  }
  if (wildcards.of_all_resources.count(subresource) != 0) {
    wrong.push_back(field::Invalid(
        path, std::string(text),
        absl::StrCat("if '*/", subresource, "' is present, must not specify ", text)));
  }
  if (subresource == "*") wildcards.all_subresources_of.insert(resource);
  if (resource == "*") wildcards.of_all_resources.insert(subresource);
}

void CheckResources(ErrorList& wrong, const List<String>& resources, const Path& path) {
  if (resources.empty()) wrong.push_back(field::Required(path, ""));
  Wildcards wildcards;
  bool has_all = false;
  bool has_star = false;
  bool has_plain = false;
  for (size_t i = 0; i < resources.size(); ++i) {
    const absl::string_view text = resources[i].view();
    if (text.empty()) {
      wrong.push_back(field::Required(path.Index(i), ""));
      continue;
    }
    if (text == "*/*") has_all = true;
    if (text == "*") has_star = true;
    if (absl::StrContains(text, "/")) {
      CheckSubresource(wrong, path.Index(i), text, wildcards);
    } else {
      // As upstream, the last one decides.
      has_plain = text != "*";
    }
  }
  if (resources.size() > 1 && has_all) {
    wrong.push_back(field::Invalid(path, field::JsonOf(resources),
                                   "if '*/*' is present, must not specify other resources"));
  }
  if (has_star && has_plain) {
    wrong.push_back(
        field::Invalid(path, field::JsonOf(resources),
                       "if '*' is present, must not specify other resources without subresources"));
  }
}

// Checks a list of names that may be "*" alone.
void CheckNames(ErrorList& wrong, const List<String>& names, const Path& path,
                absl::string_view what) {
  if (names.empty()) wrong.push_back(field::Required(path, ""));
  if (names.size() > 1 && HasWildcard(names)) {
    wrong.push_back(
        field::Invalid(path, field::JsonOf(names),
                       absl::StrCat("if '*' is present, must not specify other ", what)));
  }
}

void CheckRule(ErrorList& wrong, const admissionv1::RuleWithOperations& rule, const Path& path) {
  constexpr absl::string_view kOperations[] = {"*", "CONNECT", "CREATE", "DELETE", "UPDATE"};
  constexpr absl::string_view kScopes[] = {"*", "Cluster", "Namespaced"};
  const Path operations = path.Child("operations");
  CheckNames(wrong, rule.operations, operations, "operations");
  for (size_t i = 0; i < rule.operations.size(); ++i) {
    CheckEnum(wrong, operations.Index(i), rule.operations[i], kOperations);
  }
  CheckNames(wrong, rule.api_groups, path.Child("apiGroups"), "API groups");
  const Path versions = path.Child("apiVersions");
  CheckNames(wrong, rule.api_versions, versions, "API versions");
  for (size_t i = 0; i < rule.api_versions.size(); ++i) {
    if (rule.api_versions[i].empty()) wrong.push_back(field::Required(versions.Index(i), ""));
  }
  CheckResources(wrong, rule.resources, path.Child("resources"));
  CheckEnum(wrong, path.Child("scope"), rule.scope, kScopes);
}

// ---- where the webhook is

void CheckUrl(ErrorList& wrong, absl::string_view text, const Path& path) {
  constexpr absl::string_view kForm = "; desired format: https://host[/path]";
  const absl::StatusOr<url::Url> parsed = url::Parse(text);
  if (!parsed.ok()) {
    wrong.push_back(field::Required(
        path, absl::StrCat("url must be a valid URL: ", parsed.status().message(), kForm)));
    return;
  }
  if (parsed->scheme != "https") {
    wrong.push_back(field::Invalid(path, parsed->scheme,
                                   absl::StrCat("'https' is the only allowed URL scheme", kForm)));
  }
  if (parsed->host.empty()) {
    wrong.push_back(
        field::Invalid(path, parsed->host, absl::StrCat("host must be specified", kForm)));
  }
  if (parsed->user.has_value()) {
    // Without the password.
    wrong.push_back(field::Invalid(path, parsed->user->substr(0, parsed->user->find(':')),
                                   "user information is not permitted in the URL"));
  }
  if (!parsed->fragment.empty()) {
    wrong.push_back(
        field::Invalid(path, parsed->fragment, "fragments are not permitted in the URL"));
  }
  if (!parsed->query.empty()) {
    wrong.push_back(
        field::Invalid(path, parsed->query, "query parameters are not permitted in the URL"));
  }
}

void CheckServicePath(ErrorList& wrong, const std::string& text, const Path& path) {
  if (text.empty() || text == "/") return;
  if (text == "//") {
    wrong.push_back(field::Invalid(path, text, "segment[0] may not be empty"));
    return;
  }
  if (text[0] != '/') wrong.push_back(field::Invalid(path, text, "must start with a '/'"));
  absl::string_view steps = absl::string_view(text).substr(1);
  absl::ConsumeSuffix(&steps, "/");
  size_t i = 0;
  for (absl::string_view step : absl::StrSplit(steps, '/')) {
    if (step.empty()) {
      wrong.push_back(
          field::Invalid(path, text, absl::StrCat("segment[", i, "] may not be empty")));
    } else {
      for (const std::string& message : validation::IsDns1123Subdomain(step)) {
        wrong.push_back(field::Invalid(path, text, absl::StrCat("segment[", i, "]: ", message)));
      }
    }
    ++i;
  }
}

void CheckService(ErrorList& wrong, const admissionv1::ServiceReference& service,
                  const Path& path) {
  // As upstream, which takes the name for the namespace and the namespace for the name.
  if (service.namespace_.empty()) wrong.push_back(field::Required(path.Child("name"), ""));
  if (service.name.empty()) wrong.push_back(field::Required(path.Child("namespace"), ""));
  const int port = *service.port;
  if (const validation::Messages messages = validation::IsValidPortNum(port); !messages.empty()) {
    wrong.push_back(
        field::Invalid(path.Child("port"), int64_t{port},
                       absl::StrCat("port is not valid: ", absl::StrJoin(messages, ", "))));
  }
  if (service.path.has_value()) {
    CheckServicePath(wrong, std::string(*service.path), path.Child("path"));
  }
}

void CheckClient(ErrorList& wrong, const admissionv1::WebhookClientConfig& client,
                 const Path& path) {
  if (client.url.has_value() == client.service.has_value()) {
    wrong.push_back(field::Required(path, "exactly one of url or service is required"));
  } else if (client.url.has_value()) {
    CheckUrl(wrong, client.url->view(), path.Child("url"));
  } else {
    CheckService(wrong, *client.service, path.Child("service"));
  }
}

// ---- conditions

void CheckExpression(ErrorList& wrong, absl::string_view text, const Path& path) {
  const absl::string_view expression = absl::StripAsciiWhitespace(text);
  if (expression.empty()) {
    wrong.push_back(field::Required(path, ""));
    return;
  }
  const absl::StatusOr<cel::Program> program = CompileMatchCondition(expression);
  if (program.ok()) return;
  wrong.push_back(field::Invalid(path, std::string(expression), program.status().message()));
}

void CheckConditions(ErrorList& wrong, const List<admissionv1::MatchCondition>& conditions,
                     const Path& path) {
  if (conditions.size() > kMaxConditions) {
    wrong.push_back(field::TooMany(path, static_cast<int>(conditions.size()),
                                   static_cast<int>(kMaxConditions)));
  }
  std::set<std::string> names;
  for (size_t i = 0; i < conditions.size(); ++i) {
    const admissionv1::MatchCondition& each = conditions[i];
    CheckExpression(wrong, each.expression.view(), path.Index(i).Child("expression"));
    const Path name = path.Index(i).Child("name");
    if (each.name.empty()) {
      wrong.push_back(field::Required(name, ""));
      continue;
    }
    AppendInvalid(wrong, name, each.name.view(), validation::IsQualifiedName(each.name.view()));
    if (!names.insert(std::string(each.name)).second) {
      wrong.push_back(field::Duplicate(name, std::string(each.name)));
    }
  }
}

// ---- webhooks

bool IsKnownVersion(const String& version) { return version == "v1" || version == "v1beta1"; }

void CheckReviewVersions(ErrorList& wrong, const List<String>& versions, const Path& path,
                         const Tolerance& tolerance) {
  if (versions.empty()) {
    wrong.push_back(field::Required(path, "must specify one of v1, v1beta1"));
    return;
  }
  std::set<std::string> seen;
  bool known = false;
  for (size_t i = 0; i < versions.size(); ++i) {
    const std::string version(versions[i]);
    if (!seen.insert(version).second) {
      wrong.push_back(field::Invalid(path.Index(i), version, "duplicate version"));
      continue;
    }
    AppendInvalid(wrong, path.Index(i), version, validation::IsDns1035Label(version));
    known = known || IsKnownVersion(versions[i]);
  }
  if (known || tolerance.unknown_versions) return;
  wrong.push_back(
      field::Invalid(path, field::JsonOf(versions), "must include at least one of v1, v1beta1"));
}

bool HasNoSideEffects(const Opt<String>& side_effects) {
  return side_effects == "None" || side_effects == "NoneOnDryRun";
}

void CheckSideEffects(ErrorList& wrong, const Opt<String>& side_effects, const Path& path,
                      const Tolerance& tolerance) {
  constexpr absl::string_view kAll[] = {"None", "NoneOnDryRun", "Some", "Unknown"};
  const auto allowed = absl::MakeConstSpan(kAll).subspan(0, tolerance.side_effects ? 4 : 2);
  if (!side_effects.has_value()) {
    wrong.push_back(
        field::Required(path, absl::StrCat("must specify one of ", absl::StrJoin(allowed, ", "))));
  }
  CheckEnum(wrong, path, side_effects, allowed);
}

template <typename Webhook>
void CheckWebhook(ErrorList& wrong, const Webhook& webhook, const Path& path,
                  const Tolerance& tolerance) {
  constexpr absl::string_view kFailurePolicies[] = {"Fail", "Ignore"};
  constexpr absl::string_view kMatchPolicies[] = {"Equivalent", "Exact"};
  field::Append(wrong, validation::IsFullyQualifiedName(path.Child("name"), webhook.name.view()));
  for (size_t i = 0; i < webhook.rules.size(); ++i) {
    CheckRule(wrong, webhook.rules[i], path.Child("rules").Index(i));
  }
  CheckEnum(wrong, path.Child("failurePolicy"), webhook.failure_policy, kFailurePolicies);
  CheckEnum(wrong, path.Child("matchPolicy"), webhook.match_policy, kMatchPolicies);
  CheckSideEffects(wrong, webhook.side_effects, path.Child("sideEffects"), tolerance);
  if (webhook.timeout_seconds.has_value() &&
      (*webhook.timeout_seconds > 30 || *webhook.timeout_seconds < 1)) {
    wrong.push_back(field::Invalid(path.Child("timeoutSeconds"), int64_t{*webhook.timeout_seconds},
                                   "the timeout value must be between 1 and 30 seconds"));
  }
  const validation::LabelSelectorValidationOptions labels = {.allow_invalid_label_value =
                                                                 tolerance.invalid_labels};
  if (webhook.namespace_selector) {
    field::Append(wrong, validation::ValidateLabelSelector(
                             *webhook.namespace_selector, path.Child("namespaceSelector"), labels));
  }
  if (webhook.object_selector) {
    field::Append(wrong, validation::ValidateLabelSelector(*webhook.object_selector,
                                                           path.Child("objectSelector"), labels));
  }
  if constexpr (requires { webhook.reinvocation_policy; }) {
    constexpr absl::string_view kReinvocationPolicies[] = {"IfNeeded", "Never"};
    CheckEnum(wrong, path.Child("reinvocationPolicy"), webhook.reinvocation_policy,
              kReinvocationPolicies);
  }
  CheckClient(wrong, webhook.client_config, path.Child("clientConfig"));
  if (!tolerance.match_conditions) {
    CheckConditions(wrong, webhook.match_conditions, path.Child("matchConditions"));
  }
}

template <typename Webhook>
void CheckAll(ErrorList& wrong, const List<Webhook>& webhooks, const Tolerance& tolerance) {
  std::set<std::string> names;
  for (size_t i = 0; i < webhooks.size(); ++i) {
    const Webhook& webhook = webhooks[i];
    const Path path = Path("webhooks").Index(i);
    CheckWebhook(wrong, webhook, path, tolerance);
    CheckReviewVersions(wrong, webhook.admission_review_versions,
                        path.Child("admissionReviewVersions"), tolerance);
    if (tolerance.same_names || webhook.name.empty()) continue;
    if (!names.insert(std::string(webhook.name)).second) {
      wrong.push_back(field::Duplicate(path.Child("name"), std::string(webhook.name)));
    }
  }
}

template <typename Webhook>
bool HasInvalidLabels(const Webhook& webhook) {
  const auto invalid = [](const auto& selector) {
    return selector && !validation::ValidateLabelSelector(*selector, Path()).empty();
  };
  return invalid(webhook.namespace_selector) || invalid(webhook.object_selector);
}

// Returns what an update of `old` to `now` may keep.
template <typename Webhook>
Tolerance ToleranceOf(const List<Webhook>& now, const List<Webhook>& old) {
  Tolerance tolerance;
  std::set<std::string> names;
  tolerance.match_conditions = now.size() == old.size();
  for (size_t i = 0; i < old.size(); ++i) {
    const Webhook& each = old[i];
    if (!names.insert(std::string(each.name)).second) tolerance.same_names = true;
    if (!HasNoSideEffects(each.side_effects)) tolerance.side_effects = true;
    if (HasInvalidLabels(each)) tolerance.invalid_labels = true;
    bool known = each.admission_review_versions.empty();
    for (const String& version : each.admission_review_versions) {
      known = known || IsKnownVersion(version);
    }
    if (!known) tolerance.unknown_versions = true;
    if (tolerance.match_conditions && !(now[i].match_conditions == each.match_conditions)) {
      tolerance.match_conditions = false;
    }
  }
  return tolerance;
}

template <typename Configuration>
void CheckConfiguration(ErrorList& wrong, const Object& object, const Object* old) {
  const auto* const now = object.As<Configuration>();
  if (now == nullptr) return;
  const auto* const before = old == nullptr ? nullptr : old->As<Configuration>();
  CheckAll(wrong, now->webhooks,
           before == nullptr ? Tolerance() : ToleranceOf(now->webhooks, before->webhooks));
}

}  // namespace

void CheckWebhooks(ErrorList& wrong, const Object& object, const Object* old) {
  CheckConfiguration<admissionv1::MutatingWebhookConfiguration>(wrong, object, old);
  CheckConfiguration<admissionv1::ValidatingWebhookConfiguration>(wrong, object, old);
}

}  // namespace kube::apiserver::internal
