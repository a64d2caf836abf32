#ifndef TESTS_SIMULATION_BANK_H_
#define TESTS_SIMULATION_BANK_H_

#include <array>
#include <cstddef>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/sim_runtime.h"

namespace kube::simulation {

// How the bank's clerks make a transfer.
enum class Care {
  kCareful,  // check the balance and withdraw under one lock
  kHasty,    // check, release the lock, then withdraw: an ordering bug
};

// The classic of concurrency tests: accounts between which several clerks move money. Care decides
// whether the program has the bug that a simulation should find.
//
// Thread-safe.
class Bank {
 public:
  static constexpr size_t kAccounts = 3;

  explicit Bank(Care care) : care_(care) {}

  // Moves `amount` if the account has that much.
  void Transfer(size_t from, size_t to, int amount);

  // Returns INTERNAL if an account is overdrawn, or if the sum of all balances has changed.
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

// Runs a day at the bank in `sim`: clerks make transfers, with pauses in between, until they have
// done their work. Returns the result of the audit, or the simulation's error.
absl::Status RunBank(base::SimRuntime& sim, Care care);

}  // namespace kube::simulation

#endif  // TESTS_SIMULATION_BANK_H_
