#ifndef CONTROLLER_MANAGER_FLAGS_H_
#define CONTROLLER_MANAGER_FLAGS_H_

#include "absl/status/statusor.h"
#include "controller/manager/manager_options.h"

// The flags of kubebuilder's programs, so that their manifests can be used unchanged:
//
//   --metrics-bind-address       ":8443", "127.0.0.1:8080", or "0", the default, for none; this and
//                                --metrics-secure, … are flags of controller/metrics/flags.h
//   --health-probe-bind-address  ":8081", or "0" for none; default: as the program says
//   --webhook-cert-path          folder with the certificate of the webhooks; default: as the program
//                                says; --webhook-cert-name and --webhook-cert-key are its files, by
//                                default "tls.crt" and "tls.key"
//   --enable-http2               whether these servers speak HTTP/2; default: no
//   --leader-elect               and the other flags of controller/leaderelection/flags.h
//   --zap-log-level              "debug", "info", "error", "panic" or a number, instead of -v
//
// Abseil's flags belong to the whole program: a program has these as soon as it depends on this
// target. clientcmd::ParseCommandLine accepts them with dashes.
namespace kube::controller {

// Returns `options` with what the flags say. Metrics are served only if --metrics-bind-address says
// so, with whatever else `options.metrics` has. --leader-elect sets `leader_election` if it is not
// set, and --leader-elect=false, the default, removes it: to elect by default, set
// FLAGS_leader_elect before the command line is parsed. The durations of the lease are always those
// of the flags. --webhook-cert-path replaces certificates that the program makes itself.
// --zap-log-level sets log::SetVerbosity.
//
// Returns INVALID_ARGUMENT, with the name of the flag, for a value that is not valid. Does not
// block.
absl::StatusOr<ManagerOptions> OptionsFromFlags(ManagerOptions options);

}  // namespace kube::controller

#endif  // CONTROLLER_MANAGER_FLAGS_H_
