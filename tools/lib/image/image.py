"""Makes an image of a program: an OCI layout in a tar file, which `docker load` reads as well."""

import io
import json
import os
import re
import tarfile
from typing import NamedTuple, Optional

import base
import elf
import layers
import libraries
from errors import ImageError

_USER = 65532
_BEGINNING = "1970-01-01T00:00:00Z"
_CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
# Where distributions have them: Debian, Fedora, SUSE, Alpine.
_CERTIFICATES_OF_MACHINE = (
    _CERTIFICATES,
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)
_ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    # Where a copy of OpenSSL looks by itself differs between distributions.
    "SSL_CERT_FILE": _CERTIFICATES,
}
_PASSWD = "root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/:/sbin/nologin\n"
_GROUP = "root:x:0:\nnonroot:x:65532:\n"
_NSSWITCH = "passwd: files\ngroup: files\nhosts: files dns\n"
# Variants of architectures, where images name them.
_VARIANTS = {"arm": "v7"}

# What runtimes add to a name that does not begin with a registry. containerd, and so kind, takes names as they are.
_REGISTRY = "docker.io/"
_REPOSITORY = re.compile(r"^(?:[A-Za-z0-9.-]+(?::[0-9]+)?/)?[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$")
_TAG = re.compile(r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$")


class Request(NamedTuple):
    program: str  # path
    entrypoint: str  # the name of the program in the image
    name: str  # of the image, without its tag
    tag: str
    labels: dict[str, str]
    base: Optional[str] = None  # path


def check_name(name, tag):
    if not _REPOSITORY.match(name):
        raise ImageError(f'image name "{name}": it must be lower-case letters, digits, ".", "_", "-" and "/", without a tag')
    if not _TAG.match(tag):
        raise ImageError(f'image tag "{tag}": it must be at most 128 letters, digits, "_", "." and "-"')


def full_name(name, tag):
    """The name as runtimes store it: with a registry."""
    first, slash, _ = name.partition("/")
    if slash and ("." in first or ":" in first or first == "localhost"):
        return f"{name}:{tag}"
    return f"{_REGISTRY}{'' if slash else 'library/'}{name}:{tag}"


def make(request, machine):
    """Returns the bytes of the tar file."""
    check_name(request.name, request.tag)
    data = libraries.read(request.program)
    program = elf.parse(data, request.program)
    beneath = base.read(request.base, program.architecture) if request.base else None
    files = beneath.files if beneath else None
    found = libraries.find(request.program, program, machine, files)

    # Two layers: libraries change more seldom than the program, and are pushed and pulled once.
    system = layers.Files(files)
    _add_libraries(system, found, program, machine)
    _add_system(system, machine)
    own = layers.Files(_Above(files, system))
    entrypoint = f"/usr/local/bin/{request.entrypoint}"
    own.add(entrypoint, data, 0o755)

    added = [layers.compressed(part.tar()) for part in (system, own) if part]
    every = (beneath.layers if beneath else []) + added
    config = _config(request, program, entrypoint, beneath.config if beneath else {}, every, len(added))
    return _archive(request, program, config, every)


class _Above:
    """A base and a layer on it: what the next layer finds."""

    def __init__(self, files, layer):
        self.files = files
        self.layer = layer

    def exists(self, path):
        return self.resolve(path) in self.layer.entries or (self.files is not None and self.files.exists(path))

    def resolve(self, path):
        return self.files.resolve(path) if self.files is not None else path.strip("/")


def _add_libraries(system, found, program, machine):
    if found.loader:
        path = machine.path(found.loader)
        system.add(found.loader, libraries.read(path, f", the loader of the {program.architecture} program"), 0o755)
    for soname, library in found.libraries.items():
        system.add(f"{found.folder}/{soname}", library.data, 0o755)


def _add_system(system, machine):
    for path in _CERTIFICATES_OF_MACHINE:
        if os.path.isfile(machine.path(path)):
            system.add_unless_there(_CERTIFICATES, libraries.read(machine.path(path)))
            break
    system.add_unless_there("/etc/group", _GROUP.encode())
    system.add_unless_there("/etc/nsswitch.conf", _NSSWITCH.encode())
    system.add_unless_there("/etc/passwd", _PASSWD.encode())
    system.add_folder("/tmp", 0o1777)


def _config(request, program, entrypoint, beneath, every, added):
    """The configuration of the image: the base's, with the program's in its place."""
    inherited = beneath.get("config") or {}
    environment = dict(each.partition("=")[::2] for each in inherited.get("Env") or [])
    environment = {**_ENVIRONMENT, **environment}
    labels = {**(inherited.get("Labels") or {}), **request.labels}
    run = {key: inherited[key] for key in ("ExposedPorts", "StopSignal", "Volumes") if inherited.get(key)}
    run.update(
        Entrypoint=[entrypoint],
        Env=[f"{key}={environment[key]}" for key in sorted(environment)],
        User=f"{_USER}:{_USER}",
        WorkingDir=inherited.get("WorkingDir") or "/",
    )
    if labels:
        run["Labels"] = labels
    config = {
        "architecture": program.architecture,
        "config": run,
        "created": _BEGINNING,
        "os": "linux",
        "rootfs": {"diff_ids": [layer.diff_id for layer in every], "type": "layers"},
    }
    if program.architecture in _VARIANTS:
        config["variant"] = _VARIANTS[program.architecture]
    history = beneath.get("history") or []
    # Tools count: an entry for each layer, or none at all.
    if len([each for each in history if not each.get("empty_layer")]) == len(every) - added:
        config["history"] = history + [{"created": _BEGINNING, "created_by": "kube_operator"}] * added
    return config


def _json(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _descriptor(data, media_type, **more):
    return {"mediaType": media_type, "digest": layers.digest(data), "size": len(data), **more}


def _blob_path(data):
    return "blobs/sha256/" + layers.digest(data).partition(":")[2]


def _archive(request, program, config, every):
    config_data = _json(config)
    manifest_data = _json(
        {
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": _descriptor(config_data, "application/vnd.oci.image.config.v1+json"),
            "layers": [_descriptor(layer.blob, layer.media_type) for layer in every],
        }
    )
    platform = {"architecture": program.architecture, "os": "linux"}
    if program.architecture in _VARIANTS:
        platform["variant"] = _VARIANTS[program.architecture]
    index = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [
            _descriptor(
                manifest_data,
                "application/vnd.oci.image.manifest.v1+json",
                platform=platform,
                annotations={
                    "io.containerd.image.name": full_name(request.name, request.tag),
                    "org.opencontainers.image.ref.name": request.tag,
                },
            )
        ],
    }
    saved = [
        {
            "Config": _blob_path(config_data),
            "RepoTags": [f"{request.name}:{request.tag}"],
            "Layers": [_blob_path(layer.blob) for layer in every],
        }
    ]
    files = {_blob_path(data): data for data in [config_data, manifest_data, *[layer.blob for layer in every]]}
    files["index.json"] = _json(index)
    files["manifest.json"] = _json(saved)
    files["oci-layout"] = _json({"imageLayoutVersion": "1.0.0"})
    return _tar(files)


def _tar(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for folder in ("blobs", "blobs/sha256"):
            tar.addfile(layers.member(folder, 0o755, tarfile.DIRTYPE))
        for path in sorted(files):
            tar.addfile(layers.member(path, 0o644, size=len(files[path])), io.BytesIO(files[path]))
    return out.getvalue()
