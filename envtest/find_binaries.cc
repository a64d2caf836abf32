#include "envtest/find_binaries.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace kube::envtest {
namespace {

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Folders that are searched together.
struct Place {
  std::string name;
  std::vector<std::string> folders;
};

std::vector<Place> Places(const BinariesEnvironment& environment) {
  std::vector<Place> places;
  if (environment.kubebuilder_assets.empty()) {
    places.push_back({"KUBEBUILDER_ASSETS (not set)", {}});
  } else {
    places.push_back({absl::StrCat("KUBEBUILDER_ASSETS (", environment.kubebuilder_assets, ")"),
                      {environment.kubebuilder_assets}});
  }
  const std::string cache = !environment.xdg_cache_home.empty() ? environment.xdg_cache_home
                            : environment.home.empty()          ? ""
                                                       : absl::StrCat(environment.home, "/.cache");
  if (!cache.empty()) {
    const std::string folder = absl::StrCat(cache, "/client-cpp/kube/", CONTROL_PLANE_BUILD);
    places.push_back({absl::StrCat("the cache of tools/kube (", folder, ")"), {folder}});
  }
  places.push_back({absl::StrCat("PATH (", environment.path, ")"),
                    absl::StrSplit(environment.path, ':', absl::SkipEmpty())});
  return places;
}

// Returns the path of the program, or "" if it is in none of the folders.
std::string Find(const std::vector<std::string>& folders, absl::string_view program) {
  for (const std::string& folder : folders) {
    std::string path = absl::StrCat(folder, "/", program);
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0) {
      return path;
    }
  }
  return "";
}

}  // namespace

BinariesEnvironment ProcessBinariesEnvironment() {
  return {.kubebuilder_assets = Variable("KUBEBUILDER_ASSETS"),
          .xdg_cache_home = Variable("XDG_CACHE_HOME"),
          .home = Variable("HOME"),
          .path = Variable("PATH")};
}

absl::StatusOr<ControlPlaneBinaries> FindControlPlaneBinaries(
    const BinariesEnvironment& environment) {
  std::vector<std::string> looked;
  for (const Place& place : Places(environment)) {
    ControlPlaneBinaries found = {
        .etcd = Find(place.folders, "etcd"),
        .kube_apiserver = Find(place.folders, "kube-apiserver"),
        .kube_controller_manager = Find(place.folders, "kube-controller-manager")};
    if (!found.etcd.empty() && !found.kube_apiserver.empty()) return found;
    const absl::string_view missing =
        found.etcd.empty() ? (found.kube_apiserver.empty() ? "neither of them" : "no etcd")
                           : "no kube-apiserver";
    looked.push_back(absl::StrCat(missing, " in ", place.name));
  }
  return absl::NotFoundError(
      absl::StrCat("find etcd and kube-apiserver: ", absl::StrJoin(looked, ", "),
                   "; run tools/kube get, or set KUBEBUILDER_ASSETS to their folder"));
}

}  // namespace kube::envtest
