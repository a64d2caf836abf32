"""Cases in which the embedded server makes kubectl say something else, on purpose."""

# By the case's name, with the reason. Each is run: one that does not differ any more fails the test.
EXPECTED_DIFFERENCES = {
    "The descriptions of a built-in kind": "descriptions are this library's own words",
    "A volume is protected while it is used": "no finalizer pv-protection: "
    "no controller would take it away",
}
