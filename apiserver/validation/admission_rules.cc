#include "apiserver/validation/admission_rules.h"

#include <cstddef>
#include <set>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/label.h"
#include "apiserver/errors/field_errors.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;
namespace field = validation::field;
using field::ErrorList;
using field::Path;

constexpr size_t kMaxConditions = 64;

bool HasWildcard(const List<String>& values) {
  for (const String& each : values) {
    if (each == "*") return true;
  }
  return false;
}

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

}  // namespace

void CheckEnum(ErrorList& wrong, const Path& path, const Opt<String>& value,
               absl::Span<const absl::string_view> values) {
  if (!value.has_value()) return;
  for (absl::string_view each : values) {
    if (*value == each) return;
  }
  wrong.push_back(field::NotSupported(path, field::JsonText(value->view()), values));
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

admissionv1::RuleWithOperations RuleOf(const admissionv1::NamedRuleWithOperations& named) {
  admissionv1::RuleWithOperations rule;
  rule.operations = named.operations;
  rule.api_groups = named.api_groups;
  rule.api_versions = named.api_versions;
  rule.resources = named.resources;
  rule.scope = named.scope;
  return rule;
}

void AddCompileError(ErrorList& wrong, const Path& path, absl::string_view expression,
                     const absl::Status& error) {
  if (error.code() == absl::StatusCode::kInternal) {
    wrong.push_back(field::InternalError(path, error.message()));
  } else {
    wrong.push_back(field::Invalid(path, std::string(expression), error.message()));
  }
}

void CheckConditions(
    ErrorList& wrong, const List<admissionv1::MatchCondition>& conditions, const Path& path,
    absl::FunctionRef<absl::StatusOr<cel::Program>(absl::string_view expression)> compile) {
  if (conditions.size() > kMaxConditions) {
    wrong.push_back(field::TooMany(path, static_cast<int>(conditions.size()),
                                   static_cast<int>(kMaxConditions)));
  }
  std::set<std::string> names;
  for (size_t i = 0; i < conditions.size(); ++i) {
    const admissionv1::MatchCondition& each = conditions[i];
    const Path at = path.Index(i).Child("expression");
    const absl::string_view expression = absl::StripAsciiWhitespace(each.expression.view());
    if (expression.empty()) {
      wrong.push_back(field::Required(at, ""));
    } else if (const auto program = compile(expression); !program.ok()) {
      AddCompileError(wrong, at, expression, program.status());
    }
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

}  // namespace kube::apiserver::internal
