"""Reads the image that others are made on: an OCI layout, as a tar file or as a folder, or what `docker save` writes."""

import json
import os
import tarfile
from typing import NamedTuple

import layers
from errors import ImageError

# How the layers of Docker's registries are called in an OCI image.
_MEDIA_TYPES = {
    "application/vnd.docker.image.rootfs.diff.tar": "application/vnd.oci.image.layer.v1.tar",
    "application/vnd.docker.image.rootfs.diff.tar.gzip": "application/vnd.oci.image.layer.v1.tar+gzip",
}


class Base(NamedTuple):
    config: dict
    layers: list[layers.Layer]
    files: layers.FileSystem


def read(path, architecture):
    """Returns the image for Linux on this architecture."""
    archive = _Folder(path) if os.path.isdir(path) else _Tar(path)
    try:
        config, found = _read(archive, architecture)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise ImageError(f"{path}: its manifest or configuration is not that of an image: {_cause(error)}") from error
    if config.get("architecture") != architecture:
        raise ImageError(f"{path}: an image for {config.get('architecture')}, but the program is for {architecture}")
    files = layers.FileSystem(path)
    for index, layer in enumerate(found):
        files.apply(layer.blob, f"layer {index + 1} ({layer.media_type})")
    return Base(config=config, layers=found, files=files)


def _cause(error):
    return f"it lacks {error}" if isinstance(error, KeyError) else str(error)


def _read(archive, architecture):
    """Returns the configuration and the layers. Raises what Python raises where something is missing."""
    if archive.has("index.json"):
        return _read_layout(archive, architecture)
    if archive.has("manifest.json"):
        return _read_saved(archive)
    raise ImageError(f"{archive.path}: neither an OCI layout nor what `docker save` writes: it lacks index.json and manifest.json")


class _Archive:
    """Files by their names in an image."""

    def __init__(self, path):
        self.path = path

    def has(self, name):
        raise NotImplementedError

    def read(self, name):
        raise NotImplementedError

    def json(self, name):
        try:
            return json.loads(self.read(name))
        except ValueError as error:
            raise ImageError(f"{self.path}: {name}: not JSON: {error}") from error

    def blob_name(self, descriptor):
        algorithm, _, value = descriptor["digest"].partition(":")
        return f"blobs/{algorithm}/{value}"

    def blob(self, descriptor):
        name = self.blob_name(descriptor)
        data = self.read(name)
        if descriptor["digest"].startswith("sha256:") and layers.digest(data) != descriptor["digest"]:
            raise ImageError(f"{self.path}: {name}: its contents do not have this digest: the file is damaged")
        return data


class _Folder(_Archive):
    def has(self, name):
        return os.path.isfile(os.path.join(self.path, name))

    def read(self, name):
        try:
            with open(os.path.join(self.path, name), "rb") as file:
                return file.read()
        except OSError as error:
            raise ImageError(f"{self.path}: {name}: cannot be read: {error.strerror}") from error


class _Tar(_Archive):
    def __init__(self, path):
        super().__init__(path)
        self.files = {}
        try:
            with tarfile.open(path, "r:*") as tar:
                for info in tar:
                    name = os.path.normpath(info.name)
                    if info.isfile():
                        self.files[name] = tar.extractfile(info).read()
                    elif info.issym():
                        # Old versions of Docker write a layer once, and links to it.
                        target = os.path.normpath(os.path.join(os.path.dirname(name), info.linkname))
                        self.files[name] = self.files.get(target, b"")
        except (tarfile.TarError, EOFError, OSError) as error:
            raise ImageError(f"{path}: not a tar file that can be read: {layers.cause(error)}") from error

    def has(self, name):
        return name in self.files

    def read(self, name):
        if name not in self.files:
            raise ImageError(f"{self.path}: it lacks {name}")
        return self.files[name]


def _read_layout(archive, architecture):
    manifest = archive.json("index.json")
    while "manifests" in manifest:
        manifest = json.loads(archive.blob(_choose(archive, manifest["manifests"], architecture)))
    config = json.loads(archive.blob(manifest["config"]))
    diff_ids = config["rootfs"]["diff_ids"]
    found = []
    for descriptor, diff_id in zip(manifest["layers"], diff_ids):
        media_type = descriptor["mediaType"]
        found.append(layers.Layer(archive.blob(descriptor), _MEDIA_TYPES.get(media_type, media_type), diff_id))
    if len(manifest["layers"]) != len(diff_ids):
        raise ValueError(f"{len(manifest['layers'])} layers, but {len(diff_ids)} diff_ids")
    return config, found


def _choose(archive, manifests, architecture):
    for descriptor in manifests:
        platform = descriptor.get("platform", {})
        if platform.get("architecture") == architecture and platform.get("os") == "linux":
            return descriptor
    if len(manifests) == 1:
        return manifests[0]
    raise ImageError(f"{archive.path}: {len(manifests)} images, and none of them for linux/{architecture}")


def _read_saved(archive):
    entries = archive.json("manifest.json")
    if len(entries) != 1:
        raise ImageError(f"{archive.path}: {len(entries)} images: save one only")
    config = archive.json(entries[0]["Config"])
    diff_ids = config["rootfs"]["diff_ids"]
    if len(entries[0]["Layers"]) != len(diff_ids):
        raise ValueError(f"{len(entries[0]['Layers'])} layers, but {len(diff_ids)} diff_ids")
    found = []
    for name, diff_id in zip(entries[0]["Layers"], diff_ids):
        data = archive.read(name)
        if data[:2] == b"\x1f\x8b":
            found.append(layers.Layer(data, layers.MEDIA_TYPE, diff_id))
            continue
        layer = layers.compressed(data)
        if layer.diff_id != diff_id:
            raise ImageError(f"{archive.path}: {name}: its contents do not have the digest {diff_id}: the file is damaged")
        found.append(layer)
    return config, found
