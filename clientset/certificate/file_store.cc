#include "clientset/certificate/file_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "clientset/certificate/key_pair.h"
#include "net/io/file_descriptor.h"
#include "net/io/secret_reader.h"

namespace kube::certificate {

namespace {

namespace fs = std::filesystem;

constexpr absl::string_view kCurrent = "current";
constexpr absl::string_view kUpdated = "updated";

absl::Status SystemError(absl::string_view verb, absl::string_view path,
                         const std::error_code& error) {
  return absl::UnknownError(absl::StrCat(verb, " \"", path, "\": ", error.message()));
}

absl::Status LastError(absl::string_view verb, absl::string_view path) {
  return SystemError(verb, path, std::error_code(errno, std::generic_category()));
}

// Follows links. False if the path is empty.
absl::StatusOr<bool> Exists(const std::string& path) {
  if (path.empty()) return false;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return false;
  if (error) return SystemError("stat", path, error);
  return true;
}

enum class Link { kNone, kLink };

// Returns FAILED_PRECONDITION if something else than a link is at `path`.
absl::StatusOr<Link> LinkAt(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (status.type() == fs::file_type::not_found) return Link::kNone;
  if (error) return SystemError("stat", path, error);
  if (status.type() == fs::file_type::symlink) return Link::kLink;
  return absl::FailedPreconditionError(
      absl::StrCat("expected \"", path, "\" to be a symlink but it is a file"));
}

absl::Status Rename(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) return SystemError(absl::StrCat("rename \"", from, "\" to"), to, error);
  return absl::OkStatus();
}

absl::Status WriteAll(int fd, absl::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written >= 0) {
      content.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      return LastError("write", path);
    }
  }
  return absl::OkStatus();
}

// Writes a file that only its owner can read, to the disk, and puts it at `path`.
absl::Status WriteFile(const std::string& path, const KeyPair& pair) {
  std::string temporary = absl::StrCat(path, ".XXXXXX");
  // Its mode is 0600.
  io::FileDescriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file.is_open()) return LastError("create", temporary);
  absl::Cleanup remover = [&temporary] { ::unlink(temporary.c_str()); };
  KUBE_RETURN_IF_ERROR(WriteAll(file.get(), pair.pem.certificate, temporary));
  KUBE_RETURN_IF_ERROR(WriteAll(file.get(), pair.pem.key.Reveal(), temporary));
  if (::fsync(file.get()) != 0) return LastError("sync", temporary);
  KUBE_RETURN_IF_ERROR(Rename(temporary, path));
  std::move(remover).Cancel();
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const KeyPair>> Load(const std::string& certificate_file,
                                                    const std::string& key_file) {
  log::Info("loading cert/key pair", {{"certificate", certificate_file}, {"key", key_file}});
  KUBE_ASSIGN_OR_RETURN(const base::Secret certificate, io::ReadSecretFile(certificate_file));
  KUBE_ASSIGN_OR_RETURN(const base::Secret key, io::ReadSecretFile(key_file));
  absl::StatusOr<std::shared_ptr<const KeyPair>> pair = MakeKeyPair(certificate.Reveal(), key);
  if (pair.ok()) return pair;
  return base::Annotate(pair.status(), absl::StrCat("load certificate from \"", certificate_file,
                                                    "\" and \"", key_file, "\""));
}

}  // namespace

absl::StatusOr<std::unique_ptr<FileStore>> FileStore::Make(FileStoreOptions options) {
  const std::string& prefix = options.pair_name_prefix;
  if (prefix.empty() || prefix.find('/') != std::string::npos) {
    return absl::InvalidArgumentError(
        "make file store: pair_name_prefix must not be empty or have a slash");
  }
  if (options.certificate_directory.empty()) {
    return absl::InvalidArgumentError("make file store: certificate_directory must not be empty");
  }
  if (options.key_directory.empty()) options.key_directory = options.certificate_directory;
  auto store = std::make_unique<FileStore>(Key(), std::move(options));
  KUBE_ASSIGN_OR_RETURN(const bool exists, Exists(store->CurrentPath()), "make file store");
  if (exists) return store;
  const std::string updated = store->PathOf(kUpdated);
  KUBE_ASSIGN_OR_RETURN(const Link link, LinkAt(updated), "make file store");
  if (link == Link::kLink) {
    KUBE_RETURN_IF_ERROR(Rename(updated, store->CurrentPath()), "make file store");
  }
  return store;
}

FileStore::FileStore(Key /*key*/, FileStoreOptions options) : options_(std::move(options)) {}

std::string FileStore::PathOf(absl::string_view qualifier) const {
  return absl::StrCat(options_.certificate_directory, "/", options_.pair_name_prefix, "-",
                      qualifier, ".pem");
}

std::string FileStore::CurrentPath() const { return PathOf(kCurrent); }

absl::StatusOr<std::shared_ptr<const KeyPair>> FileStore::Current() {
  const std::string current = CurrentPath();
  const std::string certificate =
      absl::StrCat(options_.certificate_directory, "/", options_.pair_name_prefix, ".crt");
  const std::string key =
      absl::StrCat(options_.key_directory, "/", options_.pair_name_prefix, ".key");
  const std::pair<std::string, std::string> pairs[] = {
      {current, current}, {options_.certificate_file, options_.key_file}, {certificate, key}};
  for (const auto& [certificate_file, key_file] : pairs) {
    KUBE_ASSIGN_OR_RETURN(const bool has_certificate, Exists(certificate_file));
    KUBE_ASSIGN_OR_RETURN(const bool has_key, Exists(key_file));
    if (has_certificate && has_key) return Load(certificate_file, key_file);
  }
  return absl::NotFoundError(absl::StrCat("no cert/key files read at \"", current, "\", (\"",
                                          options_.certificate_file, "\", \"", options_.key_file,
                                          "\") or (\"", certificate, "\", \"", key, "\")"));
}

absl::StatusOr<std::shared_ptr<const KeyPair>> FileStore::Update(absl::string_view certificate,
                                                                 const base::Secret& key) {
  KUBE_ASSIGN_OR_RETURN(std::shared_ptr<const KeyPair> pair, MakeKeyPair(certificate, key),
                        "store certificate");
  std::error_code error;
  fs::create_directories(options_.certificate_directory, error);
  if (error) return SystemError("create directory", options_.certificate_directory, error);
  const std::string path =
      PathOf(absl::FormatTime("%Y-%m-%d-%H-%M-%S", base::WallNow(), absl::UTCTimeZone()));
  KUBE_RETURN_IF_ERROR(WriteFile(path, *pair), "store certificate");
  KUBE_RETURN_IF_ERROR(SetLink(path), "store certificate");
  return pair;
}

absl::Status FileStore::SetLink(const std::string& target) const {
  const std::string current = CurrentPath();
  const std::string updated = PathOf(kUpdated);
  KUBE_RETURN_IF_ERROR(LinkAt(current));
  KUBE_ASSIGN_OR_RETURN(const Link left_over, LinkAt(updated));
  std::error_code error;
  if (left_over == Link::kLink && !fs::remove(updated, error)) {
    return SystemError("remove", updated, error);
  }
  // The link must also be right if the directory is relative.
  const fs::path absolute = fs::absolute(target, error);
  if (error) return SystemError("find the absolute path of", target, error);
  fs::create_symlink(absolute, updated, error);
  if (error) return SystemError("create symlink", updated, error);
  return Rename(updated, current);
}

}  // namespace kube::certificate
