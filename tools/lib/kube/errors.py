"""What ends a command of tools/kube early."""


class KubeError(Exception):
    """A failure to tell the user: verb, object, cause."""


class Interrupted(BaseException):
    """A signal asked this process to end. Like KeyboardInterrupt, it is no Exception."""

    def __init__(self, number):
        super().__init__(number)
        self.signal = number
