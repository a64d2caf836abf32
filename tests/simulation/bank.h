#ifndef TESTS_SIMULATION_BANK_H_
#define TESTS_SIMULATION_BANK_H_

#include <array>
#include <cstddef>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/sim_runtime.h"

namespace kube::simulation {

// How the bank's clerks go about a transfer.
enum class Care {
  kCareful,  // look at the balance and withdraw under one lock
  kHasty,    // look, let go of the lock, then withdraw: a mistake of order
};

// The classic of concurrency tests: accounts that several clerks move money between. Its Care tells
// whether the program has the mistake that a simulation is to find.
//
// Thread-safe.
class Bank {
 public:
  static constexpr size_t kAccounts = 3;

  explicit Bank(Care care) : care_(care) {}

  // Moves `amount` if the account has that much.
  void Transfer(size_t from, size_t to, int amount);

  // Internal if an account is overdrawn or money has come or gone.
  absl::Status Audit() const;

 private:
  struct Account {
    mutable base::Mutex mutex;
    int balance ABSL_GUARDED_BY(mutex) = 100;
  };

  bool Has(const Account& account, int amount) const;

  const Care care_;
  std::array<Account, kAccounts> accounts_;
};

// A day at the bank, in `sim`: clerks who transfer, and rest in between, until they have done their
// work. Answers the audit's finding, or what the simulation reports.
absl::Status RunBank(base::SimRuntime& sim, Care care);

}  // namespace kube::simulation

#endif  // TESTS_SIMULATION_BANK_H_
