#include "docs/snippets/mirror/controller.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/conditions.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/finalizers.h"
#include "apimachinery/meta/object_name.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/typed/create_or_edit.h"
#include "clientset/typed/patch_from.h"
#include "controller/enqueue.h"
#include "controller/events/event_types.h"
#include "controller/workqueue/run_workers.h"
#include "controller/workqueue/verdict.h"
#include "docs/snippets/mirror/mirror.client.kube.h"
#include "listers/index_function.h"

namespace example::mirrors {
namespace {

namespace corev1 = kube::api::core::v1;
using kube::Context;
using kube::meta::ObjectName;
using v1::Mirror;

constexpr absl::string_view kFinalizer = "example.com/mirror-copies";
constexpr absl::string_view kOwnerLabel = "example.com/mirror";  // the UID of a copy's Mirror
constexpr char kBySource[] = "source";
constexpr char kByUid[] = "uid";
constexpr char kByOwner[] = "owner";

absl::string_view OwnerOf(const corev1::ConfigMap& map) {
  const kube::String* uid = map.metadata.labels.find(kOwnerLabel);
  return uid == nullptr ? absl::string_view() : uid->view();
}

bool Contains(const kube::List<kube::String>& list, absl::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

Controller::Controller(const kube::kubernetes::Clientset& client,
                       kube::events::EventRecorder& recorder)
    : client_(client),
      recorder_(recorder),
      factory_(client),
      mirrors_(v1::ExampleV1Informers(factory_).Mirrors()),
      maps_(factory_.Core().V1().ConfigMaps()),
      mirror_lister_(mirrors_.Lister()),
      map_lister_(maps_.Lister()) {}

absl::Status Controller::Run(const Context& ctx) {
  KUBE_RETURN_IF_ERROR(Watch(ctx));
  return kube::workqueue::RunWorkers(
      ctx, /*workers=*/2, queue_,
      [this](const Context& work, const ObjectName& name) { return Reconcile(work, name); },
      {.name = "mirrors"});
}

absl::Status Controller::Watch(const Context& ctx) {
  // Answers "which Mirrors read this ConfigMap?" and "whose copy is it?" without a search.
  const auto source_of = [](const Mirror& mirror) -> absl::StatusOr<std::vector<std::string>> {
    return std::vector<std::string>{
        absl::StrCat(mirror.metadata.namespace_.view(), "/", mirror.spec.source.view())};
  };
  const auto owner_of =
      [](const corev1::ConfigMap& map) -> absl::StatusOr<std::vector<std::string>> {
    return std::vector<std::string>{std::string(OwnerOf(map))};
  };
  auto& mirrors = mirrors_.Informer();
  KUBE_RETURN_IF_ERROR(mirrors.AddIndexer(kBySource, source_of));
  KUBE_RETURN_IF_ERROR(
      mirrors.AddIndexer(kByUid, kube::listers::IndexByField<Mirror>("metadata.uid")));
  KUBE_RETURN_IF_ERROR(maps_.Informer().AddIndexer(kByOwner, owner_of));

  KUBE_RETURN_IF_ERROR(mirrors.AddEventHandler(kube::controller::EnqueueHandler<Mirror>(queue_)));
  const auto on_map = [this](const auto& event) {
    const int16_t priority = kube::controller::PriorityOf(event);
    EnqueueMirrorsOf(*event.object, priority);
    // An update may take a map away from a Mirror: the old state matters too.
    if constexpr (requires { event.old_object; }) EnqueueMirrorsOf(*event.old_object, priority);
  };
  KUBE_RETURN_IF_ERROR(maps_.Informer().AddEventHandler(
      {.on_add = on_map, .on_update = on_map, .on_delete = on_map}));

  KUBE_RETURN_IF_ERROR(factory_.Start(ctx));
  return factory_.WaitForCacheSync(ctx, {.fail_fast = true});
}

void Controller::EnqueueMirrorsOf(const corev1::ConfigMap& map, int16_t priority) {
  const std::string name = kube::meta::ObjectNameOf(map).ToString();
  for (const auto& mirrors :
       {mirror_lister_.ByIndex(kBySource, name), mirror_lister_.ByIndex(kByUid, OwnerOf(map))}) {
    if (!mirrors.ok()) continue;
    for (const Mirror& mirror : *mirrors) {
      queue_.Add(kube::meta::ObjectNameOf(mirror), {.priority = priority});
    }
  }
}

absl::Status Controller::Reconcile(const Context& ctx, const ObjectName& name) {
  const auto mirror = mirror_lister_.Namespace(name.namespace_name).Get(name.name);
  if (!mirror.ok()) return absl::OkStatus();  // gone: its finalizer has cleaned up
  if (kube::meta::IsBeingDeleted((*mirror)->metadata)) return CleanUp(ctx, **mirror);
  return Copy(ctx, **mirror);
}

absl::Status Controller::Copy(const Context& ctx, const Mirror& mirror) {
  const v1::MirrorClient mirrors(client_.client(), mirror.metadata.namespace_);
  // The finalizer comes before the first copy: once there is one, a deletion must be heard of.
  if (!kube::meta::ContainsFinalizer(mirror.metadata, kFinalizer)) {
    Mirror after = mirror;
    kube::meta::AddFinalizer(after.metadata, kFinalizer);
    // The informer reports the change, and this worker is called again.
    return kube::typed::PatchFrom(ctx, mirrors, mirror, after).status();
  }
  const auto source = map_lister_.Namespace(mirror.metadata.namespace_).Get(mirror.spec.source);
  Mirror after = mirror;
  after.status.copies = 0;
  // One namespace that does not take its copy keeps no other waiting.
  absl::Status failed;
  for (const kube::String& target : mirror.spec.namespaces) {
    if (!source.ok()) break;
    const absl::Status copied = CopyTo(ctx, mirror, **source, target);
    failed.Update(copied);
    if (copied.ok()) ++after.status.copies;
  }
  KUBE_ASSIGN_OR_RETURN(const auto copies, map_lister_.ByIndex(kByOwner, mirror.metadata.uid));
  for (const corev1::ConfigMap& copy : copies) {
    if (Contains(mirror.spec.namespaces, copy.metadata.namespace_)) {
      // Without a source the copies stay as they are.
      if (!source.ok()) ++after.status.copies;
      continue;
    }
    KUBE_RETURN_IF_ERROR(Delete(ctx, copy));
  }
  const bool is_ready = source.ok() && failed.ok();
  const char* const reason = is_ready ? "Copied" : source.ok() ? "CopyFailed" : "SourceMissing";
  const bool is_news = kube::meta::SetStatusCondition(
      after.status.conditions, {.type = "Ready",
                                .status = is_ready ? "True" : "False",
                                .observed_generation = mirror.metadata.generation,
                                .reason = reason});
  // One request, or none if nothing has changed. A conflict says that the cache lags behind; it is
  // enough to return the error: the worker is called again.
  KUBE_RETURN_IF_ERROR(
      kube::typed::PatchFrom(ctx, mirrors, mirror, after, {.subresource = "status"}));
  if (is_news) {
    recorder_.Eventf(mirror, nullptr,
                     is_ready ? kube::events::kEventTypeNormal : kube::events::kEventTypeWarning,
                     reason, "Copy", "%d copies of %s", after.status.copies,
                     mirror.spec.source.view());
  }
  // A namespace that is not there yet: nobody tells this controller when it is.
  if (kube::errors::IsNotFound(failed)) {
    return kube::workqueue::RetryAfter(failed, absl::Minutes(1));
  }
  return failed;
}

absl::Status Controller::CopyTo(const Context& ctx, const Mirror& mirror,
                                const corev1::ConfigMap& source, absl::string_view target) {
  const auto change = [&](corev1::ConfigMap& map) {
    const bool exists = !map.metadata.uid.empty();
    if (exists && OwnerOf(map) != mirror.metadata.uid) {
      return absl::AlreadyExistsError("a ConfigMap of this name is not a copy of this Mirror");
    }
    map.metadata.labels[kOwnerLabel] = mirror.metadata.uid;
    map.data = source.data;
    return absl::OkStatus();
  };
  return kube::typed::CreateOrEdit(ctx, client_.CoreV1().ConfigMaps(target), mirror.metadata.name,
                                   change)
      .status();
}

absl::Status Controller::Delete(const Context& ctx, const corev1::ConfigMap& copy) {
  // By UID: not another map that somebody has put in its place.
  const absl::Status status =
      client_.CoreV1()
          .ConfigMaps(copy.metadata.namespace_)
          .Delete(ctx, copy.metadata.name,
                  kube::meta::NewPreconditionDeleteOptions(copy.metadata.uid));
  return kube::errors::IsNotFound(status) ? absl::OkStatus() : status;
}

absl::Status Controller::CleanUp(const Context& ctx, const Mirror& mirror) {
  if (!kube::meta::ContainsFinalizer(mirror.metadata, kFinalizer)) return absl::OkStatus();
  // Asks the server: the cache may lack a copy that was made a moment ago, and after this nobody
  // looks for it any more.
  KUBE_ASSIGN_OR_RETURN(
      const auto copies,
      client_.CoreV1().ConfigMaps("").List(
          ctx, {.label_selector = absl::StrCat(kOwnerLabel, "=", mirror.metadata.uid.view())}));
  for (const corev1::ConfigMap& copy : copies.items) {
    KUBE_RETURN_IF_ERROR(Delete(ctx, copy));
  }
  Mirror after = mirror;
  kube::meta::RemoveFinalizer(after.metadata, kFinalizer);
  const v1::MirrorClient mirrors(client_.client(), mirror.metadata.namespace_);
  const absl::Status status = kube::typed::PatchFrom(ctx, mirrors, mirror, after).status();
  return kube::errors::IsNotFound(status) ? absl::OkStatus() : status;
}

}  // namespace example::mirrors
