"""Names of an operator: what is made of the name of a kind, which names cannot be, and which collide.

Pure functions. Those that begin with "problem" return what is wrong with a name, or "".
"""

import errno
import re
import signal

# Keywords of C++, macros of its compilers and of the C library, and namespaces that the files of an operator use.
IN_CPP = frozenset(
    """absl alignas alignof and and_eq asm assert auto bitand bitor bool break case catch char char16_t char32_t char8_t
    class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default
    delete do double dynamic_cast else enum environ errno explicit export extern false field float for friend goto i386 if
    inline int kube linux long main metav1 mutable namespace new noexcept not not_eq nullptr operator or or_eq private
    protected public register reinterpret_cast requires return short signed sizeof static static_assert static_cast std
    stderr stdin stdout struct switch template testing this thread_local throw true try typedef typeid typename typeof union
    unix unsigned using virtual void volatile wchar_t while xor xor_eq""".split()
)
# Functions that headers of the C library declare outside of namespaces.
_IN_C = frozenset(
    """abort abs accept access acos acosh alarm asin asinh atan atan2 atanh atexit atof atoi atol bind brk cbrt ceil chdir
    chmod chown clock close connect cos cosh creat crypt ctime daemon difftime div dup encrypt erf exit exp fabs fdim floor
    fork free fsync gamma getenv getopt getpid gmtime hypot index ioctl isatty j0 j1 jn kill labs ldexp ldiv link listen log
    log10 log1p log2 logb lseek lstat malloc memchr memcmp memcpy memmove memset mktime mmap modf mount nan nice open pause
    pipe poll pow printf puts qsort raise rand random read readlink realloc recv remainder remove rename rewind rindex rint
    rmdir round sbrk select send setenv shutdown signal sin sinh sleep socket splice sqrt srand stat stpcpy strcat strchr
    strcmp strcpy strlen swab symlink sync sysconf syscall system tan tanh tee time times timezone trunc truncate umask
    uname unlink usleep vfork wait write y0 y1 yn""".split()
)
# Targets and folders of the workspace and of its bazel-bin, beside which the program stands.
_IN_WORKSPACE = frozenset({"api", "controllers", "external", "install", "operator", "test", "webhooks"})
# The other repositories of the workspace. Bazel takes the name of the workspace for one of them.
_REPOSITORIES = frozenset(
    """bazel_skylib bazel_tools client_cpp com_google_absl com_google_googletest com_google_protobuf com_googlesource_code_re2
    curl libyaml llhttp nghttp2 openssl platforms remote_coverage_tools rules_cc rules_java rules_proto simdjson zlib""".split()
)
# Macros of the C library and of GoogleTest that have the form of a kind.
_MACROS = (
    frozenset("ACTION BUFSIZ CSIGNAL EOF FAIL FILE INFINITY MATCHER NAN NULL SNAN SUCCEED TEST TRUE WEOF".split())
    | frozenset(errno.errorcode.values())
    | frozenset(name for name in dir(signal) if re.fullmatch(r"SIG[A-Z0-9]+", name))
)
# Functions of the factory of informers, among which there is one for the group.
_OF_THE_FACTORY = frozenset({"InformerFor", "Informers", "Shutdown", "Start", "WaitForCacheSync"})
# What kube_library makes of the target "": codegen/kube_library.bzl.
_TARGETS = ("", "_applies", "_applies_headers", "_applies_sources", "_client", "_client_generated", "_crds", "_generated") + (
    "_headers", "_idl", "_informers", "_informers_generated", "_kinds", "_kinds_headers", "_kinds_sources", "_sources")


def snake(kind):
    """Returns the name of a kind in files: HTTPProxy is http_proxy."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", kind).lower()


def plural_of(kind):
    """Returns the resource of a kind: NetworkPolicy is networkpolicies."""
    word = kind.lower()
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search(r"(s|x|z|ch|sh)$", word) else "s")


def plural_of_camel(kind):
    """Returns the name for several objects: NetworkPolicy is NetworkPolicies."""
    ending = plural_of(kind)
    return kind[:-1] + "ies" if ending.endswith("ies") else kind + ending[len(kind) :]


def folder_of(group):
    return group.replace("-", "_")


def _camel(group):
    return "".join(word.capitalize() for word in group.split("-"))


def problem_of_repo(name):
    if len(name) > 28:
        # NAME-controller-manager-metrics-service is a Service, whose name has at most 63.
        return "must have at most 28 characters, as names in the cluster are made of it; choose a shorter one"
    for names, what in (
        (IN_CPP | _IN_C, "is taken in C or C++"),
        (_IN_WORKSPACE, "is a target or a folder of the workspace"),
        (_REPOSITORIES, "is another repository of the workspace"),
    ):
        if name in names:
            return f"{what}; choose another name, such as {name}_operator"
    return ""


def problem_of_group(group):
    function = _camel(group)
    if function in _OF_THE_FACTORY:
        return f"the factory of informers has a function {function} already; choose another group"
    return ""


def problem_of_kind(kind):
    space = snake(kind)
    if kind.endswith("List"):
        return f"the IDL has a message {kind} for a list; choose a name that does not end with List"
    if kind in _MACROS:
        return "is a macro of C or of GoogleTest; choose another name"
    if space in IN_CPP:
        return f'its namespace would be "{space}", which is taken in C++; choose another name, such as {kind}Object'
    if space == "types":
        return "its headers would have the paths of client-cpp's own, types.kube.h; choose another name"
    if kind == "Manager":
        return "operator.h has a member manager_ already; choose another name"
    if kind in ("Typed", "TypedClient"):
        return "its client would have the name of its base class, TypedClient; choose another name"
    return ""


def problem_of_classes(group, version, kind):
    """The code of a kind has classes for its group and version, too."""
    base = _camel(group) + version.capitalize()
    classes = {f"{base}Client", f"{base}Informers", f"{_camel(group)}Informers", "SharedInformerFactory"}
    mine = [kind, kind + "Client", kind + "Spec", kind + "Status", plural_of_camel(kind)]
    taken = [name for name in mine if name in classes]
    return f"the clients of {group}/{version} have a class {taken[0]} already; choose another name" if taken else ""


def _names(api):
    """What a kind occupies, in words: targets of Bazel, names of the resource, names in the operator's namespace."""
    kind, file = api["kind"], snake(api["kind"])
    package = f'//api/{folder_of(api["group"])}/{api["version"]}'
    targets = {f"the target {package}:{file}{suffix}" for suffix in _TARGETS}
    resource = {f'the name "{name}" in the group {api["group"]}' for name in (api["plural"], kind.lower())}
    code = {f"the C++ name {name}" for name in (f"{kind}Controller", f"Complete{kind}", f"Validate{kind}")}
    return targets | resource | code


def problem_of_neighbours(api, others):
    """What another kind of the workspace has already."""
    for other in others:
        if other["kind"] == api["kind"]:
            continue
        if snake(other["kind"]) == snake(api["kind"]):
            return f"its files would be those of {other['kind']}, {snake(api['kind'])}_controller.h and others; choose another name"
        both = sorted(_names(api) & _names(other))
        if both:
            return f"{other['kind']} has {both[0]} already; choose another name{_or_plural(api, both[0])}"
    return ""


def _or_plural(api, what):
    return ", or another --plural" if f'"{api["plural"]}"' in what and api["plural"] != api["kind"].lower() else ""
