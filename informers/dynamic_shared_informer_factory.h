#ifndef INFORMERS_DYNAMIC_SHARED_INFORMER_FACTORY_H_
#define INFORMERS_DYNAMIC_SHARED_INFORMER_FACTORY_H_

#include <utility>

#include "api/meta/v1/types.kube.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/metadata/metadata_client.h"
#include "informers/shared_informer.h"
#include "informers/shared_informer_factory_core.h"

namespace kube::informers {

// Makes informers for resources that are known only at run time. Objects are whole unstructured
// objects, received as JSON. (client-go: `dynamicinformer.DynamicSharedInformerFactory`)
//
//   DynamicSharedInformerFactory factory(kube::dynamic::DynamicClient(client),
//                                        {.namespace_name = "prod"});
//   auto& widgets =
//       factory.ForResource({.group = "example.com", .version = "v1", .resource = "widgets"});
//   KUBE_RETURN_IF_ERROR(widgets.AddIndexers({{"owner", OwnerOf}}));
//   KUBE_RETURN_IF_ERROR(factory.Start(ctx));
//   KUBE_RETURN_IF_ERROR(factory.WaitForCacheSync(ctx, {.fail_fast = true}));
//   KUBE_ASSIGN_OR_RETURN(const auto mine, widgets.lister().ByIndex("owner", "me"));
//
// SharedInformerFactoryOptions::namespace_name applies to all resources: if it is set, lists of
// cluster-scoped resources fail with NOT_FOUND. Otherwise it works as SharedInformerFactoryCore
// does. Thread-safe.
class DynamicSharedInformerFactory : public SharedInformerFactoryCore {
 public:
  explicit DynamicSharedInformerFactory(dynamic::DynamicClient client,
                                        SharedInformerFactoryOptions options = {})
      : SharedInformerFactoryCore(client.client(), std::move(options)),
        dynamic_(std::move(client)) {}

  // Returns the informer of `resource`, made by the first call. It lives as long as the factory,
  // or until Remove.
  SharedInformer<unstructured::Unstructured>& ForResource(
      const schema::GroupVersionResource& resource) {
    return InformerOver<unstructured::Unstructured>(dynamic_.Resource(resource).core(),
                                                    unstructured::UnstructuredList::kMessage,
                                                    /*namespaced=*/true);
  }

 private:
  const dynamic::DynamicClient dynamic_;
};

// Makes informers that receive and store only the metadata of objects, which takes a fraction of
// the bytes and memory. Otherwise the same as DynamicSharedInformerFactory.
// (client-go: `metadatainformer.SharedInformerFactory`)
class MetadataSharedInformerFactory : public SharedInformerFactoryCore {
 public:
  explicit MetadataSharedInformerFactory(metadata::MetadataClient client,
                                         SharedInformerFactoryOptions options = {})
      : SharedInformerFactoryCore(client.client(), std::move(options)),
        metadata_(std::move(client)) {}

  // Returns the informer of `resource`, made by the first call. It lives as long as the factory,
  // or until Remove.
  SharedInformer<api::meta::v1::PartialObjectMetadata>& ForResource(
      const schema::GroupVersionResource& resource) {
    return InformerOver<api::meta::v1::PartialObjectMetadata>(
        metadata_.Resource(resource).core(), api::meta::v1::PartialObjectMetadataList::kMessage,
        /*namespaced=*/true);
  }

 private:
  const metadata::MetadataClient metadata_;
};

}  // namespace kube::informers

#endif  // INFORMERS_DYNAMIC_SHARED_INFORMER_FACTORY_H_
