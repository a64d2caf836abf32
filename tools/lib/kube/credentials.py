"""Throw-away certificates, tokens and kubeconfig files of one test cluster.

All clients, by certificate and by token: "admin" (group system:masters) and "plain-user" (no rights
under RBAC).
"""

import base64
import os
import subprocess

from errors import KubeError

ADMIN_TOKEN = "admin-token"
_TOKENS = "admin-token,admin,admin-uid,system:masters\nplain-token,plain-user,plain-uid\n"
_LEAVES = {  # file name: subject, extended key usage, further extensions
    "apiserver": (
        "/CN=kube-apiserver",
        "serverAuth",
        [
            "subjectAltName=IP:127.0.0.1,IP:10.0.0.1,DNS:localhost,DNS:kubernetes,"
            "DNS:kubernetes.default,DNS:kubernetes.default.svc"
        ],
    ),
    "admin": ("/O=system:masters/CN=admin", "clientAuth", []),
    "plain-user": ("/CN=plain-user", "clientAuth", []),
    "controller-manager": ("/CN=system:kube-controller-manager", "clientAuth", []),
}


def make(directory):
    """Makes the files, unless `directory` has them: a restarted cluster keeps its certificates."""
    complete = os.path.join(directory, "complete")
    if os.path.exists(complete):
        return
    os.makedirs(directory, mode=0o700, exist_ok=True)
    _openssl(
        directory,
        "ca",
        "/CN=test-ca",
        ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"],
    )
    for name, (subject, usage, extensions) in _LEAVES.items():
        _openssl(
            directory,
            name,
            subject,
            [
                "basicConstraints=critical,CA:FALSE",
                "keyUsage=critical,digitalSignature",
                f"extendedKeyUsage={usage}",
                *extensions,
            ],
            "-CA",
            "ca.crt",
            "-CAkey",
            "ca.key",
        )
    # Signs service account tokens.
    _openssl(directory, "service-account", "/CN=service-account", [])
    _write(os.path.join(directory, "tokens.csv"), _TOKENS)
    _write(complete, "")


def write_kubeconfig(path, server, directory):
    """A kubeconfig with a context for each client; the current one is "admin"."""
    users = {name: _certificate(directory, name) for name in ("admin", "plain-user")}
    users |= {"admin-token": f"token: {ADMIN_TOKEN}", "plain-token": "token: plain-token"}
    _write_kubeconfig(path, server, directory, users)


def write_controller_manager_kubeconfig(path, server, directory):
    """The kubeconfig that kube-controller-manager uses."""
    _write_kubeconfig(
        path,
        server,
        directory,
        {"controller-manager": _certificate(directory, "controller-manager")},
    )


def _openssl(directory, name, subject, extensions, *issuer):
    """Makes NAME.key (P-256) and NAME.crt, signed by `issuer` or by itself."""
    command = [
        "openssl",
        "req",
        "-x509",
        "-nodes",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-keyout",
        f"{name}.key",
        "-out",
        f"{name}.crt",
        "-subj",
        subject,
        "-days",
        "3650",
        *issuer,
    ]
    for extension in extensions:
        command += ["-addext", extension]
    # Without a configuration file, so that the machine's adds no extensions.
    try:
        done = subprocess.run(
            [*command, "-config", "/dev/null"],
            cwd=directory,
            umask=0o077,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise KubeError(
            f"make certificate {name}: openssl not found in PATH; run tools/install"
        ) from error
    if done.returncode != 0:
        raise KubeError(f"make certificate {name}: openssl: {done.stderr.strip()}")


def _certificate(directory, name):
    return (
        f"client-certificate-data: {_base64(directory, f'{name}.crt')}\n"
        f"    client-key-data: {_base64(directory, f'{name}.key')}"
    )


def _base64(directory, name):
    with open(os.path.join(directory, name), "rb") as file:
        return base64.b64encode(file.read()).decode()


def _write_kubeconfig(path, server, directory, users):
    lines = [
        "apiVersion: v1",
        "kind: Config",
        f"current-context: {next(iter(users))}",
        "clusters:",
        "- name: test",
        "  cluster:",
        f"    server: {server}",
        f"    certificate-authority-data: {_base64(directory, 'ca.crt')}",
        "users:",
    ]
    for name, user in users.items():
        lines += [f"- name: {name}", "  user:", f"    {user}"]
    lines.append("contexts:")
    for name in users:
        lines += [
            f"- name: {name}",
            "  context:",
            "    cluster: test",
            f"    user: {name}",
            "    namespace: default",
        ]
    _write(path, "\n".join(lines) + "\n")


def _write(path, text):
    with open(
        path, "w", encoding="utf-8", opener=lambda p, flags: os.open(p, flags, 0o600)
    ) as file:
        file.write(text)
