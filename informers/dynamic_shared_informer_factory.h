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

// Informers of resources that a program learns when it runs: of whole objects, as JSON.
// (dynamicinformer.DynamicSharedInformerFactory)
//
//   DynamicSharedInformerFactory factory(dynamic::DynamicClient(clientset.client()));
//   auto& widgets = factory.ForResource(
//       {.group = "example.com", .version = "v1", .resource = "widgets"});
//   KUBE_RETURN_IF_ERROR(factory.Start(ctx));
//   KUBE_RETURN_IF_ERROR(factory.WaitForCacheSync(ctx, {.fail_fast = true}));
//   widgets.lister().Namespace("prod").Get("w");
//
// The namespace of the options is that of all resources: those that are in none are not found with
// one. Else as SharedInformerFactoryCore. Thread-safe.
class DynamicSharedInformerFactory : public SharedInformerFactoryCore {
 public:
  explicit DynamicSharedInformerFactory(dynamic::DynamicClient client,
                                        SharedInformerFactoryOptions options = {})
      : SharedInformerFactoryCore(client.client(), std::move(options)),
        dynamic_(std::move(client)) {}

  // Lives as long as the factory; the first call makes it.
  SharedInformer<unstructured::Unstructured>& ForResource(
      const schema::GroupVersionResource& resource) {
    return InformerOver<unstructured::Unstructured>(dynamic_.Resource(resource).core(),
                                                    unstructured::UnstructuredList::kMessage,
                                                    /*namespaced=*/true);
  }

 private:
  const dynamic::DynamicClient dynamic_;
};

// The same of nothing but the objects' metadata, at a fraction of the bytes and the memory.
// (metadatainformer.SharedInformerFactory)
class MetadataSharedInformerFactory : public SharedInformerFactoryCore {
 public:
  explicit MetadataSharedInformerFactory(metadata::MetadataClient client,
                                         SharedInformerFactoryOptions options = {})
      : SharedInformerFactoryCore(client.client(), std::move(options)),
        metadata_(std::move(client)) {}

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
