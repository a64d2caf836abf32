#!/usr/bin/env python3
"""Stands for etcd, kube-apiserver or kube-controller-manager, by the name it is called by.

It listens where the real one would and answers 200 to everything, /readyz included. It stores
nothing and knows no API: enough to test what tools/kube does with processes, ports and directories.

  --fake-never-ready         kube-apiserver answers 500
  --fake-ignore-sigterm      it ends by SIGKILL alone
  --fake-port-taken=FILE     unless FILE exists: make it, complain of a taken port and end
"""

import http.server
import os
import signal
import socket
import ssl
import sys

name = os.path.basename(sys.argv[0])
flags = dict(flag.removeprefix("--").partition("=")[::2] for flag in sys.argv[1:])

if (marker := flags.get("fake-port-taken")) and not os.path.exists(marker):
    open(marker, "w", encoding="utf-8").close()
    sys.exit("listen tcp 127.0.0.1: bind: address already in use")
if "fake-ignore-sigterm" in flags:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

if name == "etcd":
    with socket.create_server(("127.0.0.1", int(flags["listen-client-urls"].rpartition(":")[2]))):
        signal.pause()
elif name == "kube-apiserver":

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(500 if "fake-never-ready" in flags else 200)
            self.end_headers()

    server = http.server.HTTPServer(("127.0.0.1", int(flags["secure-port"])), Handler)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(flags["tls-cert-file"], flags["tls-private-key-file"])
    server.socket = tls.wrap_socket(server.socket, server_side=True)
    server.serve_forever()
else:
    signal.pause()
