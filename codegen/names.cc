#include "codegen/names.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace kube::codegen {
namespace {

// Sorted.
constexpr absl::string_view kTaken[] = {
    // Macros and constants that are not lower case.
    "BUFSIZ",
    "EOF",
    "FILE",
    "INFINITY",
    "NAN",
    "NULL",
    "TRUE",
    "WEOF",
    // Keywords of C++20 and of gnu++20; macros of glibc's headers and of compilers; types that
    // generated code uses.
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "assert",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "errno",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "h_addr",
    "h_errno",
    "i386",
    "if",
    "inline",
    "int",
    "int32_t",
    "int64_t",
    "linux",
    "long",
    "major",
    "makedev",
    "math_errhandling",
    "minor",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "offsetof",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "s6_addr",
    "sa_handler",
    "sa_sigaction",
    "sched_priority",
    "short",
    "si_addr",
    "si_pid",
    "si_status",
    "si_uid",
    "si_value",
    "signed",
    "sizeof",
    "st_atime",
    "st_ctime",
    "st_mtime",
    "static",
    "static_assert",
    "static_cast",
    "stderr",
    "stdin",
    "stdout",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unix",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
};

// Macros of <cerrno>, <csignal> and what <thread> includes, separated by blanks. A kind may have
// such a name.
constexpr absl::string_view kMacros =
    " "
    "CSIGNAL E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV EAFNOSUPPORT EAGAIN EALREADY EBADE "
    "EBADF EBADFD EBADMSG EBADR EBADRQC EBADSLT EBFONT EBUSY ECANCELED ECHILD ECHRNG ECOMM "
    "ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDOM EDOTDOT EDQUOT "
    "EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL "
    "EIO EISCONN EISDIR EISNAM EKEYEXPIRED EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT "
    "EL3RST ELIBACC ELIBBAD ELIBEXEC ELIBMAX ELIBSCN ELNRNG ELOOP EMEDIUMTYPE EMFILE EMLINK "
    "EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL ENETDOWN ENETRESET ENETUNREACH ENFILE ENOANO "
    "ENOBUFS ENOCSI ENODATA ENODEV ENOENT ENOEXEC ENOKEY ENOLCK ENOLINK ENOMEDIUM ENOMEM ENOMSG "
    "ENONET ENOPKG ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY "
    "ENOTNAM ENOTRECOVERABLE ENOTSOCK ENOTSUP ENOTTY ENOTUNIQ ENXIO EOPNOTSUPP EOVERFLOW "
    "EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EREMCHG "
    "EREMOTE EREMOTEIO ERESTART ERFKILL EROFS ESHUTDOWN ESOCKTNOSUPPORT ESPIPE ESRCH ESRMNT "
    "ESTALE ESTRPIPE ETIME ETIMEDOUT ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH EUSERS EWOULDBLOCK "
    "EXDEV EXFULL MINSIGSTKSZ SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP "
    "SIGILL SIGINT SIGIO SIGIOT SIGKILL SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGSEGV "
    "SIGSTKFLT SIGSTKSZ SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 "
    "SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ SNAN ";

bool IsTaken(absl::string_view name) {
  return std::binary_search(std::begin(kTaken), std::end(kTaken), name) ||
         absl::StrContains(kMacros, absl::StrCat(" ", name, " "));
}

// Returns "MyGroup" for "my-group": characters that identifiers cannot have separate words.
std::string CamelCase(absl::string_view text) {
  std::string name;
  bool begins = true;
  for (const char c : text) {
    const bool fits = absl::ascii_isalnum(static_cast<unsigned char>(c));
    if (fits) name += begins ? absl::ascii_toupper(c) : c;
    begins = !fits;
  }
  return name;
}

bool IsVowel(char c) { return absl::StrContains("aeiou", absl::string_view(&c, 1)); }

bool IsNumber(absl::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
}

}  // namespace

std::string CppName(absl::string_view name) { return absl::StrCat(name, IsTaken(name) ? "_" : ""); }

std::string CppNamespace(absl::string_view package) {
  std::vector<std::string> parts;
  for (const absl::string_view part : absl::StrSplit(package, '.')) parts.push_back(CppName(part));
  return absl::StrJoin(parts, "::");
}

