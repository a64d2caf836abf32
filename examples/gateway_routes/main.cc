// gateway_routes [--namespace NS]: prints the gateways of a namespace, their listeners and the HTTP
// routes that name them, from caches of both kinds. Types and informers come from the definitions
// of the Gateway API: a kube_crd_library makes them, and no IDL is written by hand. The definitions
// must be installed.
//
//   gateway public
//     listener http: HTTP on port 80
//     listener https: HTTPS on port 443
//     route blog for blog.example.com: blog:80 blog-new:80
//     route shop for shop.example.com www.shop.example.com: cart:8080
#include <algorithm>
#include <iostream>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/rest/client.h"
#include "examples/gateway_routes/gateway_api/gateway.networking.k8s.io/v1.informers.kube.h"
#include "examples/gateway_routes/gateway_api/gateway.networking.k8s.io/v1.kube.h"

namespace gatewayv1 = kube::crd::io::k8s::networking::gateway::v1;

namespace {

bool Names(const gatewayv1::HTTPRoute& route, const gatewayv1::Gateway& gateway) {
  const auto& parents = route.spec.parent_refs;
  return std::any_of(parents.begin(), parents.end(), [&gateway](const auto& parent) {
    return parent.name == gateway.metadata.name;
  });
}

std::string BackendsOf(const gatewayv1::HTTPRoute& route) {
  std::string text;
  for (const auto& rule : route.spec.rules) {
    for (const auto& backend : rule.backend_refs) {
      absl::StrAppend(&text, " ", backend.name.view());
      // In the schema the port is optional, so it is an Opt.
      if (backend.port.has_value()) absl::StrAppend(&text, ":", *backend.port);
    }
  }
  return text;
}

void Print(const gatewayv1::Gateway& gateway) {
  std::cout << "gateway " << gateway.metadata.name << "\n";
  for (const auto& listener : gateway.spec.listeners) {
    std::cout << "  listener " << listener.name << ": " << listener.protocol << " on port "
              << listener.port << "\n";
  }
}

void Print(const gatewayv1::HTTPRoute& route) {
  std::cout << "  route " << route.metadata.name << " for";
  for (const auto& host : route.spec.hostnames) std::cout << " " << host;
  std::cout << ":" << BackendsOf(route) << "\n";
}

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(kube::rest::Client client, kube::rest::MakeClient(loaded.config));
  gatewayv1::SharedInformerFactory factory(client,
                                           {.namespace_name = loaded.chosen_namespace.name});
  const auto gateways = factory.Gateway().V1().Gateways().Lister();
  const auto routes = factory.Gateway().V1().HTTPRoutes().Lister();
  KUBE_RETURN_IF_ERROR(factory.Start(ctx));
  // Ends at once if the definitions are not installed, or may not be read.
  KUBE_RETURN_IF_ERROR(factory.WaitForCacheSync(ctx, {.fail_fast = true}));

  // By name: a list from a cache has no order.
  std::map<std::string, gatewayv1::Gateway> gateways_by_name;
  std::map<std::string, gatewayv1::HTTPRoute> routes_by_name;
  for (const gatewayv1::Gateway& gateway : gateways.List()) {
    gateways_by_name[std::string(gateway.metadata.name)] = gateway;
  }
  for (const gatewayv1::HTTPRoute& route : routes.List()) {
    routes_by_name[std::string(route.metadata.name)] = route;
  }
  for (const auto& [gateway_name, gateway] : gateways_by_name) {
    Print(gateway);
    for (const auto& [route_name, route] : routes_by_name) {
      if (Names(route, gateway)) Print(route);
    }
  }
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Minutes(1)));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
