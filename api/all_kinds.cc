#include "api/all_kinds.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/internal/kind_lists.h"
#include "apimachinery/types/kind_info.h"

namespace kube::api {

namespace {

using Name = std::tuple<absl::string_view, absl::string_view, absl::string_view>;

Name NameOf(const KindInfo* kind) { return {kind->group, kind->version, kind->kind}; }

std::vector<const KindInfo*> SortedKinds() {
  std::vector<const KindInfo*> kinds = AllKinds();
  std::sort(kinds.begin(), kinds.end(),
            [](const KindInfo* a, const KindInfo* b) { return NameOf(a) < NameOf(b); });
  return kinds;
}

}  // namespace

std::vector<const KindInfo*> AllKinds() {
  std::vector<const KindInfo*> kinds;
  for (const internal::KindList list : internal::KindLists()) {
    for (const KindInfo& kind : list()) kinds.push_back(&kind);
  }
  return kinds;
}

const KindInfo* FindKind(absl::string_view api_version, absl::string_view kind) {
  static const std::vector<const KindInfo*> kinds = SortedKinds();
  const size_t slash = api_version.find('/');
  const bool has_group = slash != absl::string_view::npos;
  const Name name(has_group ? api_version.substr(0, slash) : absl::string_view(),
                  has_group ? api_version.substr(slash + 1) : api_version, kind);
  const auto found =
      std::lower_bound(kinds.begin(), kinds.end(), name,
                       [](const KindInfo* a, const Name& b) { return NameOf(a) < b; });
  return found != kinds.end() && NameOf(*found) == name ? *found : nullptr;
}

}  // namespace kube::api
