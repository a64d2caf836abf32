"""The command lines of the servers of one cluster."""

import os
from dataclasses import dataclass

import credentials


@dataclass(frozen=True)
class Servers:
    """Those of the cluster in `directory`; `options` are those of "tools/kube start"."""

    directory: str
    port: int
    etcd_port: int
    peer_port: int
    options: object

    @property
    def url(self):
        return f"https://127.0.0.1:{self.port}"

    @property
    def etcd_url(self):
        return f"http://127.0.0.1:{self.etcd_port}"

    @property
    def kubeconfig(self):
        return self._path("kubeconfig")

    def binary(self, name):
        return os.path.abspath(os.path.join(self.options.bin, name))

    def write_kubeconfigs(self):
        """That of users, and that of kube-controller-manager."""
        pki = self._path("pki")
        credentials.write_kubeconfig(self.kubeconfig, self.url, pki)
        credentials.write_controller_manager_kubeconfig(
            self._path("controller-manager.kubeconfig"), self.url, pki
        )

    def etcd(self):
        peer_url = f"http://127.0.0.1:{self.peer_port}"
        command = [
            self.binary("etcd"),
            "--name=default",
            f"--data-dir={self._path('etcd')}",
            f"--listen-client-urls={self.etcd_url}",
            f"--advertise-client-urls={self.etcd_url}",
            f"--listen-peer-urls={peer_url}",
            f"--initial-advertise-peer-urls={peer_url}",
            f"--initial-cluster=default={peer_url}",
            "--log-level=warn",
            # A test cluster need not survive a power failure, and writes get faster.
            "--unsafe-no-fsync",
        ]
        if os.path.isdir(self._path("etcd", "member")):
            command.append("--force-new-cluster")  # the data names the peer port of the run before
        return command + self.options.etcd_flag

    def apiserver(self):
        command = [
            self.binary("kube-apiserver"),
            f"--etcd-servers={self.etcd_url}",
            "--bind-address=127.0.0.1",
            "--advertise-address=127.0.0.1",
            f"--secure-port={self.port}",
            # 127.0.0.1 may not stand in the endpoints of the "kubernetes" service.
            "--endpoint-reconciler-type=none",
            "--service-cluster-ip-range=10.0.0.0/24",
            # Pods need no "default" service account, and are stored as they were sent.
            "--disable-admission-plugins=ServiceAccount",
            "--allow-privileged=true",
            f"--authorization-mode={self.options.authorization}",
            f"--tls-cert-file={self._path('pki', 'apiserver.crt')}",
            f"--tls-private-key-file={self._path('pki', 'apiserver.key')}",
            f"--client-ca-file={self._path('pki', 'ca.crt')}",
            f"--token-auth-file={self._path('pki', 'tokens.csv')}",
            f"--service-account-key-file={self._path('pki', 'service-account.crt')}",
            f"--service-account-signing-key-file={self._path('pki', 'service-account.key')}",
            "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
        ]
        if self.options.emulated_version:
            command.append(f"--emulated-version={self.options.emulated_version}")
        if self.options.feature_gates:
            command.append(f"--feature-gates={self.options.feature_gates}")
        return command + self.options.apiserver_flag

    def controller_manager(self):
        return [
            self.binary("kube-controller-manager"),
            f"--kubeconfig={self._path('controller-manager.kubeconfig')}",
            "--secure-port=0",  # no port at all
            "--leader-elect=false",
            "--use-service-account-credentials=true",
            f"--service-account-private-key-file={self._path('pki', 'service-account.key')}",
            f"--root-ca-file={self._path('pki', 'ca.crt')}",
            f"--cluster-signing-cert-file={self._path('pki', 'ca.crt')}",
            f"--cluster-signing-key-file={self._path('pki', 'ca.key')}",
            *self.options.controller_manager_flag,
        ]

    def _path(self, *names):
        return os.path.join(self.directory, *names)
