#include "apimachinery/restmapper/errors.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/schema/group_version.h"

namespace kube::restmapper {

namespace {

using text::Quoted;

constexpr char kNoMatchUrl[] = "kube.restmapper/no-match";
constexpr char kAmbiguousUrl[] = "kube.restmapper/ambiguous";

// Formats a list as Go's fmt does for elements with a String method: "[a b]".
template <typename T>
std::string ListOf(const std::vector<T>& values) {
  const auto print = [](std::string* out, const T& value) {
    absl::StrAppend(out, value.ToString());
  };
  return absl::StrCat("[", absl::StrJoin(values, " ", print), "]");
}

// The payload is a sequence of strings, each preceded by its size and a colon: the number of
// resources, then three names for each resource, then three names for each kind.
void AppendText(std::string& out, absl::string_view text) {
  absl::StrAppend(&out, text.size(), ":", text);
}

std::string Pack(const Candidates& candidates) {
  std::string out;
  AppendText(out, absl::StrCat(candidates.resources.size()));
  for (const schema::GroupVersionResource& resource : candidates.resources) {
    AppendText(out, resource.group);
    AppendText(out, resource.version);
    AppendText(out, resource.resource);
  }
  for (const schema::GroupVersionKind& kind : candidates.kinds) {
    AppendText(out, kind.group);
    AppendText(out, kind.version);
    AppendText(out, kind.kind);
  }
  return out;
}

std::optional<std::string> TakeText(absl::string_view& packed) {
  const size_t colon = packed.find(':');
  size_t size = 0;
  if (colon == absl::string_view::npos || !absl::SimpleAtoi(packed.substr(0, colon), &size) ||
      size > packed.size() - colon - 1) {
    return std::nullopt;
  }
  std::string text(packed.substr(colon + 1, size));
  packed.remove_prefix(colon + 1 + size);
  return text;
}

std::optional<Candidates> Unpack(absl::string_view packed) {
  size_t resources = 0;
  const std::optional<std::string> count = TakeText(packed);
  if (!count.has_value() || !absl::SimpleAtoi(*count, &resources)) return std::nullopt;
  Candidates candidates;
  while (!packed.empty()) {
    const std::optional<std::string> group = TakeText(packed);
    const std::optional<std::string> version = TakeText(packed);
    const std::optional<std::string> name = TakeText(packed);
    if (!group.has_value() || !version.has_value() || !name.has_value()) return std::nullopt;
    if (candidates.resources.size() < resources) {
      candidates.resources.push_back({.group = *group, .version = *version, .resource = *name});
    } else {
      candidates.kinds.push_back({.group = *group, .version = *version, .kind = *name});
    }
  }
  return candidates;
}

absl::Status NoMatchError(absl::string_view message) {
  absl::Status status = absl::NotFoundError(message);
  status.SetPayload(kNoMatchUrl, absl::Cord());
  return status;
}

absl::Status AmbiguousError(absl::string_view partial, const Candidates& candidates) {
  std::string matches = "resources or kinds";
  if (!candidates.kinds.empty() && !candidates.resources.empty()) {
    matches = absl::StrCat("resources ", ListOf(candidates.resources), " and kinds ",
                           ListOf(candidates.kinds));
  } else if (!candidates.kinds.empty()) {
    matches = absl::StrCat("kinds ", ListOf(candidates.kinds));
  } else if (!candidates.resources.empty()) {
    matches = absl::StrCat("resources ", ListOf(candidates.resources));
  }
  absl::Status status =
      absl::InvalidArgumentError(absl::StrCat(partial, " matches multiple ", matches));
  status.SetPayload(kAmbiguousUrl, absl::Cord(Pack(candidates)));
  return status;
}

}  // namespace

absl::Status NoResourceMatchError(const schema::GroupVersionResource& partial) {
  return NoMatchError(absl::StrCat("no matches for ", partial.ToString()));
}

absl::Status NoKindMatchError(const schema::GroupKind& kind,
                              absl::Span<const std::string> searched_versions) {
  std::set<std::string> searched;
  for (const std::string& version : searched_versions) {
    searched.insert(schema::GroupVersion{.group = kind.group, .version = version}.ToString());
  }
  const auto quote = [](std::string* out, const std::string& version) {
    text::AppendQuoted(*out, version);
  };
  const std::string prefix = absl::StrCat("no matches for kind ", Quoted(kind.kind), " in ");
  switch (searched.size()) {
    case 0:
      return NoMatchError(absl::StrCat(prefix, "group ", Quoted(kind.group)));
    case 1:
      return NoMatchError(absl::StrCat(prefix, "version ", Quoted(*searched.begin())));
    default:
      return NoMatchError(
          absl::StrCat(prefix, "versions [", absl::StrJoin(searched, " ", quote), "]"));
  }
}

absl::Status AmbiguousResourceError(const schema::GroupVersionResource& partial,
                                    const Candidates& candidates) {
  return AmbiguousError(partial.ToString(), candidates);
}

absl::Status AmbiguousKindError(const schema::GroupVersionKind& partial,
                                const Candidates& candidates) {
  return AmbiguousError(partial.ToString(), candidates);
}

bool IsNoMatch(const absl::Status& status) { return status.GetPayload(kNoMatchUrl).has_value(); }

bool IsAmbiguous(const absl::Status& status) {
  return status.GetPayload(kAmbiguousUrl).has_value();
}

std::optional<Candidates> CandidatesOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kAmbiguousUrl);
  if (!payload.has_value()) return std::nullopt;
  return Unpack(std::string(*payload));
}

absl::Status JoinErrors(absl::Span<const absl::Status> errors) {
  absl::Status joined = base::JoinErrors(errors);
  for (const char* url : {kNoMatchUrl, kAmbiguousUrl}) {
    for (const absl::Status& error : errors) {
      const auto payload = error.GetPayload(url);
      if (!payload.has_value()) continue;
      joined.SetPayload(url, *payload);
      break;
    }
  }
  return joined;
}

}  // namespace kube::restmapper
