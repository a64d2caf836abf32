#ifndef TESTS_DIFFERENTIAL_CLIENTCMD_CREDENTIAL_CASES_H_
#define TESTS_DIFFERENTIAL_CLIENTCMD_CREDENTIAL_CASES_H_

#include <string>

#include "tests/dice.h"
#include "tests/differential/clientcmd/clientcmd_cases.h"

// Random kubeconfig files with credentials of every kind, good ones and such as editors, shells and
// generators leave: with line breaks, spaces, control characters, in files and out of them.
namespace kube::oracle {

// Certificates and keys, tokens of all shapes: the files that RandomCredentials names.
Files MakeCredentialFiles();

// The text of a kubeconfig file with one context, whose server has TLS.
std::string RandomCredentials(Dice& dice);

}  // namespace kube::oracle

#endif  // TESTS_DIFFERENTIAL_CLIENTCMD_CREDENTIAL_CASES_H_
