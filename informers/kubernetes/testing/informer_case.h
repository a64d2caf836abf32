#ifndef INFORMERS_KUBERNETES_TESTING_INFORMER_CASE_H_
#define INFORMERS_KUBERNETES_TESTING_INFORMER_CASE_H_

#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "informers/any_shared_informer.h"
#include "informers/kubernetes/shared_informer_factory.h"
#include "informers/shared_informer.h"

// The informer and the lister of a kind with their types erased, for tests of all kinds.
namespace kube::kubernetes {

struct InformerCase {
  std::string api_version;  // "apps/v1"
  std::string kind;         // "Deployment"
  std::string accessor;     // "Apps().V1().Deployments()"
  // Returns the factory's informer of the kind.
  std::function<informers::AnySharedInformer&(SharedInformerFactory&)> informer;
  // Gets an object from the lister and returns the status; "" means cluster-scoped.
  std::function<absl::Status(SharedInformerFactory&, absl::string_view namespace_name,
                             absl::string_view name)>
      get;
};

// `of` returns the KindInformer of a T.
template <typename T, typename OfT>
InformerCase MakeInformerCase(const char* api_version, const char* kind, const char* accessor,
                              OfT of) {
  using Informer = decltype(of(std::declval<SharedInformerFactory&>()).Informer());
  static_assert(std::is_same_v<Informer, informers::SharedInformer<T>&>);
  return {.api_version = api_version,
          .kind = kind,
          .accessor = accessor,
          .informer = [of](SharedInformerFactory& factory) -> informers::AnySharedInformer& {
            return of(factory).Informer();
          },
          .get =
              [of](SharedInformerFactory& factory, absl::string_view namespace_name,
                   absl::string_view name) {
                return of(factory).Lister().Namespace(namespace_name).Get(name).status();
              }};
}

}  // namespace kube::kubernetes

#endif  // INFORMERS_KUBERNETES_TESTING_INFORMER_CASE_H_
