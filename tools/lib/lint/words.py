"""Rules of the form "this word or this include does not stand here": one row each.

A word ends where a C++ name ends: "new" does not match new_size, "time(nullptr)" does not match uptime(nullptr).
"""

from typing import Callable, NamedTuple

import files
import lexer


def everywhere(path):
    return True


def outside_tests(path):
    return not files.is_test(path)


def outside_base(path):
    return not path.startswith("apimachinery/base/")


def outside_base_and_in_its_tests(path):
    return outside_base(path) or files.is_test(path)


def outside_value_types(path):
    """The interop header is apimachinery/base/string_view.h; its test belongs to it."""
    return not path.startswith(("apimachinery/types/", "apimachinery/base/string_view"))


def outside_curl_transport(path):
    return not path.startswith("clientset/rest/internal/")


class Ban(NamedTuple):
    rule: str
    instead: str
    words: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()  # prefixes
    where: Callable[[str], bool] = everywhere

    def check(self, path, text):
        if not files.is_cpp(path) or not self.where(path):
            return
        source = lexer.scan(text)
        for line, word in lexer.find_words(source.code, self.words):
            yield line, f"{word}: {self.instead}"
        for include in source.includes:
            if include.path.startswith(self.includes):
                yield include.line, f"#include {include.path}: {self.instead}"


BANS = [
    Ban(
        "using-namespace",
        "name what is used: using absl::StrCat, or a namespace alias inside a namespace or function",
        words=("using namespace",),
    ),
    Ban(
        "sleep",
        "wait for the event itself with a CondVar or Event, or for time with the Runtime; in tests step a FakeClock",
        words=(
            "sleep(",
            "usleep(",
            "nanosleep(",
            "clock_nanosleep(",
            "sleep_for",
            "sleep_until",
            "absl::SleepFor",
            "AbslInternalSleepFor",
        ),
        where=outside_base_and_in_its_tests,
    ),
    Ban(
        "locale",
        "it depends on the process' locale; take absl's functions, FormatHttpDate or std::to_chars",
        words=(
            "strftime(",
            "strptime(",
            "strtod(",
            "strtof(",
            "strcoll(",
            "std::stod",
            "std::stof",
            "std::put_time",
            "std::get_time",
            "std::isalpha",
            "std::isalnum",
            "std::isspace",
            "std::isupper",
            "std::tolower",
            "std::toupper",
        ),
        where=outside_tests,
    ),
    Ban(
        "clock",
        "ask the Runtime's clock, so that tests and simulation can set it",
        words=(
            "steady_clock::now",
            "system_clock::now",
            "high_resolution_clock::now",
            "absl::Now",
            "absl::GetCurrentTimeNanos",
            "time(nullptr)",
            "time(NULL)",
            "time(0)",
            "clock_gettime",
            "gettimeofday",
        ),
        where=outside_base,
    ),
    Ban(
        "thread",
        "use base::Thread, ThreadGroup, Mutex, CondVar, Event or Queue: they run on the Runtime",
        words=(
            "std::thread",
            "std::jthread",
            ".detach()",
            "->detach()",
            "std::async",
            "std::future",
            "std::promise",
            "std::packaged_task",
            "std::mutex",
            "std::timed_mutex",
            "std::recursive_mutex",
            "std::shared_mutex",
            "std::condition_variable",
            "std::condition_variable_any",
            "std::counting_semaphore",
            "std::binary_semaphore",
            "std::latch",
            "std::barrier",
            "pthread_create",
        ),
        where=outside_base,
    ),
    Ban(
        "random",
        "ask the Runtime for random numbers, so that a seed replays them",
        words=(
            "std::random_device",
            "std::mt19937",
            "std::mt19937_64",
            "std::minstd_rand",
            "std::default_random_engine",
            "absl::BitGen",
            "absl::InsecureBitGen",
            "rand()",
            "random()",
            "srand(",
        ),
        where=outside_base,
    ),
    Ban(
        "k8s-namespace",
        "everything of ours is in namespace kube",
        words=("namespace k8s", "k8s::"),
    ),
    Ban(
        "curl",
        "go through clientset/rest: only its internal folder knows curl",
        includes=("curl/",),
        where=outside_curl_transport,
    ),
    Ban(
        "std-string-view",
        "use absl::string_view; apimachinery/base/string_view.h converts where another library insists",
        words=("std::string_view", "std::basic_string_view", "string_view_literals"),
        includes=("string_view",),
        where=outside_value_types,
    ),
    Ban(
        "absl-synchronization",
        "use base::Mutex, CondVar or Event: ThreadSanitizer reports races in a prebuilt absl::Mutex",
        words=("absl::Mutex", "absl::MutexLock", "absl::CondVar", "absl::Notification", "absl::BlockingCounter"),
        includes=("absl/synchronization/",),
    ),
    Ban(
        "absl-log",
        "use apimachinery/base's logging and checks: Debian 12's Abseil has no absl/log",
        includes=("absl/log/",),
    ),
    Ban(
        "absl-std-twins",
        "use std::optional, std::variant or std::any: absl's are types of their own in Debian's build",
        words=(
            "absl::optional",
            "absl::nullopt",
            "absl::make_optional",
            "absl::variant",
            "absl::visit",
            "absl::holds_alternative",
            "absl::monostate",
            "absl::any",
            "absl::any_cast",
        ),
        includes=("absl/types/optional.h", "absl/types/variant.h", "absl/types/any.h"),
    ),
    Ban(
        "throw",
        "return an absl::Status; a bug of ours is a CHECK",
        words=("throw", "std::rethrow_exception", "std::throw_with_nested"),
    ),
]
