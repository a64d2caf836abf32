#ifndef CLIENTSET_CERTIFICATE_CLIENT_CERTIFICATE_H_
#define CLIENTSET_CERTIFICATE_CLIENT_CERTIFICATE_H_

#include <memory>

#include "clientset/certificate/certificate_manager.h"
#include "clientset/rest/config.h"
#include "net/certificates/certificate_source.h"

namespace kube::certificate {

// Makes the clients of `config` show the manager's certificate: sets config.tls.get_key_pair, which
// keeps the manager alive. `config` must have no other certificate. (client-go: as the kubelet does
// with `connrotation.NewDialer`)
//
//   certificate::UseCertificateOf(manager, config);
//   KUBE_ASSIGN_OR_RETURN(const kubernetes::Clientset client, kubernetes::Clientset::Make(config));
//
// Each request takes the certificate of its time. After a renewal new requests open new
// connections; the old ones are closed when the requests on them, watches among them, have ended
// and they have been idle for a while (HttpTransportOptions::idle_connection_timeout). A watch may
// therefore outlive the certificate that it began with; servers end watches after some time. The
// kubelet closes them at once, which breaks its watches; Config::close_connections_on_rotation does
// that with the next request. As long as there is no certificate, requests carry none, and the
// server takes them for those of an anonymous user: see CertificateManager::WaitForCurrent. Such a
// client keeps the manager alive, so the manager's own option `client` must not hold one.
//
// A client in another process, or one that must not depend on the manager, can read FileStore's
// CurrentPath() instead: as both `cert_file` and `key_file` it is read again every five minutes.
void UseCertificateOf(std::shared_ptr<const CertificateManager> manager, rest::Config& config);

// Returns the manager's certificate for httpserver::TlsOptions::source, so that a server shows it,
// as the kubelet's does; let the manager have ServingUsages. The source has none until the manager
// has: start the server after WaitForCurrent. A certificate that has expired stays until there is
// another one. The result is thread-safe and keeps the manager alive.
std::shared_ptr<certificates::CertificateSource> ServerCertificateOf(
    std::shared_ptr<const CertificateManager> manager);

}  // namespace kube::certificate

#endif  // CLIENTSET_CERTIFICATE_CLIENT_CERTIFICATE_H_
