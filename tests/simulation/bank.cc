#include "tests/simulation/bank.h"

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread_group.h"

namespace kube::simulation {
namespace {

using base::Event;
using base::MutexLock;
using base::Runtime;
using base::ThreadGroup;

constexpr int kClerks = 3;
constexpr int kTransfersOfAClerk = 8;

absl::Status Work(Bank& bank, const Context& ctx) {
  const Event closing;  // never set: only time passes
  for (int i = 0; i < kTransfersOfAClerk; ++i) {
    const size_t from = Runtime::Current().Random() % Bank::kAccounts;
    const size_t to =
        (from + 1 + Runtime::Current().Random() % (Bank::kAccounts - 1)) % Bank::kAccounts;
    bank.Transfer(from, to, 80);
    const auto rest = absl::Milliseconds(Runtime::Current().Random() % 3);
    closing.Wait(WithTimeout(ctx, rest)).IgnoreError();
    KUBE_RETURN_IF_ERROR(ctx.status());
  }
  return absl::OkStatus();
}

}  // namespace

bool Bank::Has(const Account& account, int amount) const {
  MutexLock lock(account.mutex);
  return account.balance >= amount;
}

void Bank::Transfer(size_t from, size_t to, int amount) {
  Account& payer = accounts_[from];
  Account& payee = accounts_[to];
  if (care_ == Care::kHasty && !Has(payer, amount)) return;
  {
    MutexLock lock(payer.mutex);
    if (care_ == Care::kCareful && payer.balance < amount) return;
    payer.balance -= amount;
  }
  MutexLock lock(payee.mutex);
  payee.balance += amount;
}

absl::Status Bank::Audit() const {
  int sum = 0;
  for (size_t i = 0; i < kAccounts; ++i) {
    MutexLock lock(accounts_[i].mutex);
    const int balance = accounts_[i].balance;
    if (balance < 0) {
      return absl::InternalError(absl::StrCat("audit account ", i, ": overdrawn by ", -balance));
    }
    sum += balance;
  }
  if (sum == 100 * static_cast<int>(kAccounts)) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("audit bank: the accounts hold ", sum));
}

absl::Status RunBank(base::SimRuntime& sim, Care care) {
  Bank bank(care);
  absl::Status worked;
  KUBE_RETURN_IF_ERROR(sim.Run([&] {
    ThreadGroup clerks{Context()};
    for (int i = 0; i < kClerks; ++i) {
      clerks.Go(absl::StrCat("clerk ", i), [&](const Context& ctx) { return Work(bank, ctx); });
    }
    worked = clerks.Wait();
  }));
  KUBE_RETURN_IF_ERROR(worked);
  return bank.Audit();
}

}  // namespace kube::simulation
