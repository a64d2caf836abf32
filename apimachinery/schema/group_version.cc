#include "apimachinery/schema/group_version.h"

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::schema {

namespace {

std::string Dotted(absl::string_view name, absl::string_view group) {
  return group.empty() ? std::string(name) : absl::StrCat(name, ".", group);
}

// The text before the first dot, and the text after it; `rest` is empty if there is no dot.
struct Halves {
  absl::string_view name;
  absl::string_view rest;
};

Halves CutAtDot(absl::string_view text) {
  const size_t dot = text.find('.');
  if (dot == absl::string_view::npos) return {.name = text, .rest = {}};
  return {.name = text.substr(0, dot), .rest = text.substr(dot + 1)};
}

// "deployments.v1.apps" in three parts.
struct Thirds {
  std::string name;
  std::string version;
  std::string group;
};

std::optional<Thirds> CutAtTwoDots(absl::string_view text) {
  if (std::count(text.begin(), text.end(), '.') < 2) return std::nullopt;
  const Halves first = CutAtDot(text);
  const Halves second = CutAtDot(first.rest);
  return Thirds{.name = std::string(first.name),
                .version = std::string(second.name),
                .group = std::string(second.rest)};
}

}  // namespace

GroupVersionKind GroupVersion::WithKind(absl::string_view kind) const {
  return {.group = group, .version = version, .kind = std::string(kind)};
}

GroupVersionResource GroupVersion::WithResource(absl::string_view resource) const {
  return {.group = group, .version = version, .resource = std::string(resource)};
}

GroupVersionKind GroupKind::WithVersion(absl::string_view version) const {
  return {.group = group, .version = std::string(version), .kind = kind};
}

GroupVersionResource GroupResource::WithVersion(absl::string_view version) const {
  return {.group = group, .version = std::string(version), .resource = resource};
}

std::string GroupVersion::ToString() const {
  return group.empty() ? version : absl::StrCat(group, "/", version);
}

std::string GroupKind::ToString() const { return Dotted(kind, group); }

std::string GroupResource::ToString() const { return Dotted(resource, group); }

std::string GroupVersionKind::ToString() const {
  return absl::StrCat(group, "/", version, ", Kind=", kind);
}

std::string GroupVersionResource::ToString() const {
  return absl::StrCat(group, "/", version, ", Resource=", resource);
}

std::ostream& operator<<(std::ostream& out, const GroupVersion& value) {
  return out << value.ToString();
}

std::ostream& operator<<(std::ostream& out, const GroupKind& value) {
  return out << value.ToString();
}

std::ostream& operator<<(std::ostream& out, const GroupResource& value) {
  return out << value.ToString();
}

std::ostream& operator<<(std::ostream& out, const GroupVersionKind& value) {
  return out << value.ToString();
}

std::ostream& operator<<(std::ostream& out, const GroupVersionResource& value) {
  return out << value.ToString();
}

absl::StatusOr<GroupVersion> ParseGroupVersion(absl::string_view text) {
  if (text.empty() || text == "/") return GroupVersion();
  switch (std::count(text.begin(), text.end(), '/')) {
    case 0:
      return GroupVersion{.group = {}, .version = std::string(text)};
    case 1: {
      const size_t slash = text.find('/');
      return GroupVersion{.group = std::string(text.substr(0, slash)),
                          .version = std::string(text.substr(slash + 1))};
    }
    default:
      return absl::InvalidArgumentError(absl::StrCat("unexpected GroupVersion string: ", text));
  }
}

GroupKind ParseGroupKind(absl::string_view text) {
  const Halves halves = CutAtDot(text);
  return {.group = std::string(halves.rest), .kind = std::string(halves.name)};
}

GroupResource ParseGroupResource(absl::string_view text) {
  const Halves halves = CutAtDot(text);
  return {.group = std::string(halves.rest), .resource = std::string(halves.name)};
}

ResourceArg ParseResourceArg(absl::string_view text) {
  ResourceArg arg = {.with_version = {}, .group_resource = ParseGroupResource(text)};
  if (std::optional<Thirds> thirds = CutAtTwoDots(text)) {
    arg.with_version = {
        .group = thirds->group, .version = thirds->version, .resource = thirds->name};
  }
  return arg;
}

KindArg ParseKindArg(absl::string_view text) {
  KindArg arg = {.with_version = {}, .group_kind = ParseGroupKind(text)};
  if (std::optional<Thirds> thirds = CutAtTwoDots(text)) {
    arg.with_version = {.group = thirds->group, .version = thirds->version, .kind = thirds->name};
  }
  return arg;
}

GroupVersionKind FromApiVersionAndKind(absl::string_view api_version, absl::string_view kind) {
  const absl::StatusOr<GroupVersion> version = ParseGroupVersion(api_version);
  return version.ok() ? version->WithKind(kind) : GroupVersion().WithKind(kind);
}

std::string ApiVersionOf(const GroupVersionKind& kind) { return kind.group_version().ToString(); }

std::optional<GroupVersionKind> KindFor(const GroupVersion& wanted,
                                        const std::vector<GroupVersionKind>& kinds) {
  for (const GroupVersionKind& kind : kinds) {
    if (kind.group_version() == wanted) return kind;
  }
  for (const GroupVersionKind& kind : kinds) {
    if (kind.group == wanted.group) return wanted.WithKind(kind.kind);
  }
  return std::nullopt;
}

std::optional<GroupVersionKind> KindForAny(const std::vector<GroupVersion>& wanted,
                                           const std::vector<GroupVersionKind>& kinds) {
  std::vector<GroupVersionKind> found;
  for (const GroupVersion& version : wanted) {
    if (std::optional<GroupVersionKind> kind = KindFor(version, kinds)) found.push_back(*kind);
  }
  if (found.empty()) return std::nullopt;
  for (const GroupVersionKind& kind : found) {
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) return kind;
  }
  return found.front();
}

}  // namespace kube::schema
