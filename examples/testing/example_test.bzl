"""A test for an example: its program, run on an API server of its own."""

def example_test(
        name,
        example = None,
        args = [],
        objects = None,
        other_objects = None,
        changes = None,
        nodes = [],
        busy = None,
        failing_watch = None,
        deny = [],
        env = {},
        exit_code = 0,
        expected = "expected.txt",
        error = None,
        crds = None,
        data = [],
        size = "small",
        **kwargs):
    """Runs an example on an embedded API server, and compares its standard output with a file.

    run_example.cc says what the files may contain.

    Args:
      name: the test.
      example: the program. Default: the target with the name of the folder.
      args: arguments of the program. {folder} stands for the folder that has the kubeconfig, and a pod's credentials.
      objects: a YAML file of objects to create before the program starts.
      other_objects: a YAML file of objects to create on a second server, whose context is `other`.
      changes: a YAML file of changes to make when the program has opened a watch.
      nodes: names of simulated nodes. If there are any, controllers and a scheduler run as well, and the program starts
        when the pods of the objects run.
      busy: a resource, such as "pods/eviction": the first request that writes one is answered with 429.
      failing_watch: a resource, such as "pods": the first request to watch one is answered with 500.
      deny: what a user may not do, such as "jane:delete:pods" or "jane:patch:deployments.apps". Everything else is
        allowed.
      env: variables for the program, beside KUBECONFIG and HOME.
      exit_code: what the program returns.
      expected: a file with the standard output. "*" in a line stands for characters other than white space. None: the
        program prints nothing.
      error: a text without apostrophes that standard error contains. {folder} stands for the folder of the kubeconfig.
      crds: definitions of another project, @crds_of_PROJECT//:crds: where they cannot be had, the test is skipped.
      data: more files that the program needs.
      size: as in any test.
      **kwargs: to sh_test.
    """
    program = example or ":" + native.package_name().split("/")[-1]
    files = {"expected": expected, "objects": objects, "other_objects": other_objects, "changes": changes}
    flags = ["--%s=$(location %s)" % (flag, file) for flag, file in files.items() if file]
    if nodes:
        flags.append("--nodes=" + ",".join(nodes))
    if busy:
        flags.append("--busy=" + busy)
    if failing_watch:
        flags.append("--failing_watch=" + failing_watch)
    if deny:
        flags.append("--deny=" + ",".join(deny))
    if env:
        flags.append("--env=" + ",".join(["%s=%s" % variable for variable in env.items()]))
    if error:
        flags.append("--error='%s'" % error)
    if exit_code:
        flags.append("--exit_code=%d" % exit_code)
    runner = "//examples/testing:run_example"
    if crds:
        flags = ["$(rootpaths %s)" % crds, "--", "$(location %s)" % runner] + flags
        data = data + [crds, runner]
        runner = "//examples/testing:run_unless_skipped.sh"
    native.sh_test(
        name = name,
        size = size,
        srcs = [runner],
        args = flags + ["--", "$(location %s)" % program] + args,
        data = [program] + [file for file in files.values() if file] + data,
        **kwargs
    )
