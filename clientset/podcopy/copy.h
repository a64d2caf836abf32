#ifndef CLIENTSET_PODCOPY_COPY_H_
#define CLIENTSET_PODCOPY_COPY_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/rest/client.h"

// Copies files and folders between this machine and a container, by running `tar` in the container,
// which must have it: what `kubectl cp` does. The user needs the rights for pods/exec (see
// remotecommand::StartExec). Thread-safe.
namespace kube::podcopy {

struct CopyOptions {
  // As in remotecommand::ExecOptions.
  std::string container = {};
  // Does not keep permissions and, towards a pod, numbers of owners. (kubectl: `--no-preserve`)
  bool no_preserve = false;
  // CopyFromPod: how often a connection that breaks is resumed where it was. Default: never; a
  // negative number: until `ctx` is done. The container must have `sh` and `tail` then, tar's exit
  // code is not known, and files that change meanwhile spoil the archive. (kubectl: `--retries`)
  int max_retries = 0;
  // CopyFromPod: creates symbolic links that stay within the destination. Default: leaves out all
  // symbolic links, with a warning, as kubectl does.
  bool keep_symlinks = false;

  // Called, on the calling thread or one that belongs to the call, for what is left out, and when
  // a connection is resumed. If empty, warnings are logged.
  std::function<void(absl::string_view warning)> on_warning = {};
  // Called on the calling thread with what the commands in the container write to stderr, in
  // pieces. If empty, only an error has it.
  std::function<void(absl::string_view text)> on_stderr = {};
};

// Copies the local file or folder `local_path` to `remote_path` in a container. If that is a folder
// there, what is copied gets its own name in it, as with `cp -r`; otherwise it becomes
// `remote_path`, whose folder must exist. The path "." means what is in the folder. Symbolic links
// are copied as links; pipes, sockets and devices are left out with a warning. Patterns such as
// "*.txt" are not expanded. Blocks until `tar` has unpacked everything.
//
//   KUBE_RETURN_IF_ERROR(podcopy::CopyToPod(ctx, client, {"prod", "web-0"}, "site", "/srv"));
//
// Returns NOT_FOUND if the local file does not exist, other errors of the system, which name the
// path, and the errors of StartExec and of remotecommand::Session. If `tar` fails, the error has
// its exit code (remotecommand::ExitCodeOf) and the end of what it has written to stderr. After an
// error a part may have been copied. Returns ctx.status() when `ctx` is done.
absl::Status CopyToPod(const Context& ctx, const rest::Client& client,
                       const remotecommand::PodTarget& pod, const std::string& local_path,
                       const std::string& remote_path, const CopyOptions& options = {});

// Copies the file or folder `remote_path` of a container to `local_path`. A file becomes the file
// `local_path`; what is in a folder becomes what is in the folder `local_path`, which is made if it
// is missing. Blocks until everything is written.
//
// The container is not trusted: nothing that it sends is written anywhere but below `local_path`
// (names with ".." are left out with a warning), no symbolic link there is followed, devices are
// not created, and permissions lose the bits for setuid, setgid and sticky and those that the umask
// takes away. It can fill the disk. Existing files are replaced. Owners and times are not kept; nor
// does kubectl keep them, and permissions neither.
//
// Returns the errors of CopyToPod, and DATA_LOSS if what arrives is not an archive of
// `remote_path`: "tar contents corrupted".
absl::Status CopyFromPod(const Context& ctx, const rest::Client& client,
                         const remotecommand::PodTarget& pod, const std::string& remote_path,
                         const std::string& local_path, const CopyOptions& options = {});

}  // namespace kube::podcopy

#endif  // CLIENTSET_PODCOPY_COPY_H_
