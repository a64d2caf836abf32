#include "apiserver/validation/policy_parts.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/types/box.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/meta_v1.h"
#include "apimachinery/validation/object_meta.h"
#include "apiserver/errors/field_errors.h"
#include "apiserver/validation/admission_rules.h"
#include "apiserver/validation/policy_compiler.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;
namespace metav1 = api::meta::v1;
namespace field = validation::field;
using field::ErrorList;
using field::Path;

bool IsCelIdentifier(absl::string_view name) {
  constexpr absl::string_view kReserved[] = {
      "true",     "false",   "null",      "in",       "as",  "break",  "const",
      "continue", "else",    "for",       "function", "if",  "import", "let",
      "loop",     "package", "namespace", "return",   "var", "void",   "while"};
  if (name.empty() || absl::ascii_isdigit(static_cast<unsigned char>(name[0]))) return false;
  return absl::c_all_of(name, [](unsigned char c) { return c == '_' || absl::ascii_isalnum(c); }) &&
         !absl::c_linear_search(kReserved, name);
}

void CheckRequiredSelector(ErrorList& wrong, const Box<metav1::LabelSelector>& selector,
                           const Path& path) {
  if (!selector) {
    wrong.push_back(field::Required(path, ""));
  } else {
    field::Append(wrong, validation::ValidateLabelSelector(*selector, path));
  }
}

void CheckNamedRules(ErrorList& wrong, const List<admissionv1::NamedRuleWithOperations>& rules,
                     const Path& path) {
  for (size_t i = 0; i < rules.size(); ++i) {
    std::set<std::string> names;
    const Path at = path.Index(i).Child("resourceNames");
    for (size_t j = 0; j < rules[i].resource_names.size(); ++j) {
      const std::string name(rules[i].resource_names[j]);
      AppendInvalid(wrong, at.Index(j), name,
                    validation::NameIsPathSegment(name, /*prefix=*/false));
      if (!names.insert(name).second) wrong.push_back(field::Duplicate(at.Index(j), name));
    }
    CheckRule(wrong, RuleOf(rules[i]), path.Index(i));
  }
}

void CheckVersionOfParams(ErrorList& wrong, absl::string_view api_version, const Path& path) {
  const std::string whole(api_version);
  if (std::count(api_version.begin(), api_version.end(), '/') > 1) {
    wrong.push_back(
        field::Invalid(path, whole, absl::StrCat("unexpected GroupVersion string: ", api_version)));
    return;
  }
  const size_t slash = api_version.find('/');
  const bool has_group = slash != absl::string_view::npos;
  const std::string group(has_group ? api_version.substr(0, slash) : "");
  const std::string version(has_group ? api_version.substr(slash + 1) : api_version);
  if (!group.empty()) {
    const auto messages = validation::IsDns1123Subdomain(group);
    if (!messages.empty()) {
      wrong.push_back(field::Invalid(path, group, absl::StrJoin(messages, ",")));
    }
  }
  if (version.empty()) {
    wrong.push_back(field::Invalid(path, whole, "version must be specified"));
    return;
  }
  const auto messages = validation::IsDns1035Label(version);
  if (!messages.empty()) {
    wrong.push_back(field::Invalid(path, version, absl::StrJoin(messages, ",")));
  }
}

}  // namespace

bool IsBlank(absl::string_view text) { return absl::StripAsciiWhitespace(text).empty(); }

void CheckRequiredEnum(ErrorList& wrong, const Path& path, const Opt<String>& value,
                       absl::Span<const absl::string_view> values) {
  if (!value.has_value()) wrong.push_back(field::Required(path, ""));
  CheckEnum(wrong, path, value, values);
}

void CheckMatch(ErrorList& wrong, const admissionv1::MatchResources& match, const Path& path) {
  constexpr absl::string_view kMatchPolicies[] = {"Equivalent", "Exact"};
  CheckRequiredEnum(wrong, path.Child("matchPolicy"), match.match_policy, kMatchPolicies);
  CheckRequiredSelector(wrong, match.namespace_selector, path.Child("namespaceSelector"));
  CheckRequiredSelector(wrong, match.object_selector, path.Child("objectSelector"));
  CheckNamedRules(wrong, match.resource_rules, path.Child("resourceRules"));
  CheckNamedRules(wrong, match.exclude_resource_rules, path.Child("excludeResourceRules"));
}

void CheckParamKind(ErrorList& wrong, const admissionv1::ParamKind& kind, const Path& path) {
  if (kind.api_version.empty()) {
    wrong.push_back(field::Required(path.Child("apiVersion"), ""));
  } else {
    CheckVersionOfParams(wrong, kind.api_version.view(), path.Child("apiVersion"));
  }
  if (kind.kind.empty()) {
    wrong.push_back(field::Required(path.Child("kind"), ""));
    return;
  }
  const auto messages = validation::IsDns1035Label(absl::AsciiStrToLower(kind.kind.view()));
  if (messages.empty()) return;
  wrong.push_back(field::Invalid(path.Child("kind"), std::string(kind.kind),
                                 absl::StrCat("may have mixed case, but should otherwise match: ",
                                              absl::StrJoin(messages, ","))));
}

void CheckVariable(ErrorList& wrong, const admissionv1::Variable& variable,
                   PolicyCompiler& compiler, const Path& path) {
  const std::string name(variable.name);
  if (IsBlank(name)) {
    wrong.push_back(field::Required(path.Child("name"), "name is not specified"));
  } else if (!IsCelIdentifier(name)) {
    wrong.push_back(field::Invalid(path.Child("name"), name, "must be a valid CEL identifier"));
  }
  const absl::string_view expression = variable.expression.view();
  if (IsBlank(expression)) {
    wrong.push_back(field::Required(path.Child("expression"), "expression is not specified"));
    return;
  }
  const absl::StatusOr<cel::Program> program = compiler.AddVariable(name, expression);
  if (program.ok()) return;
  AddCompileError(wrong, path.Child("expression"), expression, program.status());
}

void CheckParamRef(ErrorList& wrong, const admissionv1::ParamRef& ref, const Path& path) {
  constexpr absl::string_view kExclusive = "name and selector are mutually exclusive";
  constexpr absl::string_view kActions[] = {"Deny", "Allow"};
  if (!ref.name.empty()) {
    AppendInvalid(wrong, path.Child("name"), ref.name.view(),
                  validation::NameIsPathSegment(ref.name.view(), /*prefix=*/false));
    if (ref.selector) wrong.push_back(field::Forbidden(path.Child("name"), kExclusive));
  }
  if (ref.selector) {
    field::Append(wrong, validation::ValidateLabelSelector(*ref.selector, path.Child("selector")));
    if (!ref.name.empty()) wrong.push_back(field::Forbidden(path.Child("selector"), kExclusive));
  }
  if (ref.name.empty() && !ref.selector) {
    wrong.push_back(field::Required(path, "one of name or selector must be specified"));
  }
  const Path action = path.Child("parameterNotFoundAction");
  if (!ref.parameter_not_found_action.has_value() || ref.parameter_not_found_action->empty()) {
    wrong.push_back(field::Required(action, ""));
  } else {
    CheckEnum(wrong, action, ref.parameter_not_found_action, kActions);
  }
}

}  // namespace kube::apiserver::internal
