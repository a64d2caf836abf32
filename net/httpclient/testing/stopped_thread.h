#ifndef NET_HTTPCLIENT_TESTING_STOPPED_THREAD_H_
#define NET_HTTPCLIENT_TESTING_STOPPED_THREAD_H_

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

namespace kube::httpclient {

// Stops the I/O threads of all transports until it is destroyed, as in a paused container or on an
// overloaded machine. Only one may exist at a time. Uses SIGUSR1.
class StoppedThread {
 public:
  StoppedThread() {
    keeps_waiting_ = true;
    struct sigaction action = {};
    action.sa_handler = [](int) {
      while (keeps_waiting_) ::sched_yield();
    };
    ::sigaction(SIGUSR1, &action, nullptr);
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      std::string name;
      std::ifstream(task.path() / "comm") >> name;
      if (name != "rest-transport") continue;
      ::syscall(SYS_tgkill, ::getpid(), std::stoi(task.path().filename()), SIGUSR1);
    }
  }
  ~StoppedThread() { keeps_waiting_ = false; }
  StoppedThread(const StoppedThread&) = delete;
  StoppedThread& operator=(const StoppedThread&) = delete;

 private:
  static inline std::atomic<bool> keeps_waiting_{false};
};

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_TESTING_STOPPED_THREAD_H_
