#include "clientset/discovery/disk_cache.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/string.h"
#include "apimachinery/version/info.kube.h"
#include "clientset/discovery/discovery.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/discovery/internal/cache_file.h"
#include "clientset/discovery/memory_cache.h"
#include "clientset/discovery/server_resources.h"
#include "clientset/rest/config.h"

// How the cache stays correct when Invalidate is called while other threads read and fetch. Each
// call takes `generation_` when it begins; Invalidate increments it. Read discards what it has read
// if the generation has changed meanwhile, and Write does not replace the file then. After an
// Invalidate, files that other programs wrote are ignored (`invalidated_`), and only `own_files_`,
// written since, are read. `fresh_` becomes false as soon as a file of another program was used.
namespace kube::discovery {

namespace metav1 = api::meta::v1;

namespace {

constexpr char kApiVersion[] = "v1";

absl::string_view KindOf(const metav1::APIGroupList&) { return "APIGroupList"; }
absl::string_view KindOf(const metav1::APIResourceList&) { return "APIResourceList"; }
bool IsEmpty(const metav1::APIGroupList& list) { return list.groups.empty(); }
bool IsEmpty(const metav1::APIResourceList& list) { return list.resources.empty(); }

// Returns whether the group-version is safe as part of a path: a server, or somebody between it and
// us, must not be able to choose a file outside the directory.
bool IsPlain(absl::string_view group_version) {
  const std::vector<absl::string_view> parts = absl::StrSplit(group_version, '/');
  if (parts.size() > 2) return false;
  for (const absl::string_view part : parts) {
    if (part.empty() || part == "." || part == ".." || part.find('\0') != part.npos) return false;
  }
  return true;
}

template <typename ListT>
absl::StatusOr<std::shared_ptr<const ListT>> Decode(absl::string_view json) {
  KUBE_ASSIGN_OR_RETURN(ListT list, codec::DecodeJson<ListT>(json));
  if (list.kind != KindOf(list) || list.api_version != kApiVersion) {
    return absl::InvalidArgumentError(
        absl::StrCat("decode file: unexpected kind, expected ", KindOf(list)));
  }
  list.kind = list.api_version = String();
  return std::make_shared<const ListT>(std::move(list));
}

template <typename ListT>
absl::StatusOr<std::string> Encode(ListT list) {
  list.kind = KindOf(list);
  list.api_version = kApiVersion;
  return codec::EncodeJson(list, {.final_newline = true});
}

}  // namespace

std::string CacheDirectoryFor(absl::string_view parent, absl::string_view host) {
  std::string name(host);
  for (const absl::string_view scheme : {"https://", "http://"}) {
    const size_t place = name.find(std::string(scheme));
    if (place != std::string::npos) name.erase(place, scheme.size());
  }
  // One underscore for each character and not for each byte, as Go's regular expressions do it.
  std::string safe;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (absl::ascii_isalnum(byte) || c == '_' || c == '/' || c == '.' || c == '(' || c == ')') {
      safe += c;
    } else if ((byte & 0xc0) != 0x80) {
      safe += '_';
    }
  }
  return absl::StrCat(parent, "/", safe);
}

absl::StatusOr<std::string> DiskCache::Read(const std::string& path) const {
  bool own = false;
  uint64_t generation = 0;
  {
    base::MutexLock lock(mutex_);
    generation = generation_;
    own = own_files_.count(path) > 0;
    if (invalidated_ && !own) return absl::NotFoundError("cache invalidated");
  }
  KUBE_ASSIGN_OR_RETURN(std::string content,
                        internal::ReadCacheFile(path, base::WallNow() - options_.ttl));
  base::MutexLock lock(mutex_);
  // The content may be older than the call of Invalidate.
  if (generation != generation_) return absl::NotFoundError("cache invalidated");
  fresh_ = fresh_ && own;
  return content;
}

absl::Status DiskCache::Write(const std::string& path, absl::string_view content,
                              uint64_t generation) const {
  KUBE_ASSIGN_OR_RETURN(internal::NewCacheFile file, internal::NewCacheFile::Write(path, content));
  base::MutexLock lock(mutex_);
  if (generation != generation_) return absl::OkStatus();
  KUBE_RETURN_IF_ERROR(std::move(file).Replace());
  own_files_.insert(path);
  return absl::OkStatus();
}

uint64_t DiskCache::Generation() const {
  base::MutexLock lock(mutex_);
  return generation_;
}

template <typename ListT>
absl::StatusOr<std::shared_ptr<const ListT>> DiskCache::GetOrFetch(
    const Context& ctx, const std::string& path,
    const std::function<absl::StatusOr<std::shared_ptr<const ListT>>()>& fetch) const {
  const uint64_t generation = Generation();
  if (const absl::StatusOr<std::string> content = Read(path); content.ok()) {
    absl::StatusOr<std::shared_ptr<const ListT>> list = Decode<ListT>(*content);
    if (list.ok()) return list;
  }
  KUBE_ASSIGN_OR_RETURN(std::shared_ptr<const ListT> list, fetch());
  if (IsEmpty(*list)) return list;
  if (const absl::StatusOr<std::string> content = Encode(*list); content.ok()) {
    const absl::Status status = Write(path, *content, generation);
    if (!status.ok()) {
      KUBE_VLOG_CTX(ctx, 1, "failed to write cache", {"path", path}, {"err", status.ToString()});
    }
  }
  return list;
}

absl::StatusOr<GroupList> DiskCache::ServerGroups(const Context& ctx) const {
  return GetOrFetch<metav1::APIGroupList>(ctx,
                                          absl::StrCat(options_.directory, "/servergroups.json"),
                                          [&] { return delegate_->ServerGroups(ctx); });
}

absl::StatusOr<ResourceList> DiskCache::ServerResourcesForGroupVersion(
    const Context& ctx, absl::string_view group_version) const {
  if (!IsPlain(group_version)) {
    return delegate_->ServerResourcesForGroupVersion(ctx, group_version);
  }
  return GetOrFetch<metav1::APIResourceList>(
      ctx, absl::StrCat(options_.directory, "/", group_version, "/serverresources.json"),
      [&] { return delegate_->ServerResourcesForGroupVersion(ctx, group_version); });
}

absl::StatusOr<version::Info> DiskCache::ServerVersion(const Context& ctx) const {
  return delegate_->ServerVersion(ctx);
}

bool DiskCache::Fresh() const {
  base::MutexLock lock(mutex_);
  return fresh_;
}

// Invalidates the delegate first: if another thread fetches from it before it has forgotten, that
// thread has the old generation, and its result is not written.
void DiskCache::Invalidate() {
  delegate_->Invalidate();
  base::MutexLock lock(mutex_);
  own_files_.clear();
  fresh_ = true;
  invalidated_ = true;
  ++generation_;
}

absl::StatusOr<std::shared_ptr<DiskCache>> MakeCachedDiscovery(const rest::Config& config,
                                                               DiskCacheOptions options) {
  if (options.directory.empty()) {
    return absl::InvalidArgumentError("make cached discovery: directory is empty");
  }
  KUBE_ASSIGN_OR_RETURN(DiscoveryClient client, MakeDiscoveryClient(config));
  return std::make_shared<DiskCache>(
      std::make_shared<MemoryCache>(std::make_shared<DiscoveryClient>(std::move(client))),
      std::move(options));
}

}  // namespace kube::discovery
