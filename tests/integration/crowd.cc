#include "tests/integration/crowd.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/object_name.h"
#include "clientset/rest/client.h"
#include "clientset/typed/typed_client.h"
#include "tests/integration/real_server.h"

namespace kube::integration {
namespace {

constexpr int kNamespaceCount = 10;
constexpr int kCreators = 8;
constexpr int kWriters = 3;

std::string NamespaceOf(int i) { return absl::StrCat("crowd-", i % kNamespaceCount); }
std::string NameOf(int i) { return absl::StrCat("c-", i); }

api::core::v1::ConfigMap MakeConfigMap(int i) {
  return {.metadata = {.name = NameOf(i),
                       .labels = {{"color", base::UniformInt(0, 4) == 0 ? "red" : "blue"}}},
          .data = {{"value", base::RandomString(16)}, {"kind", "small"}}};
}

}  // namespace

std::string Fingerprint(std::vector<std::string> lines) {
  std::sort(lines.begin(), lines.end());
  uint64_t hash = 0xcbf29ce484222325;
  for (const std::string& line : lines) {
    for (const char c : line) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  }
  return absl::StrCat(lines.size(), "-", absl::Hex(hash));
}

Crowd::Crowd(const rest::Client& client, int size)
    : config_maps_(client, kConfigMaps), metadata_(client, kConfigMaps), size_(size) {}

absl::Status Crowd::Create(const Context& ctx) {
  const typed::TypedClient<api::core::v1::Namespace, api::core::v1::NamespaceList> namespaces(
      config_maps_.client(), kNamespaces);
  for (int i = 0; i < kNamespaceCount; ++i) {
    KUBE_RETURN_IF_ERROR(namespaces.Create(ctx, {.metadata = {.name = NamespaceOf(i)}}).status());
  }
  base::ThreadGroup group(ctx);
  for (int creator = 0; creator < kCreators; ++creator) {
    group.Go("create", [this, creator](const Context& group_ctx) -> absl::Status {
      for (int i = creator; i < size_; i += kCreators) {
        const ConfigMaps config_maps = config_maps_.Namespace(NamespaceOf(i));
        KUBE_RETURN_IF_ERROR(config_maps.Create(group_ctx, MakeConfigMap(i)).status());
      }
      return absl::OkStatus();
    });
  }
  return group.Wait();
}

void Crowd::Start() {
  writers_ = std::make_unique<base::ThreadGroup>(Context());
  for (int i = 0; i < kWriters; ++i) {
    writers_->Go("writer", [this](const Context& ctx) { return WriteAtRandom(ctx); });
  }
}

void Crowd::Stop() {
  if (writers_ == nullptr) return;
  writers_->Cancel();
  writers_->Wait().IgnoreError();
  writers_.reset();
}

absl::Status Crowd::AwaitWrites(const Context& ctx, int64_t count) const {
  const int64_t until = writes_ + count;
  return base::PollUntil(ctx, absl::Milliseconds(10), base::FirstPoll::kAtOnce,
                         [&](const Context&) -> absl::StatusOr<bool> { return writes_ >= until; });
}

absl::Status Crowd::WriteAtRandom(const Context& ctx) {
  while (!ctx.done()) {
    // Must not send requests to a server that is down as fast as it can refuse them.
    const bool written = WriteOne(WithTimeout(ctx, absl::Seconds(10))).ok();
    if (written) ++writes_;
    KUBE_RETURN_IF_ERROR(
        base::SleepFor(ctx, written ? absl::Milliseconds(2) : absl::Milliseconds(50)));
  }
  return absl::OkStatus();
}

absl::Status Crowd::WriteOne(const Context& ctx) {
  // About a fifth of the names has no object, and a fifth of the writes are deletes, so the number
  // of objects stays about the same.
  const int i = static_cast<int>(base::UniformInt(0, int64_t{size_} * 5 / 4));
  const ConfigMaps config_maps = config_maps_.Namespace(NamespaceOf(i));
  if (base::UniformInt(0, 5) == 0) {
    const absl::Status deleted = config_maps.Delete(ctx, NameOf(i));
    return errors::IsNotFound(deleted) ? absl::OkStatus() : deleted;
  }
  const api::core::v1::ConfigMap config_map = MakeConfigMap(i);
  const absl::Status updated = config_maps.Update(ctx, config_map).status();
  if (!errors::IsNotFound(updated)) return updated;
  return config_maps.Create(ctx, config_map).status();
}

absl::StatusOr<Fingerprints> Crowd::List(const Context& ctx) const {
  KUBE_ASSIGN_OR_RETURN(const auto list, metadata_.List(ctx));
  std::vector<std::string> all, of_namespace, selected;
  for (const api::meta::v1::PartialObjectMetadata& object : list.items) {
    std::string line = absl::StrCat(meta::MetaNamespaceKey(object), " ",
                                    object.metadata.resource_version.view(), "\n");
    if (object.metadata.namespace_ == kNamespace) of_namespace.push_back(line);
    const String* const color = object.metadata.labels.find("color");
    if (color != nullptr && *color == "red") selected.push_back(line);
    all.push_back(std::move(line));
  }
  return Fingerprints{.all = Fingerprint(std::move(all)),
                      .of_namespace = Fingerprint(std::move(of_namespace)),
                      .selected = Fingerprint(std::move(selected))};
}

}  // namespace kube::integration
