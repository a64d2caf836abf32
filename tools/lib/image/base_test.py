#!/usr/bin/env python3
"""Tests of base.py and layers.py: images are read, and the file systems of their layers."""

import io
import json
import os
import sys
import tarfile
import tempfile
import unittest

sys.dont_write_bytecode = True
import base
import layers
from errors import ImageError

_OCI_GZIP = "application/vnd.oci.image.layer.v1.tar+gzip"
_DOCKER_GZIP = "application/vnd.docker.image.rootfs.diff.tar.gzip"


def tar(entries):
    """A tar file of (name, text, link target, kind) tuples."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as file:
        for name, text, target, kind in entries:
            info = layers.member(name, 0o644, kind, len(text))
            info.linkname = target
            file.addfile(info, io.BytesIO(text))
    return out.getvalue()


def regular(name, text=b"x"):
    return (name, text, "", tarfile.REGTYPE)


def folder(name):
    return (name, b"", "", tarfile.DIRTYPE)


def link(name, target, kind=tarfile.SYMTYPE):
    return (name, b"", target, kind)


def descriptor(data, **more):
    return {"digest": layers.digest(data), "size": len(data), **more}


def layout(architecture="amd64", media_type=_OCI_GZIP):
    """The files of an OCI layout with one layer."""
    layer = layers.compressed(tar([regular("etc/a")]))
    config = json.dumps({"architecture": architecture, "os": "linux", "rootfs": {"diff_ids": [layer.diff_id]}}).encode()
    manifest = json.dumps({"config": descriptor(config), "layers": [descriptor(layer.blob, mediaType=media_type)]}).encode()
    index = {"manifests": [descriptor(manifest, platform={"architecture": architecture, "os": "linux"})]}
    files = {f"blobs/sha256/{layers.digest(data)[7:]}": data for data in (layer.blob, config, manifest)}
    return {**files, "index.json": json.dumps(index).encode(), "oci-layout": b"{}"}


def saved(text=None):
    """The files of what `docker save` writes: layers that are not compressed."""
    data = tar([regular("etc/a")])
    config = json.dumps({"architecture": "amd64", "rootfs": {"diff_ids": [layers.digest(data)]}}).encode()
    manifest = [{"Config": "c.json", "RepoTags": ["a:1"], "Layers": ["1/layer.tar"]}]
    return {"c.json": config, "1/layer.tar": text or data, "manifest.json": json.dumps(manifest).encode()}


class BaseTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = place.name

    def tar(self, files):
        path = os.path.join(self.folder, "base.tar")
        with open(path, "wb") as out:
            out.write(tar([regular(name, text) for name, text in files.items()]))
        return path

    def test_reads_a_layout_in_a_tar_file(self):
        read = base.read(self.tar(layout()), "amd64")
        self.assertEqual(read.config["architecture"], "amd64")
        self.assertEqual([layer.media_type for layer in read.layers], [_OCI_GZIP])
        self.assertTrue(read.files.exists("/etc/a"))

    def test_reads_a_layout_in_a_folder(self):
        for name, text in layout().items():
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as out:
                out.write(text)
        self.assertTrue(base.read(self.folder, "amd64").files.exists("/etc/a"))

    def test_reads_what_docker_saves_and_compresses_it(self):
        (layer,) = base.read(self.tar(saved()), "amd64").layers
        self.assertEqual(layer.media_type, _OCI_GZIP)
        self.assertEqual(layer.diff_id, layers.digest(tar([regular("etc/a")])))
        self.assertEqual(layer.blob[:2], b"\x1f\x8b")

    def test_layers_of_docker_get_the_names_of_oci(self):
        (layer,) = base.read(self.tar(layout(media_type=_DOCKER_GZIP)), "amd64").layers
        self.assertEqual(layer.media_type, _OCI_GZIP)

    def test_takes_the_image_of_the_architecture(self):
        files = layout("arm64")
        other = json.loads(files["index.json"])["manifests"]
        files.update(layout())
        mine = json.loads(files["index.json"])["manifests"]
        files["index.json"] = json.dumps({"manifests": other + mine}).encode()
        self.assertEqual(base.read(self.tar(files), "arm64").config["architecture"], "arm64")
        self.assertEqual(base.read(self.tar(files), "amd64").config["architecture"], "amd64")
        with self.assertRaisesRegex(ImageError, "base.tar: 2 images, and none of them for linux/s390x"):
            base.read(self.tar(files), "s390x")

    def test_the_file_and_the_cause_are_in_each_error(self):
        damaged = layout()
        damaged[next(iter(damaged))] += b"more"
        for files, cause in (
            ({"a": b""}, "base.tar: neither an OCI layout nor what `docker save` writes"),
            ({"index.json": b"{"}, "base.tar: index.json: not JSON"),
            ({"index.json": b"{}"}, "base.tar: its manifest or configuration is not that of an image: it lacks 'config'"),
            (damaged, "base.tar: blobs/sha256/.*: its contents do not have this digest"),
            (saved(b"text"), "base.tar: 1/layer.tar: its contents do not have the digest"),
            (layout("arm64"), "base.tar: an image for arm64, but the program is for amd64"),
        ):
            with self.subTest(cause), self.assertRaisesRegex(ImageError, cause):
                base.read(self.tar(files), "amd64")
        with self.assertRaisesRegex(ImageError, "none.tar: not a tar file that can be read: .*No such file"):
            base.read(os.path.join(self.folder, "none.tar"), "amd64")


class FileSystemTest(unittest.TestCase):
    def files(self, *all_layers):
        files = layers.FileSystem("base.tar")
        for index, entries in enumerate(all_layers):
            files.apply(tar(entries), f"layer {index + 1}")
        return files

    def test_follows_links(self):
        files = self.files(
            [folder("usr"), folder("usr/lib"), link("lib", "usr/lib")],
            [regular("usr/lib/liba.so.1.2", b"A"), link("usr/lib/liba.so.1", "liba.so.1.2")],
        )
        self.assertEqual(files.resolve("/lib/liba.so.1"), "usr/lib/liba.so.1.2")
        self.assertEqual(files.read("/lib/liba.so.1"), b"A")
        self.assertEqual(files.resolve("/lib/new"), "usr/lib/new")
        self.assertFalse(files.exists("/lib/new"))

    def test_follows_links_upwards_and_from_the_root(self):
        files = self.files([link("a/b", "../c"), link("c", "/d"), regular("d/x.so", b"X")])
        self.assertEqual(files.read("/a/b/x.so"), b"X")

    def test_a_hard_link_has_the_contents_of_the_other_file(self):
        self.assertEqual(self.files([regular("x.so", b"X"), link("y.so", "x.so", tarfile.LNKTYPE)]).read("/y.so"), b"X")

    def test_links_in_a_circle_are_an_error(self):
        with self.assertRaisesRegex(ImageError, "base.tar: /a/x: too many links"):
            self.files([link("a", "b"), link("b", "a")]).resolve("/a/x")

    def test_upper_layers_remove_and_replace(self):
        files = self.files(
            [folder("a"), regular("a/x.so", b"1"), regular("a/y.so", b"1"), regular("b/x.so", b"1"), link("c", "a")],
            [regular("a/.wh.x.so"), regular("b/.wh..wh..opq"), regular("a/y.so", b"2"), folder("c")],
        )
        self.assertEqual([files.read(path) for path in ("a/x.so", "a/y.so", "b/x.so")], [None, b"2", None])
        # A folder in the place of a link is a folder of its own.
        self.assertIsNone(files.read("c/y.so"))

    def test_a_layer_that_cannot_be_read_is_an_error(self):
        with self.assertRaisesRegex(ImageError, r"base.tar: layer 1 is not a tar file, or one in gzip: "):
            layers.FileSystem("base.tar").apply(b"\x28\xb5\x2f\xfd" + bytes(600), "layer 1")


class FilesTest(unittest.TestCase):
    def names(self, files):
        with tarfile.open(fileobj=io.BytesIO(files.tar())) as file:
            return file.getnames()

    def test_entries_are_sorted_and_have_no_time_and_no_owner(self):
        files = layers.Files()
        files.add("/z", b"1")
        files.add("/a/b", b"2", 0o755)
        files.add_folder("/tmp", 0o1777)
        with tarfile.open(fileobj=io.BytesIO(files.tar())) as file:
            found = [(each.name, each.mode, each.mtime, each.uid, each.gid, each.uname) for each in file]
        self.assertEqual(
            found,
            [
                ("a", 0o755, 0, 0, 0, ""),
                ("a/b", 0o755, 0, 0, 0, ""),
                ("tmp", 0o1777, 0, 0, 0, ""),
                ("z", 0o644, 0, 0, 0, ""),
            ],
        )

    def test_goes_through_the_links_of_the_base_and_keeps_its_folders(self):
        below = layers.FileSystem("base.tar")
        below.apply(tar([folder("usr"), folder("usr/lib"), link("lib", "usr/lib"), folder("etc"), regular("etc/passwd")]), "layer 1")
        files = layers.Files(below)
        files.add("/lib/new/liba.so.1", b"A")
        files.add_unless_there("/etc/passwd", b"other")
        self.assertEqual(self.names(files), ["usr/lib/new", "usr/lib/new/liba.so.1"])


if __name__ == "__main__":
    unittest.main()