std::string InlineNamespace(absl::string_view release) {
  const std::vector<absl::string_view> parts = absl::StrSplit(release, '.');
  if (parts.size() != 2 || !IsNumber(parts[0]) || !IsNumber(parts[1])) return "";
  return absl::StrCat("k", parts[0], "_", parts[1]);
}

std::string ApplyConfigurationName(absl::string_view name) {
  return absl::StrCat(name, "ApplyConfiguration");
}

std::string ConstantName(absl::string_view name) {
  const bool fits = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
  });
  return fits ? absl::StrCat("k", name) : "";
}

std::string HeaderPath(absl::string_view proto_path) {
  return absl::StrCat(absl::StripSuffix(proto_path, ".proto"), ".kube.h");
}

std::string SourcePath(absl::string_view proto_path) {
  return absl::StrCat(absl::StripSuffix(proto_path, ".proto"), ".kube.cc");
}

std::string KindsHeaderPath(absl::string_view proto_path) {
  return absl::StrCat(absl::StripSuffix(proto_path, ".proto"), ".kinds.kube.h");
}

std::string KindsSourcePath(absl::string_view proto_path) {
  return absl::StrCat(absl::StripSuffix(proto_path, ".proto"), ".kinds.kube.cc");
}

std::string AppliesHeaderPath(absl::string_view proto_path) {
  return absl::StrCat(absl::StripSuffix(proto_path, ".proto"), ".applies.kube.h");
}

std::string AppliesSourcePath(absl::string_view proto_path) {
  return absl::StrCat(absl::StripSuffix(proto_path, ".proto"), ".applies.kube.cc");
}

std::string ClientHeaderPath(absl::string_view proto_path) {
  return absl::StrCat(absl::StripSuffix(proto_path, ".proto"), ".client.kube.h");
}

// Go: gengo's `namer.NewPublicPluralNamer`. Endpoints is client-gen's only exception.
std::string PluralName(absl::string_view kind, absl::string_view resource) {
  if (kind.size() < 2 || absl::AsciiStrToLower(kind) == resource) return std::string(kind);
  const absl::string_view stem = kind.substr(0, kind.size() - 1);
  const char last = kind.back(), before = stem.back();
  if (last == 's' || last == 'x' || last == 'z') return absl::StrCat(kind, "es");
  if (last == 'h' && (before == 'c' || before == 's')) return absl::StrCat(kind, "es");
  if (last == 'y' && !IsVowel(before)) return absl::StrCat(stem, "ies");
  if (last == 'e' && before == 'f') return absl::StrCat(absl::StripSuffix(stem, "f"), "ves");
  if (last == 'f') return absl::StrCat(stem, "ves");
  return absl::StrCat(kind, "s");
}

std::string GroupVersionName(absl::string_view group, absl::string_view version) {
  return absl::StrCat(GroupName(group), VersionName(version));
}

std::string GroupName(absl::string_view group) {
  const std::vector<absl::string_view> parts = absl::StrSplit(group, '.');
  std::string name = group.empty() ? "Core" : CamelCase(parts[0]);
  if (name.empty() || absl::ascii_isdigit(static_cast<unsigned char>(name[0]))) {
    name = absl::StrCat("Group", name);
  }
  return name;
}

std::string VersionName(absl::string_view version) { return CamelCase(version); }

std::string SubresourceName(absl::string_view subresource) {
  // The only subresource of Kubernetes that consists of two words.
  if (subresource == "ephemeralcontainers") return "EphemeralContainers";
  return CamelCase(subresource);
}

std::string DefinitionPrefix(absl::string_view go_package, absl::string_view group,
                             absl::string_view version) {
  const size_t slash = go_package.find('/');
  const bool has_path = slash != absl::string_view::npos;
  const absl::string_view domain = go_package.empty() ? group : go_package.substr(0, slash);
  std::vector<absl::string_view> parts = absl::StrSplit(domain, '.');
  std::reverse(parts.begin(), parts.end());
  if (go_package.empty()) {
    parts.push_back(version);
  } else if (has_path) {
    for (const absl::string_view part : absl::StrSplit(go_package.substr(slash + 1), '/')) {
      parts.push_back(part);
    }
  }
  return absl::StrCat(absl::StrJoin(parts, "."), ".");
}

std::string HeaderGuard(absl::string_view header_path) {
  std::string guard;
  for (const char c : header_path) guard += absl::ascii_isalnum(c) ? absl::ascii_toupper(c) : '_';
  return guard + "_";
}

}  // namespace kube::codegen
