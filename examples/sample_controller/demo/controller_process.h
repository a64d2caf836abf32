#ifndef EXAMPLES_SAMPLE_CONTROLLER_DEMO_CONTROLLER_PROCESS_H_
#define EXAMPLES_SAMPLE_CONTROLLER_DEMO_CONTROLLER_PROCESS_H_

#include <signal.h>
#include <sys/types.h>

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/thread.h"

namespace samplecontroller {

// The sample controller as a program of its own, as users run it. It does not get the terminal's
// Ctrl-C, but SIGTERM when this ends, however it does.
class ControllerProcess {
 public:
  ControllerProcess() = default;
  ~ControllerProcess() { End(SIGTERM); }
  ControllerProcess(const ControllerProcess&) = delete;
  ControllerProcess& operator=(const ControllerProcess&) = delete;

  // `command` is the program's path and its arguments; what it writes is added to `log_file`.
  // Returns when it runs; a program that cannot be run ends with code 127. Calls `on_end`, on a
  // thread of its own, if it ends by itself. Once, and by the main thread.
  absl::Status Start(std::vector<std::string> command, const std::string& log_file,
                     std::function<void(absl::Status)> on_end);

  // Ends it by this signal, and blocks until it has ended. Again: no effect.
  void End(int signal);

 private:
  pid_t pid_ = 0;
  std::atomic<bool> stopping_ = false;
  kube::base::Thread waiter_;
};

}  // namespace samplecontroller

#endif  // EXAMPLES_SAMPLE_CONTROLLER_DEMO_CONTROLLER_PROCESS_H_
