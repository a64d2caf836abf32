#ifndef APIMACHINERY_TYPES_LIFETIME_H_
#define APIMACHINERY_TYPES_LIFETIME_H_

// Marks a parameter, or after a method's qualifiers *this, to which the result refers: clang warns
// if the result outlives a temporary.
#if defined(__clang__)
#define KUBE_LIFETIME_BOUND [[clang::lifetimebound]]
#else
#define KUBE_LIFETIME_BOUND
#endif

#endif  // APIMACHINERY_TYPES_LIFETIME_H_
