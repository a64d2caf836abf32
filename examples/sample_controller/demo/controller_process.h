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

// Runs the sample controller as a separate program, as users do. It does not receive the terminal's
// Ctrl-C, but receives SIGTERM when this process ends for any reason.
class ControllerProcess {
 public:
  ControllerProcess() = default;
  ~ControllerProcess() { End(SIGTERM); }
  ControllerProcess(const ControllerProcess&) = delete;
  ControllerProcess& operator=(const ControllerProcess&) = delete;

  // Starts `command`, which is a path followed by arguments, and appends its output to `log_file`.
  // Returns when it runs; a program that cannot be executed ends with code 127. Calls `on_end`, on
  // a separate thread, if the program ends by itself. Call it once, on the main thread.
  absl::Status Start(std::vector<std::string> command, const std::string& log_file,
                     std::function<void(absl::Status)> on_end);

  // Sends the signal and blocks until the program has ended. A second call has no effect.
  void End(int signal);

 private:
  pid_t pid_ = 0;
  std::atomic<bool> stopping_ = false;
  kube::base::Thread waiter_;
};

}  // namespace samplecontroller

#endif  // EXAMPLES_SAMPLE_CONTROLLER_DEMO_CONTROLLER_PROCESS_H_
