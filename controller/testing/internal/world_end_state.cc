#include "controller/testing/internal/world_end_state.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/rest/client.h"
#include "controller/testing/audits.h"
#include "controller/testing/internal/logged_object.h"

namespace kube::controller::internal {

using unstructured::Value;

namespace {

// Members that count writes, or that the server fills in.
constexpr absl::string_view kVolatile[] = {"generation",      "managedFields", "observedGeneration",
                                           "resourceVersion", "selfLink",      "uid"};

bool IsVolatile(absl::string_view key) {
  return std::find(std::begin(kVolatile), std::end(kVolatile), key) != std::end(kVolatile);
}

bool IsTime(absl::string_view text) {
  absl::Time time;
  std::string error;
  return text.size() >= 20 && absl::ParseTime(absl::RFC3339_full, text, &time, &error);
}

// "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d"
bool IsUuid(absl::string_view text) {
  if (text.size() != 36) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (is_dash ? text[i] != '-' : !absl::ascii_isxdigit(static_cast<unsigned char>(text[i]))) {
      return false;
    }
  }
  return true;
}

std::string NormalString(absl::string_view text, const Value& metadata) {
  if (IsTime(text)) return "TIME";
  if (IsUuid(text)) return "UID";
  const absl::string_view generate_name = metadata["generateName"].text().value_or("");
  if (!generate_name.empty() && text == metadata["name"].text().value_or("")) {
    return absl::StrCat(generate_name, "*");
  }
  return std::string(text);
}

void Append(const Value& value, const Value& metadata, std::string& out) {
  if (value.object() != nullptr) {
    out += "{";
    for (const auto& [key, member] : *value.object()) {
      const absl::string_view name = key.view();
      if (IsVolatile(name)) continue;
      absl::StrAppend(&out, name, ": ");
      Append(member, metadata, out);
      out += ", ";
    }
    out += "}";
    return;
  }
  if (value.list() != nullptr) {
    out += "[";
    for (const Value& element : *value.list()) {
      Append(element, metadata, out);
      out += ", ";
    }
    out += "]";
    return;
  }
  if (value.text().has_value()) {
    absl::StrAppend(&out, "\"", NormalString(*value.text(), metadata), "\"");
    return;
  }
  const absl::StatusOr<std::string> json = unstructured::EncodeJson(value);
  out += json.ok() ? *json : json.status().ToString();
}

bool IsWrite(const apiserver::LoggedRequest& request) {
  return request.verb == "create" || request.verb == "update" || request.verb == "patch";
}

// Returns whether the objects of the request belong to the end state.
bool Counts(const apiserver::LoggedRequest& request) {
  if (!IsWrite(request) || request.code < 200 || request.code > 299) return false;
  const bool is_other = !request.subresource.empty() && request.subresource != "status";
  if (request.resource.empty() || is_other) return false;
  if (IsEvent(request) || IsLease(request)) return false;
  // Reviews are answers, and are not stored.
  if (request.group == "authentication.k8s.io") return false;
  if (request.group == "authorization.k8s.io") return false;
  if (request.group == "apiextensions.k8s.io") return false;
  return !absl::StartsWith(request.user_agent, "envtest-workloads");
}

}  // namespace

std::string NormalText(const Value& object) {
  std::string text;
  Append(object, object["metadata"], text);
  return text;
}

absl::StatusOr<AuditedState> ReadEndState(const rest::Client& client,
                                          const std::vector<apiserver::LoggedRequest>& log) {
  std::set<std::tuple<std::string, std::string, std::string>> resources;
  for (const apiserver::LoggedRequest& request : log) {
    if (Counts(request)) resources.insert({request.group, request.version, request.resource});
  }
  const dynamic::DynamicClient all(client);
  AuditedState state;
  for (const auto& [group, version, resource] : resources) {
    const absl::StatusOr<unstructured::UnstructuredList> list =
        all.Resource({.group = group, .version = version, .resource = resource}).List(Context());
    // A scenario may have deleted a definition, and with it all objects.
    if (errors::IsNotFound(list.status())) continue;
    KUBE_RETURN_IF_ERROR(list.status(), "list ", resource);
    const std::string suffix = group.empty() ? "" : absl::StrCat(".", group);
    const absl::string_view kind = absl::StripSuffix(list->kind.view(), "List");
    state.complete_kinds.push_back(absl::StrCat(kind, suffix));
    for (const unstructured::Unstructured& object : list->items) {
      state.objects.push_back(
          {.resource = absl::StrCat(resource, suffix), .object = Value(object.object)});
    }
  }
  state.time = base::WallNow();
  return state;
}

std::string TextOf(const AuditedState& state) {
  std::vector<std::string> lines;
  lines.reserve(state.objects.size());
  for (const AuditedObject& each : state.objects) {
    lines.push_back(absl::StrCat(each.resource, " ", NormalText(each.object)));
  }
  std::sort(lines.begin(), lines.end());
  return absl::StrJoin(lines, "\n");
}

std::string DifferenceOf(const std::string& one, const std::string& other) {
  if (one == other) return "";
  const std::vector<absl::string_view> left = absl::StrSplit(one, '\n');
  const std::vector<absl::string_view> right = absl::StrSplit(other, '\n');
  size_t i = 0;
  while (i < left.size() && i < right.size() && left[i] == right[i]) ++i;
  return absl::StrCat("  ", i < left.size() ? left[i] : "(nothing)", "\n  ",
                      i < right.size() ? right[i] : "(nothing)");
}

}  // namespace kube::controller::internal
