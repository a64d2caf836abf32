"""What the build makes of the list in groups.bzl: names of targets, text for each group and version, sources in parts."""

load("//api:groups.bzl", "RELEASE")
load("//tools/build:text_file.bzl", "fill", "text_file")

def group_target(group_version):
    """The name of a group and version's target in clientset/kubernetes and informers/kubernetes: "apps_v1"."""
    return group_version.folder.replace("/", "_")

def fill_group(template, group_version):
    """A template with ${folder}, ${inline}, ${name}, ${namespace} and ${version} of a group and version."""
    return fill(
        template,
        folder = group_version.folder,
        inline = "k" + RELEASE.replace(".", "_"),
        name = group_version.group + group_version.version,
        namespace = group_version.folder.replace("/", "::"),
        version = group_version.version,
    )

def sources_in_parts(name, parts, template, group_versions, headers, header, cases):
    """Makes the sources NAME_1.cc to NAME_PARTS.cc, each of a share of the groups and versions.

    Args:
      name: beginning of the sources' names.
      parts: number of sources.
      template: text of a source, with ${includes}, ${cases} and ${part}.
      group_versions: the list.
      headers: that each source includes.
      header: name of the header that a source includes of each folder of its share.
      cases: function of a group and version that returns a list of lines.

    Returns:
      the names of the sources.
    """
    sources = []
    for part in range(1, parts + 1):
        share = group_versions[len(group_versions) * (part - 1) // parts:len(group_versions) * part // parts]
        included = list(headers)
        for each in share:
            included += ["api/%s/types.kube.h" % each.folder, header % each.folder]
        text_file(
            name = "%s_%d" % (name, part),
            out = "%s_%d.cc" % (name, part),
            text = fill(
                template,
                cases = "".join([case for each in share for case in cases(each)]),
                includes = "".join(["#include \"%s\"\n" % path for path in sorted(included)]),
                part = str(part),
            ),
        )
        sources.append("%s_%d.cc" % (name, part))
    return sources
